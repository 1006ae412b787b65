import type { Json } from '../lib/json.ts';
import type { Diagnostic, Position } from '../model/diagnostic.ts';
import { createLineIndex, type LineIndex } from './line-index.ts';

/** Keys and indexes that lead from a document to one of its values. */
export type YamlPath = readonly (string | number)[];

/** A parsed document and the place of each of its keys and values. */
export interface YamlDocument {
  readonly value: Json;
  /** Where the value at a path stands, or its key. The nearest value that exists, if the path does not. */
  readonly positionOf: (path: YamlPath, what: 'key' | 'value') => Position;
}

/** What a text says; without a document, the diagnostics say why. Duplicate keys leave a document. */
export interface YamlResult {
  readonly document: YamlDocument | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** More keys, items and lines than this take too long to parse: about half a second. */
const MAX_MARKS = 500_000;
/** Values after aliases have been followed. */
const MAX_VALUES = 500_000;
const MAX_ALIASES = 1_000;
const MAX_DEPTH = 100;

type Yaml = typeof import('js-yaml');
type YamlEvent = import('js-yaml').Event;
type ScalarEvent = import('js-yaml').ScalarEvent;

/** A value with its span; `keyStart` and `keyEnd` are those of the key that it stands under. */
interface Node {
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  readonly children: ReadonlyMap<string | number, Entry> | undefined;
  /** Number of values in it, itself included, each alias counted as what it stands for. */
  readonly size: number;
}

interface Entry {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly node: Node;
}

interface Frame {
  readonly list: Json[] | undefined;
  readonly object: Record<string, Json>;
  readonly children: Map<string | number, Entry>;
  readonly start: number;
  readonly anchor: string | undefined;
  size: number;
  key: { readonly name: string; readonly start: number; readonly end: number } | undefined;
}

/** A problem in the text with its span. */
class YamlProblem extends Error {
  readonly start: number;
  readonly end: number;
  readonly hint: string | undefined;
  constructor(message: string, start: number, end: number, hint?: string) {
    super(message);
    this.start = start;
    this.end = end;
    this.hint = hint;
  }
}

/**
 * Parses one YAML 1.2 document strictly: no duplicate keys, no second document, no tags but `!!str`, no numbers that
 * JSON cannot carry, bounded depth, aliases and size. Keys are taken as text, as written. Linear in the text.
 *
 * @param file how positions name the file
 */
export function parseYaml(text: string, file: string): YamlResult {
  // Only files that changed since the last run are parsed, so the parser stays out of the usual start.
  const yaml = require('js-yaml') as Yaml;
  const lines = createLineIndex(text);
  const problems: YamlProblem[] = [];
  try {
    if (countMarks(text) > MAX_MARKS) {
      throw new YamlProblem(
        'Cannot read the file: it has too many lines and values',
        0,
        0,
        'split it into several files',
      );
    }
    const events = parseEvents(yaml, text);
    const root = build(yaml, events, text, problems);
    const diagnostics = problems.map((problem) => diagnose(problem, file, lines));
    return { document: documentOf(root, file, lines), diagnostics };
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    problems.push(error);
    return { document: undefined, diagnostics: problems.map((problem) => diagnose(problem, file, lines)) };
  }
}

function diagnose(problem: YamlProblem, file: string, lines: LineIndex): Diagnostic {
  const position = positionAt(file, lines, problem.start, problem.end);
  const base = { code: 'yaml', severity: 'error', position, message: problem.message } as const;
  return problem.hint === undefined ? base : { ...base, hint: problem.hint };
}

function positionAt(file: string, lines: LineIndex, start: number, end: number): Position {
  const length = Math.max(1, Math.min(end, lines.lineEnd(start)) - start);
  return { file, ...lines.at(start), length };
}

/** An upper bound, up to a factor of four, of the values in a text: what can begin a key, an item or a line. */
function countMarks(text: string): number {
  if (text.length <= MAX_MARKS) return 0;
  let marks = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13 || code === 44 || code === 91 || code === 123) marks++;
    else if ((code === 45 || code === 58 || code === 63) && text.charCodeAt(i + 1) <= 32) marks++;
  }
  return marks;
}

