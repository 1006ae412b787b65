import type { Fix } from '../model/diagnostic.ts';
import { type SyntaxEntry, type SyntaxNode, UnusualSyntax } from '../policy/format/syntax-node.ts';
import { syntaxTree } from '../policy/format/syntax-tree.ts';
import type { PolicySource } from './policy-sources.ts';

type Path = readonly (string | number)[];

/** The removal of one item of a list; undefined if it is written in a way that is better left to a person. */
export function itemRemoval({ text, base }: PolicySource, path: Path): Fix | undefined {
  const index = path.at(-1);
  const list = nodeAt(text, [...base, ...path.slice(0, -1)]);
  if (list?.type !== 'list' || typeof index !== 'number' || list.entries.length < 2) return undefined;
  const entry = list.entries[index];
  const next = list.entries[index + 1];
  const before = list.entries[index - 1];
  if (entry === undefined) return undefined;
  const span = list.style === 'flow' ? flowSpan(entry, before, next) : lineSpan(text, entry);
  // A comment in between may be about what stays.
  return span === undefined || text.slice(span.start, span.end).includes('#')
    ? undefined
    : { edits: [{ ...span, text: '' }] };
}

function flowSpan(
  entry: SyntaxEntry,
  before: SyntaxEntry | undefined,
  next: SyntaxEntry | undefined,
): { start: number; end: number } | undefined {
  if (before !== undefined) return { start: before.value.end, end: entry.value.end };
  return next === undefined ? undefined : { start: entry.start, end: next.start };
}

/** The lines of an item that has them for itself. */
function lineSpan(text: string, entry: SyntaxEntry): { start: number; end: number } | undefined {
  const start = text.lastIndexOf('\n', entry.start - 1) + 1;
  const lineEnd = text.indexOf('\n', entry.value.end);
  const end = lineEnd === -1 ? text.length : lineEnd + 1;
  return text.slice(start, entry.start).trim() === '' ? { start, end } : undefined;
}

/** Other names in the place of those of a `tool_matcher`. */
export function nameRemoval(
  { text, base }: PolicySource,
  path: Path,
  names: readonly string[],
): Fix | undefined {
  const node = nodeAt(text, [...base, ...path]);
  if (node?.type !== 'scalar' || node.style === 'block' || node.style === 'absent') return undefined;
  const quote = node.style === 'plain' ? 0 : 1;
  const start = node.start + quote;
  const end = node.end - quote;
  // What is written with escapes or over several lines is not the text itself.
  if (text.slice(start, end) !== node.text) return undefined;
  const separator = node.text.includes(' | ') ? ' | ' : '|';
  return { edits: [{ start, end, text: names.join(separator) }] };
}

function nodeAt(text: string, path: Path): SyntaxNode | undefined {
  let node = treeOf(text);
  for (const step of path) {
    if (node === undefined || (node.type !== 'list' && node.type !== 'mapping')) return undefined;
    node =
      typeof step === 'number'
        ? node.entries[step]?.value
        : node.entries.find(({ key }) => key?.type === 'scalar' && key.text === step)?.value;
  }
  return node;
}

/** Read again for each fix: there are few. */
function treeOf(text: string): SyntaxNode | undefined {
  try {
    return syntaxTree(text);
  } catch (error) {
    if (error instanceof UnusualSyntax) return undefined;
    throw error;
  }
}
