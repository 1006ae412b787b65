import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type Tags,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type StringifyContext, stringifyString } from 'yaml/util';
import { isJsonObject, type Json } from '../../../lib/json.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { parseYaml, type YamlPath } from '../yaml/yaml.ts';
import { alignComments, commentColumns, commentsIn } from './comments.ts';
import { inOrder, type Layout } from './layout.ts';
import { hasEscapes, quoting } from './quoting.ts';

/** The canonical form of a file, or why there is none. */
export type FormatResult =
  | { readonly type: 'formatted'; readonly text: string }
  /** Its form cannot be changed without changing its meaning. */
  | { readonly type: 'left'; readonly cause: string }
  | { readonly type: 'broken'; readonly diagnostics: readonly Diagnostic[] };

/** Longer brackets become a block, or lines of words. */
const MAX_WIDTH = 120;
/** Three of these fit into a line. */
const MAX_WORD = 40;

/**
 * Writes a YAML file in its canonical form: the same values and the same comments, in the order, quotes, indentation and
 * spacing of the layout. Formatting the result again changes nothing.
 *
 * @param file how positions name it
 */
export function formatYaml(text: string, file: string, layout: Layout): FormatResult {
  const { document, diagnostics } = parseYaml(text, file);
  if (document === undefined || diagnostics.length > 0) return { type: 'broken', diagnostics };
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const source = text.replaceAll('\r\n', '\n');
  const formatted = formatUntilStable(source, layout);
  if (formatted === undefined) return { type: 'left', cause: CHANGED };
  if (formatted === source) return { type: 'formatted', text };
  const cause = changeOfMeaning(source, formatted, document.value, file, layout);
  return cause === undefined
    ? { type: 'formatted', text: formatted.replaceAll('\n', lineBreak) }
    : { type: 'left', cause };
}

const CHANGED = 'its form cannot be changed without changing what it says';

/** More rounds than comments in odd places take to find theirs. */
const MAX_ROUNDS = 4;

/** Undefined for a text that the library does not take as it is, so cannot write: `...` in the first line. */
function formatUntilStable(text: string, layout: Layout): string | undefined {
  let before = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const after = rewritten(before, layout);
    if (after === undefined) return undefined;
    if (after === before) break;
    before = after;
  }
  return before;
}

function rewritten(text: string, layout: Layout): string | undefined {
  const document = parsed(text);
  if (document.errors.length > 0) return undefined;
  // An alias must stay behind its anchor.
  const keysAt = usesAnchors(document) ? () => undefined : layout.keysAt;
  walk(document, (node, parent, path) => {
    if (isScalar(node)) node.type = quoting(node);
    if (isMap(node)) order(node, keysAt(path), parent);
  });
  if (isCollection(document.contents)) document.contents.flow = false;
  let written = print(document);
  for (let wide = widePaths(written); wide.length > 0; wide = widePaths(written)) {
    const again = parsed(written);
    for (const path of wide) asBlock(again.getIn(path, true));
    const block = print(again);
    // Keys that are no texts have no path.
    if (block === written) break;
    written = block;
  }
  // A text that is as it was needs no second look.
  const last = written === text ? document : parsed(written);
  walk(last, (node, parent, path) => {
    if (!isSeq(node)) return;
    if (parent !== undefined) node.spaceBefore = false;
    if (!node.flow) space(node.items, layout.isSpaced(path));
  });
  const again = withFilledLines(print(last));
  return again === text ? text : alignComments(again, text);
}

/** The document with each comment at the part that it is about. */
function parsed(text: string): Document.Parsed {
  const document = parseDocument(text, {
    keepSourceTokens: true,
    customTags: (tags): Tags =>
      tags.map((tag) =>
        typeof tag === 'object' && tag.tag === 'tag:yaml.org,2002:str'
          ? { ...tag, stringify: textAsWritten }
          : tag,
      ) as Tags,
  });
  const columns = commentColumns(text);
  walk(document, (node) => {
    node.commentBefore = withSingleGaps(node.commentBefore);
    node.comment = withSingleGaps(node.comment)?.replace(/\n+$/, '') ?? null;
  });
  walk(document, (node, parent) => {
    if (isCollection(node)) keepFirstComment(node as YAMLMap | YAMLSeq, parent, text);
    if (isSeq(node)) keepLastComments(node.items, text, columns);
  });
  return document;
}

/** Comments with a blank line between them have one. */
function withSingleGaps(comment: string | null | undefined): string | null {
  return comment?.replace(/\n{3,}/g, '\n\n').replace(/\n{2,}$/, '\n') ?? null;
}

