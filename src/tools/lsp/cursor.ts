import { isMap, isPair, isScalar, type Node, type ParsedNode, parseDocument, type Scalar, visit } from 'yaml';
import type { YamlPath } from '../../language/policy/yaml/yaml.ts';
import type { Json } from '../../lib/json.ts';

/** The place of a position in a file. Indexes in its path are those of the part that was read, not of the file. */
export interface Cursor {
  /** The mapping that the key is in, or the way to the value. */
  readonly path: YamlPath;
  /** `item`: a value that can still become the first key of a mapping, on a line of its own or behind a dash. */
  readonly at: 'key' | 'value' | 'item';
  /** The key or value up to the position. */
  readonly before: string;
  /** All of it. */
  readonly word: string;
  /** Offsets of the word in the file. */
  readonly start: number;
  readonly end: number;
  /** True for a key that has its colon. */
  readonly hasValue: boolean;
  /** The content of the part of the file, for facts beside the position. */
  readonly value: Json;
}

/** Stands at the position while the text is read. No file has it. */
const MARK = '\ue000';

/** Finds a position in a file that may be broken: parses only its item or section, or up to its line. Undefined in comments. */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  const part = partAround(text, offset);
  const lineEnd = endOfLine(text, offset);
  for (const end of [part.end, lineEnd]) {
    const found = readPart(text, offset, part, end, end === lineEnd);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Part {
  /** The line of the section, which is before the item. */
  readonly header: string;
  readonly start: number;
  readonly end: number;
}

/** The item of a list of the outermost level, else the section. Lines tell, so a fault elsewhere does not matter. */
function partAround(text: string, offset: number): Part {
  const here = startOfLine(text, offset);
  let start = here;
  // A position in the first column is between sections.
  if (isIndented(text, here) || offset > here)
    while (start > 0 && isIndented(text, start)) start = lineBefore(text, start);
  const end = nextLine(text, here, (at) => !isIndented(text, at));
  const first = nextLine(text, start, (at) => /^\s*-/.test(lineAt(text, at)));
  if (here <= start || first > here || first === text.length) return { header: '', start, end };
  const dash = indentOf(text, first);
  const isItem = (at: number) => indentOf(text, at) === dash && lineAt(text, at)[dash] === '-';
  let item = here;
  while (item > first && !isItem(item)) item = lineBefore(text, item);
  const next = nextLine(text, here, (at) => at >= end || isItem(at));
  return { header: `${lineAt(text, start)}\n`, start: item, end: Math.min(next, end) };
}

function readPart(
  text: string,
  offset: number,
  part: Part,
  end: number,
  isLast: boolean,
): Cursor | undefined {
  const before = part.header + text.slice(part.start, offset);
  const source = before + MARK + text.slice(offset, Math.max(offset, end));
  const document = parseDocument(source, { strict: false, uniqueKeys: false, logLevel: 'silent' });
  if (document.errors.length > 0 && !isLast) return undefined;
  const found = markedNode(document.contents);
  if (found === undefined) return undefined;
  const { node, path, isKey, hasValue, keyLine } = found;
  const [from = 0, to = from] = node.range ?? [];
  const written = source.slice(from, to);
  const [left = '', right = ''] = written.split(MARK);
  const quote = /^["']/.exec(written)?.[0];
  const inner = quote === undefined ? 0 : 1;
  const start = offset - left.length + inner;
  const isClosed = quote !== undefined && right.endsWith(quote);
  const isItem = !isKey && (keyLine === undefined || source.slice(keyLine, from).includes('\n'));
  return {
    path,
    at: isKey ? 'key' : isItem && quote === undefined ? 'item' : 'value',
    before: left.slice(inner),
    word: left.slice(inner) + (isClosed ? right.slice(0, -1) : right),
    start,
    end: offset + right.length - (isClosed ? 1 : 0),
    hasValue,
    value: plainValue(document),
  };
}

interface Marked {
  readonly node: Scalar;
  readonly path: YamlPath;
  readonly isKey: boolean;
  readonly hasValue: boolean;
  /** The line of the value's key; undefined for an item of a list. */
  readonly keyLine: number | undefined;
}

function markedNode(contents: ParsedNode | null): Marked | undefined {
  let found: Marked | undefined;
  if (contents === null) return undefined;
  visit(contents, {
    Scalar: (key, node, ancestors) => {
      if (!String(node.value).includes(MARK)) return undefined;
      const path = pathOf([...ancestors, node] as readonly Node[]);
      const pair = ancestors.at(-1);
      const isKey = key === 'key';
      const own = isPair(pair) ? pair : undefined;
      found = {
        node,
        path: isKey ? path.slice(0, -1) : path,
        isKey,
        // A key without a colon has no value at all; one with a colon has null at least.
        hasValue: isKey && own !== undefined && own.value !== null,
        keyLine: isScalar(own?.key) ? own.key.range?.[0] : undefined,
      };
      return visit.BREAK;
    },
  });
  return found;
}

/** Keys and indexes from the outermost node to the last. */
function pathOf(nodes: readonly unknown[]): YamlPath {
  return nodes.flatMap((node, index): YamlPath => {
    if (isPair(node)) return [isScalar(node.key) ? String(node.key.value) : ''];
    const parent = nodes[index - 1];
    if (index === 0 || isMap(parent) || isPair(parent)) return [];
    const items = (parent as { readonly items?: readonly unknown[] }).items ?? [];
    return [Math.max(0, items.indexOf(node))];
  });
}

function plainValue(document: { readonly toJS: () => unknown }): Json {
  try {
    return document.toJS() as Json;
  } catch {
    // Aliases that lead nowhere.
    return null;
  }
}

function startOfLine(text: string, offset: number): number {
  // A search from before the text would begin at its first character.
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

function lineAt(text: string, start: number): string {
  return text.slice(start, endOfLine(text, start));
}

function lineBefore(text: string, start: number): number {
  return startOfLine(text, Math.max(0, start - 1));
}

/** The first line behind one that fits; the end of the text if none does. */
function nextLine(text: string, start: number, fits: (start: number) => boolean): number {
  for (let at = endOfLine(text, start) + 1; at <= text.length; at = endOfLine(text, at) + 1)
    if (fits(at)) return at;
  return text.length;
}

function indentOf(text: string, start: number): number {
  return /^ */.exec(lineAt(text, start))?.[0].length ?? 0;
}

/** True for lines that do not begin a section: indented, empty, comments, items. */
function isIndented(text: string, start: number): boolean {
  return !/^[^\s#-]/.test(text.slice(start, start + 1));
}