function parseEvents(yaml: Yaml, text: string): readonly YamlEvent[] {
  try {
    return yaml.parseEvents(text, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error;
    const start = error.mark?.position ?? 0;
    throw new YamlProblem(`Cannot read YAML: ${error.reason}`, start, start + 1, hintFor(error.reason));
  }
}

function hintFor(reason: string): string | undefined {
  if (reason.includes('tab')) return 'indent with spaces';
  if (reason.includes('escape'))
    return 'write regexes in single quotes, where a backslash is only a backslash';
  if (reason.includes('bad indentation of a mapping entry') || reason.includes('multiline key')) {
    return 'indent all keys of a mapping alike, and quote a value that contains ": "';
  }
  if (reason.includes('maxDepth')) return 'nest at most 100 levels';
  return undefined;
}

/** Builds the document from the parser's events, without recursion. Duplicate and forbidden keys are collected. */
function build(yaml: Yaml, events: readonly YamlEvent[], text: string, problems: YamlProblem[]): Node {
  const { EVENT_ID } = yaml;
  const frames: Frame[] = [];
  const anchors = new Map<string, Node | 'open'>();
  let root: Node | undefined;
  let documents = 0;
  let aliases = 0;

  const keep = (anchor: string | undefined, node: Node): void => {
    if (anchor !== undefined) anchors.set(anchor, node);
  };
  const add = (node: Node): void => {
    const frame = frames.at(-1);
    if (frame === undefined) {
      root = node;
      return;
    }
    frame.size += node.size;
    if (frame.size > MAX_VALUES) {
      throw new YamlProblem(
        'Cannot read YAML: aliases stand for too many values',
        node.start,
        node.end,
        'repeat less',
      );
    }
    if (frame.list !== undefined) {
      frame.children.set(frame.list.length, { keyStart: node.start, keyEnd: node.end, node });
      frame.list.push(node.value);
      return;
    }
    const key = frame.key;
    if (key === undefined) {
      frame.key = { name: keyText(node, text), start: node.start, end: node.end };
      return;
    }
    frame.key = undefined;
    const problem = keyProblem(key.name, frame.children.has(key.name));
    if (problem !== undefined) {
      problems.push(new YamlProblem(problem.message, key.start, key.end, problem.hint));
      return;
    }
    frame.children.set(key.name, { keyStart: key.start, keyEnd: key.end, node });
    frame.object[key.name] = node.value;
  };
  const open = (
    event: { start: number; anchorStart: number; anchorEnd: number; tagStart: number; tagEnd: number },
    list: boolean,
  ): void => {
    if (event.tagStart >= 0) throw tagProblem(text, event);
    const frame = frames.at(-1);
    if (frame !== undefined && frame.list === undefined && frame.key === undefined) {
      throw new YamlProblem(
        'Cannot use a list or mapping as a key: keys are texts',
        event.start,
        event.start + 1,
      );
    }
    const anchor = event.anchorStart >= 0 ? text.slice(event.anchorStart, event.anchorEnd) : undefined;
    if (anchor !== undefined) anchors.set(anchor, 'open');
    frames.push({
      list: list ? [] : undefined,
      object: {},
      children: new Map(),
      start: event.start,
      anchor,
      size: 1,
      key: undefined,
    });
  };

  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        documents++;
        break;
      case EVENT_ID.SCALAR: {
        const node = scalarNode(yaml, event, text, frames.at(-1));
        keep(event.anchorStart >= 0 ? text.slice(event.anchorStart, event.anchorEnd) : undefined, node);
        add(node);
        break;
      }
      case EVENT_ID.SEQUENCE:
        open(event, true);
        break;
      case EVENT_ID.MAPPING:
        open(event, false);
        break;
      case EVENT_ID.ALIAS: {
        const name = text.slice(event.anchorStart, event.anchorEnd);
        const target = anchors.get(name);
        const problem = aliasProblem(name, target, ++aliases);
        if (problem !== undefined) throw new YamlProblem(problem, event.anchorStart - 1, event.anchorEnd);
        if (target !== undefined && target !== 'open') {
          add({ ...target, start: event.anchorStart - 1, end: event.anchorEnd });
        }
        break;
      }
      case EVENT_ID.POP: {
        const frame = frames.pop();
        if (frame === undefined) break;
        const node: Node = {
          value: frame.list ?? frame.object,
          start: frame.start,
          end: frame.start + 1,
          children: frame.children,
          size: frame.size,
        };
        keep(frame.anchor, node);
        add(node);
        break;
      }
    }
    if (documents > 1) {
      const at = text.indexOf('\n---') + 1;
      throw new YamlProblem(
        'Cannot read YAML: the file has several documents',
        at,
        at + 3,
        'make one file of each',
      );
    }
  }
  if (root === undefined || (root.value === null && root.start === root.end)) {
    throw new YamlProblem('Cannot read YAML: the file is empty', 0, 0, 'begin with "version: 1"');
  }
  return root;
}