/** Text whose lines or escapes the author chose keeps them; anything else is written by the library. */
function textAsWritten(
  item: Scalar,
  context: StringifyContext,
  onComment?: () => void,
  onChomp?: () => void,
): string {
  const written = stringifyString(
    item as Scalar<string>,
    { ...context, actualString: true },
    onComment,
    onChomp,
  );
  const token = item.srcToken;
  if (token?.type === 'double-quoted-scalar' && hasEscapes(item)) return token.source;
  if (item.type !== 'BLOCK_FOLDED' || token?.type !== 'block-scalar') return written;
  const [header = ''] = written.split('\n', 1);
  const lines = token.source.trimEnd().split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return [
    header,
    ...lines.map((line) => (line.trim() === '' ? '' : context.indent + line.slice(indent))),
  ].join('\n');
}

function print(document: Document.Parsed): string {
  const text = document.toString({
    lineWidth: 0,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: 1e6,
  });
  return text.replace(/^\n+/, '');
}

function usesAnchors(document: Document.Parsed): boolean {
  let found = false;
  walk(document, (node) => {
    if (isAlias(node) || node.anchor !== undefined) found = true;
  });
  return found;
}

/** The list or the entry that a node is in; undefined for the root. */
type Parent = YAMLSeq | Pair | undefined;

/** Calls for each node, parents first, with the keys and indexes that lead to it. `enter` returns `false` to skip all inside. */
function walk({ contents }: Document, enter: (node: Node, parent: Parent, path: YamlPath) => unknown): void {
  const go = (node: unknown, parent: Parent, path: YamlPath): void => {
    if (!isNode(node) || enter(node, parent, path) === false) return;
    if (isSeq(node)) for (const [index, item] of node.items.entries()) go(item, node, [...path, index]);
    if (!isMap(node)) return;
    for (const pair of node.items) {
      const below = isScalar(pair.key) ? [...path, String(pair.key.value)] : path;
      go(pair.key, pair, below);
      go(pair.value, pair, below);
    }
  };
  go(contents, undefined, []);
}

/** A comment above the first key or item of a block belongs to that; one behind the key of the block stays there. */
function keepFirstComment(block: YAMLMap | YAMLSeq, parent: unknown, text: string): void {
  const [item] = block.items;
  const first = isPair(item) ? item.key : item;
  if (block.commentBefore == null || !isPair(parent) || !isNode(first) || block.flow) return;
  const [, keyEnd = 0] = isScalar(parent.key) ? (parent.key.range ?? []) : [];
  const isBehind = /^\s*:[ \t]*#/.test(text.slice(keyEnd, keyEnd + 200));
  const lines = block.commentBefore.split('\n');
  const behind = isBehind ? lines.splice(0, 1) : [];
  const above = `${lines.join('\n')}\n${first.commentBefore ?? ''}`
    .replace(/^\n+|\n+$/g, '')
    .replace(/\n{3,}/g, '\n\n');
  block.commentBefore = behind[0] ?? null;
  first.commentBefore = above === '' ? null : above;
}

/** Comments below an item and left of its keys are about the next item. */
function keepLastComments(
  items: readonly unknown[],
  text: string,
  columns: ReadonlyMap<string, number>,
): void {
  for (const [index, item] of items.entries()) {
    const next = items[index + 1];
    if (!isMap(item) || item.comment == null || item.flow || !isNode(next) || !item.range) continue;
    const indent = item.range[0] - (text.lastIndexOf('\n', item.range[0] - 1) + 1);
    const lines = item.comment.split('\n');
    const from = lines.findIndex((line) => (columns.get(`#${line}`.trimEnd()) ?? indent) < indent);
    if (from < 0) continue;
    const moved = lines.splice(from).join('\n');
    if (lines.at(-1) === '') next.spaceBefore = true;
    item.comment = lines.length === 0 ? null : lines.join('\n').replace(/\n+$/, '');
    next.commentBefore = next.commentBefore == null ? moved : `${moved}\n${next.commentBefore}`;
  }
}

function order(map: YAMLMap, keys: readonly string[] | undefined, parent: unknown): void {
  const before = map.items[0]?.key;
  map.items = [...inOrder(map.items, ({ key }) => (isScalar(key) ? String(key.value) : ''), keys)];
  const first = map.items[0]?.key;
  const isInside = isPair(parent) || isSeq(parent);
  if (isPair(parent)) map.spaceBefore = false;
  if (!isScalar(first) || !isScalar(before)) return;
  // A blank line parts a key from the one above it; the first one of a file has its head above it.
  const hasHead = !isInside && before.spaceBefore === true;
  before.spaceBefore = false;
  first.spaceBefore = hasHead;
  // No comment is between a dash and its key.
  if (!isSeq(parent) || map.flow || first.commentBefore == null) return;
  map.commentBefore = [map.commentBefore, first.commentBefore].filter((each) => each != null).join('\n');
  first.commentBefore = null;
}

