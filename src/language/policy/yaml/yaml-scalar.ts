import type { Json } from '../../../lib/json.ts';
import type { YamlNode } from './yaml-node.ts';
import { YamlProblem } from './yaml-problem.ts';

type Yaml = typeof import('js-yaml');
type ScalarEvent = import('js-yaml').ScalarEvent;

/** A long text counts as several values: aliases can repeat it. */
export const CHARS_PER_VALUE = 64;

interface Tagged {
  readonly tagStart: number;
  readonly tagEnd: number;
}

/**
 * The value of a scalar event, as JSON has it.
 *
 * @param key the span of the key that it is under, used for a value that is not written
 * @throws {YamlProblem} for tags, escapes and numbers that are not understood
 */
export function scalarNode(
  yaml: Yaml,
  event: ScalarEvent,
  text: string,
  key: { readonly start: number; readonly end: number } | undefined,
): YamlNode {
  if (event.valueStart < 0) {
    refuseTag(text, event);
    const start = event.anchorStart >= 0 ? event.anchorStart : (key?.start ?? 0);
    const end = event.anchorStart >= 0 ? event.anchorEnd : (key?.end ?? 0);
    return { value: null, start, end, children: undefined, size: 1 };
  }
  const { start, end } = spanOf(yaml, event, text);
  const source = decoded(yaml, event, text, start, end);
  const isText = event.tagStart >= 0 && ['!', '!!str'].includes(text.slice(event.tagStart, event.tagEnd));
  if (!isText) refuseTag(text, event);
  const isPlain = event.style === yaml.SCALAR_STYLE.PLAIN && !isText;
  const value = isPlain ? yaml.CORE_SCHEMA.resolveImplicitScalarTag(source).value : source;
  const size = 1 + Math.floor(source.length / CHARS_PER_VALUE);
  return { value: toJson(value, source, start, end), start, end, children: undefined, size };
}

/** @throws {YamlProblem} if the event has a tag */
export function refuseTag(text: string, { tagStart, tagEnd }: Tagged): void {
  if (tagStart < 0) return;
  const hint = 'remove the tag; quote a value that is meant as text';
  throw new YamlProblem(`Cannot use tag "${text.slice(tagStart, tagEnd)}"`, tagStart, tagEnd, hint);
}

/** Quotes belong to the span; a block text begins at its first character. */
function spanOf({ SCALAR_STYLE }: Yaml, event: ScalarEvent, text: string): { start: number; end: number } {
  if (event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED) {
    return { start: event.valueStart - 1, end: event.valueEnd + 1 };
  }
  let start = event.valueStart;
  while (start < event.valueEnd && text[start] === ' ') start++;
  return { start, end: event.valueEnd };
}

function decoded(yaml: Yaml, event: ScalarEvent, text: string, start: number, end: number): string {
  try {
    return yaml.getScalarValue(text, event);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new YamlProblem(`Cannot read YAML: ${error.message}`, start, end);
  }
}

function toJson(value: unknown, source: string, start: number, end: number): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  const hint = 'quote it to make it a string';
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (!Number.isInteger(value) || Number.isSafeInteger(value) || /[.eE]/.test(source)) return value;
    throw new YamlProblem(`Cannot read number "${source}": it loses digits`, start, end, hint);
  }
  throw new YamlProblem(`Cannot use value "${source}": JSON has nothing like it`, start, end, hint);
}
