import { isScalar, isSeq, type ParsedNode, parseDocument } from 'yaml';
import type { Fix } from '../../model/diagnostic.ts';
import type { PolicySource } from './policy-sources.ts';

type Path = readonly (string | number)[];

/** The removal of one item of a list; undefined if it is written in a way that is better left to a person. */
export function itemRemoval({ text, base }: PolicySource, path: Path): Fix | undefined {
  const index = path.at(-1);
  const list = nodeAt(text, [...base, ...path.slice(0, -1)]);
  if (!isSeq<ParsedNode>(list) || typeof index !== 'number' || list.items.length < 2) return undefined;
  const [before, entry, next] = [index - 1, index, index + 1].map((at) => list.items[at]?.range);
  if (!entry) return undefined;
  const [start, end] = entry;
  const span = list.flow ? flowSpan(entry, before, next) : lineSpan(text, start, end);
  // A comment in between may be about the part that stays.
  return span === undefined || text.slice(span.start, span.end).includes('#')
    ? undefined
    : { edits: [{ ...span, text: '' }] };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

type Range = ParsedNode['range'];

function flowSpan(entry: Range, before: Range | undefined, next: Range | undefined): Span | undefined {
  if (before) return { start: before[1], end: entry[1] };
  return next ? { start: entry[0], end: next[0] } : undefined;
}

/** The lines of an item that has them for itself, its dash included. */
function lineSpan(text: string, start: number, end: number): Span | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const written = text.slice(start, end).trimEnd();
  const lineEnd = text.indexOf('\n', start + written.length);
  if (!/^\s*-\s+$/.test(text.slice(lineStart, start))) return undefined;
  return { start: lineStart, end: lineEnd === -1 ? text.length : lineEnd + 1 };
}

/** Other names instead of those of a `tool_matcher`. */
export function nameRemoval(
  { text, base }: PolicySource,
  path: Path,
  names: readonly string[],
): Fix | undefined {
  const node = nodeAt(text, [...base, ...path]);
  if (!isScalar<string>(node) || !node.range || node.type?.startsWith('BLOCK') === true) return undefined;
  const quote = node.type === 'PLAIN' ? 0 : 1;
  const start = node.range[0] + quote;
  const end = node.range[1] - quote;
  // A text with escapes or over several lines is not written as it is.
  if (text.slice(start, end) !== node.value) return undefined;
  const separator = node.value.includes(' | ') ? ' | ' : '|';
  return { edits: [{ start, end, text: names.join(separator) }] };
}

/** Read again for each fix: there are few. */
function nodeAt(text: string, path: Path): unknown {
  return parseDocument(text).getIn(path, true);
}