/** Puts a blank line between items, unless each is a single line. */
function space(items: readonly unknown[], isSpaced: boolean): void {
  const isShort = items.every((item) => !isCollection(item) || item.flow === true);
  for (const [index, item] of items.entries()) {
    if (isSpaced && !isShort && index > 0 && isNode(item)) item.spaceBefore = true;
    if (index === 0 && isNode(item)) item.spaceBefore = false;
  }
}

/** The paths of brackets that have to become a block. */
function widePaths(text: string): readonly YamlPath[] {
  return wideBrackets(text)
    .filter((bracket) => !isWords(bracket, text))
    .map(({ path }) => path);
}

/** The brackets that are too wide for their line or have a comment in them, without those inside of others. */
function wideBrackets(text: string): readonly Bracket[] {
  const found: Bracket[] = [];
  if (!text.split('\n').some(mayBeWide)) return found;
  walk(parseDocument(text), (node, _, path) => {
    if (!isCollection(node) || node.flow !== true || node.items.length === 0) return undefined;
    const [start, end] = node.range ?? [0, 0];
    const isWide = end - columnStart(text, start) > MAX_WIDTH && !isIndivisible(node);
    if (isWide || text.slice(start, end).includes('\n')) found.push({ node, path, start, end });
    return false;
  });
  return found;
}

interface Bracket {
  readonly node: YAMLMap | YAMLSeq;
  readonly path: YamlPath;
  readonly start: number;
  readonly end: number;
}

/** `{command: …}`, which as a block is as wide. */
function isIndivisible({ items: [first, ...rest] }: YAMLMap | YAMLSeq): boolean {
  return rest.length === 0 && isScalar(isPair(first) ? first.value : first);
}

/** A list of short texts and numbers, without a comment inside. */
function isWords({ node: { items }, start, end }: Bracket, text: string): boolean {
  return (
    !text.slice(start, end).includes('\n') &&
    items.every(
      (item) =>
        isScalar(item) && item.anchor === undefined && item.tag === undefined && sizeOf(item) <= MAX_WORD,
    )
  );
}

function sizeOf({ range }: Scalar): number {
  const [start, end] = range ?? [0, 0];
  return end - start;
}

/** Writes each list of words that is too wide in as many lines as it takes. */
function withFilledLines(text: string): string {
  let filled = '';
  let at = 0;
  for (const { node, start, end } of wideBrackets(text).filter((bracket) => isWords(bracket, text))) {
    const lineStart = columnStart(text, start);
    const [before = '', indent = '', dashes = ''] =
      /^( *)((?:- +)*)/.exec(text.slice(lineStart, start)) ?? [];
    const isAlone = before.length === start - lineStart;
    const inner = ' '.repeat(indent.length + dashes.length + (isAlone ? 0 : 2));
    const words = node.items.map((item) => text.slice(...((item as Scalar).range ?? [0, 0])));
    filled += `${isAlone ? text.slice(at, start) : `${text.slice(at, start).trimEnd()}\n${inner}`}[\n`;
    filled += `${lines(words, `${inner}  `)}\n${inner}]`;
    at = end;
  }
  return filled + text.slice(at);
}

function lines(words: readonly string[], indent: string): string {
  const filled: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? `${indent}${word},` : `${line} ${word},`;
    if (line === '' || longer.length <= MAX_WIDTH) line = longer;
    else {
      filled.push(line);
      line = `${indent}${word},`;
    }
  }
  return [...filled, line].join('\n');
}

function columnStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** True for a line that is too wide, or that leaves a bracket open, as only a comment in it does. */
function mayBeWide(line: string): boolean {
  return line.length > MAX_WIDTH || /[[{]\s*(?:#.*)?$/.test(line);
}

function asBlock(node: unknown): void {
  if (!isCollection(node)) return;
  node.flow = false;
  // A comment behind the closing bracket goes behind the key.
  if (node.comment != null && node.commentBefore == null) {
    node.commentBefore = node.comment;
    node.comment = null;
  }
}

/** A guard: the new text must mean the same as the old one, in another order of keys at most. */
function changeOfMeaning(
  before: string,
  after: string,
  value: Json,
  file: string,
  layout: Layout,
): string | undefined {
  const read = parseYaml(after, file);
  const same =
    read.document !== undefined &&
    read.diagnostics.length === 0 &&
    JSON.stringify(sorted(read.document.value, layout, [])) === JSON.stringify(sorted(value, layout, []));
  if (!same) return CHANGED;
  const texts = (text: string) =>
    JSON.stringify(
      commentsIn(text)
        .map((comment) => comment.text)
        .sort(),
    );
  return texts(before) === texts(after) ? undefined : 'its comments cannot be kept in place';
}

function sorted(value: Json, layout: Layout, path: YamlPath): Json {
  if (Array.isArray(value)) return value.map((item: Json, index) => sorted(item, layout, [...path, index]));
  if (!isJsonObject(value)) return value;
  const entries = inOrder(Object.entries(value), ([key]) => key, layout.keysAt(path));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item, layout, [...path, key])]));
}
