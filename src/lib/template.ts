import type { Json } from './json.ts';
import { checkTime } from './time-limit.ts';

export interface TemplatePath {
  readonly path: string;
  /** The start of its braces, in UTF-16 units from 0. */
  readonly index: number;
}

/** A place in a template that its author did not mean. */
export interface TemplateProblem {
  readonly index: number;
  readonly message: string;
  /** The path that nobody can fill, where that is the problem. */
  readonly path?: string;
}

interface Slot extends TemplatePath {
  readonly end: number;
}

/** The paths a template asks for, in order, repeats included. */
export function templatePaths(template: string): readonly TemplatePath[] {
  return scan(template).slots.map(({ path, index }) => ({ path, index }));
}

/** Braces without a path, braces that do not close, and paths that `isKnown` says nobody can fill. */
export function templateProblems(
  template: string,
  isKnown: (path: string) => boolean = () => true,
): readonly TemplateProblem[] {
  const { slots, broken } = scan(template);
  const problems: TemplateProblem[] = broken.map((index) => ({
    index,
    message: brokenMessage(template, index),
  }));
  for (const { path, index } of slots) {
    if (!isKnown(path))
      problems.push({ index, path, message: `Cannot fill "{{${path}}}": there is no such value` });
  }
  return problems.sort((a, b) => a.index - b.index);
}

/**
 * Fills a template in one pass: values are never looked at again. Strings go in as they are, missing values as nothing, all else
 * as JSON text. Braces that are no well-formed `{{path}}` stay as they are.
 *
 * @param maxLength UTF-16 units after which the text is cut: a short template can make a long text of a long value
 * @throws OutOfTime where a time limit is set and over
 */
export function renderTemplate(
  template: string,
  lookup: (path: string) => Json | undefined,
  maxLength = Number.POSITIVE_INFINITY,
): string {
  let text = '';
  let from = 0;
  for (const { path, index, end } of scan(template).slots) {
    checkTime();
    text += template.slice(from, index) + textOf(lookup(path));
    from = end;
    if (text.length > maxLength) return text.slice(0, maxLength);
  }
  text += template.slice(from);
  return text.length > maxLength ? text.slice(0, maxLength) : text;
}

function textOf(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** In `{{{a}}}` the inner braces count, so that a template can be JSON text. */
function scan(template: string): { slots: readonly Slot[]; broken: readonly number[] } {
  const slots: Slot[] = [];
  const broken: number[] = [];
  const slot = /\{\{\s*([^\s{}]+)\s*\}\}/y;
  for (let index = template.indexOf('{{'); index !== -1; ) {
    slot.lastIndex = index;
    const path = slot.exec(template)?.[1];
    let next = index + 2;
    if (path !== undefined) {
      next = slot.lastIndex;
      slots.push({ path, index, end: next });
    } else if (template[next] === '{') {
      next = index + 1;
    } else {
      broken.push(index);
    }
    index = template.indexOf('{{', next);
  }
  return { slots, broken };
}

function brokenMessage(template: string, index: number): string {
  const close = template.indexOf('}}', index);
  if (close === -1) return 'Cannot read template: "{{" is never closed, write {{path}}';
  const inside = template.slice(index + 2, close).trim();
  if (inside === '') return 'Cannot read template: "{{}}" names no value, write {{path}}';
  return `Cannot read template "{{${inside}}}": a path has no spaces or braces, write {{path}}`;
}