function keyText(node: Node, text: string): string {
  // As written: `1.10` must not become `1.1`, nor `null` nothing.
  return typeof node.value === 'string' ? node.value : text.slice(node.start, node.end);
}

function keyProblem(name: string, duplicate: boolean): { message: string; hint?: string } | undefined {
  if (duplicate)
    return { message: `Cannot use key "${name}" twice in one mapping`, hint: 'remove or rename one of them' };
  if (name === '__proto__') return { message: 'Cannot use key "__proto__"', hint: 'choose another name' };
  if (name === '<<')
    return { message: 'Cannot use key "<<": merge keys are not supported', hint: 'write the keys out' };
  return undefined;
}

function aliasProblem(name: string, target: Node | 'open' | undefined, count: number): string | undefined {
  if (target === undefined) return `Cannot find anchor "&${name}" for alias "*${name}"`;
  if (target === 'open') return `Cannot use alias "*${name}" inside its own anchor`;
  return count > MAX_ALIASES ? `Cannot use more than ${MAX_ALIASES} aliases in one file` : undefined;
}

function tagProblem(text: string, event: { tagStart: number; tagEnd: number }): YamlProblem {
  const tag = text.slice(event.tagStart, event.tagEnd);
  const hint = 'remove the tag; quote a value that is meant as text';
  return new YamlProblem(`Cannot use tag "${tag}"`, event.tagStart, event.tagEnd, hint);
}

function scalarNode(yaml: Yaml, event: ScalarEvent, text: string, parent: Frame | undefined): Node {
  if (event.valueStart < 0) {
    const at =
      event.tagStart >= 0
        ? event.tagStart
        : event.anchorStart >= 0
          ? event.anchorStart
          : (parent?.key?.start ?? 0);
    if (event.tagStart >= 0) throw tagProblem(text, event);
    return { value: null, start: at, end: parent?.key?.end ?? at, children: undefined, size: 1 };
  }
  const { start, end } = scalarSpan(yaml, event, text);
  const source = decode(yaml, event, text, start, end);
  const plain = event.style === yaml.SCALAR_STYLE.PLAIN;
  const tag = event.tagStart >= 0 ? text.slice(event.tagStart, event.tagEnd) : undefined;
  if (tag !== undefined && tag !== '!' && tag !== '!!str') throw tagProblem(text, event);
  const value = plain && tag === undefined ? yaml.CORE_SCHEMA.resolveImplicitScalarTag(source).value : source;
  return { value: toJson(value, source, start, end), start, end, children: undefined, size: 1 };
}

/** Quotes belong to the span; a block text begins at its first character. */
function scalarSpan(yaml: Yaml, event: ScalarEvent, text: string): { start: number; end: number } {
  const { SCALAR_STYLE } = yaml;
  if (event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED) {
    return { start: event.valueStart - 1, end: event.valueEnd + 1 };
  }
  let start = event.valueStart;
  while (start < event.valueEnd && text[start] === ' ') start++;
  return { start, end: event.valueEnd };
}

function decode(yaml: Yaml, event: ScalarEvent, text: string, start: number, end: number): string {
  try {
    return yaml.getScalarValue(text, event);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new YamlProblem(`Cannot read YAML: ${error.message}`, start, end, hintFor(error.message));
  }
}

function toJson(value: unknown, source: string, start: number, end: number): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (!Number.isInteger(value) || Number.isSafeInteger(value) || /[.eE]/.test(source)) return value;
    throw new YamlProblem(
      `Cannot read number "${source}": it loses digits`,
      start,
      end,
      'quote it to make it a text',
    );
  }
  throw new YamlProblem(
    `Cannot use value "${source}": JSON has nothing like it`,
    start,
    end,
    'quote it to make it a text',
  );
}

function documentOf(root: Node, file: string, lines: LineIndex): YamlDocument {
  return {
    value: root.value,
    positionOf: (path, what) => {
      let node = root;
      let entry: Entry | undefined;
      for (const step of path) {
        const next = node.children?.get(step);
        if (next === undefined) return spanOf(entry, node, 'key', file, lines);
        entry = next;
        node = next.node;
      }
      return spanOf(entry, node, what, file, lines);
    },
  };
}

function spanOf(
  entry: Entry | undefined,
  node: Node,
  what: 'key' | 'value',
  file: string,
  lines: LineIndex,
): Position {
  if (what === 'key' && entry !== undefined) return positionAt(file, lines, entry.keyStart, entry.keyEnd);
  return positionAt(file, lines, node.start, node.end);
}
