import type { YamlPath } from '../yaml.ts';
import { inlineText, keyName, pathOf } from './inline-text.ts';
import { inOrder, type Layout } from './layout.ts';
import { multilineText } from './multiline-text.ts';
import { type CollectionNode, type SyntaxEntry, type SyntaxNode, UnusualSyntax } from './syntax-node.ts';
import { type Trivia, type TriviaReader, triviaLines, withComment } from './trivia.ts';

/** Lists and mappings in brackets are written in one line up to this width, and as blocks beyond it. */
const MAX_WIDTH = 120;
const STEP = '  ';

export interface RenderContext {
  readonly text: string;
  readonly trivia: TriviaReader;
  readonly layout: Layout;
}

/** An entry as lines, with what stands above it. */
interface Chunk {
  readonly key: string;
  readonly above: readonly Trivia[];
  readonly lines: readonly string[];
}

/** The entries of a block, and the comments behind the last of them that belong to it. */
interface Block {
  readonly chunks: readonly Chunk[];
  readonly below: readonly Trivia[];
  /** Where the text that it covers ends. */
  readonly end: number;
}

/**
 * The lines of a document whose root is a block.
 *
 * @param from where the text above the root's own begins
 * @throws {UnusualSyntax} if it cannot be written anew
 */
export function renderRoot(root: CollectionNode, from: number, context: RenderContext): readonly string[] {
  const { trivia, text } = context;
  const start = root.entries[0]?.start ?? root.start;
  // What stands above the first key is about the file, whichever key comes first.
  const head = trivia.between(from, start);
  const block = renderBlock(root, '', [], start, text.length, context);
  const rest = trivia.between(block.end, text.length);
  return [...triviaLines(head, ''), ...blockLines(block, ''), ...triviaLines(rest, '')];
}

/**
 * @param from where the text of the block begins
 * @param limit where the next thing outside begins
 */
function renderBlock(
  node: CollectionNode,
  indent: string,
  path: YamlPath,
  from: number,
  limit: number,
  context: RenderContext,
): Block {
  const { trivia, layout } = context;
  const chunks: Chunk[] = [];
  let end = from;
  for (const [index, entry] of node.entries.entries()) {
    const above = trivia.between(end, entry.start);
    const next = node.entries[index + 1]?.start ?? limit;
    const rendered = renderEntry(entry, indent, pathOf(entry, node.entries, path), next, context);
    chunks.push({
      key: keyName(entry),
      above: [...above, ...rendered.hoisted],
      lines: rendered.lines,
    });
    end = rendered.end;
  }
  const ordered = inOrder(
    chunks,
    ({ key }) => key,
    node.type === 'mapping' ? layout.keysAt(path) : undefined,
  );
  const column = trivia.columnOf(node.entries[0]?.start ?? node.start);
  const below = commentsBelow(trivia.between(end, limit), column);
  const isSpaced = node.type === 'list' && layout.isSpaced(path);
  return { chunks: isSpaced ? spacedOut(ordered) : ordered, below, end: endOf(below, end) };
}

/** Comments at least as far in as the block belong to it. */
function commentsBelow(trivia: readonly Trivia[], column: number): readonly Trivia[] {
  const outside = trivia.findIndex((item) => item.type === 'comment' && item.column < column);
  const inside = outside === -1 ? trivia : trivia.slice(0, outside);
  const last = inside.findLastIndex(({ type }) => type === 'comment');
  return column === 0 ? [] : inside.slice(0, last + 1);
}

function endOf(below: readonly Trivia[], otherwise: number): number {
  const last = below.at(-1);
  return last?.type === 'comment' ? last.end : otherwise;
}

/** One blank line before every item but the first, unless all of them are single lines. */
function spacedOut(chunks: readonly Chunk[]): readonly Chunk[] {
  if (chunks.every(({ lines }) => lines.length === 1)) return chunks;
  return chunks.map((chunk, index) =>
    index === 0 || chunk.above[0]?.type === 'blank'
      ? chunk
      : { ...chunk, above: [{ type: 'blank' }, ...chunk.above] },
  );
}

function blockLines({ chunks, below }: Block, indent: string): readonly string[] {
  return [
    ...chunks.flatMap(({ above, lines }, index) => [
      ...triviaLines(index === 0 ? withoutBlanks(above) : above, indent),
      ...lines,
    ]),
    ...triviaLines(below, indent),
  ];
}

function withoutBlanks(trivia: readonly Trivia[]): readonly Trivia[] {
  const first = trivia.findIndex(({ type }) => type === 'comment');
  return first === -1 ? [] : trivia.slice(first);
}

/** An entry, and comments that have no other place than above it. */
interface Rendered {
  readonly lines: readonly string[];
  readonly hoisted: readonly Trivia[];
  /** Where the text that it covers ends. */
  readonly end: number;
}

function renderEntry(
  entry: SyntaxEntry,
  indent: string,
  path: YamlPath,
  limit: number,
  context: RenderContext,
): Rendered {
  const { value } = entry;
  const head = `${indent}${headOf(entry, context)}`;
  if (value.type === 'list' || value.type === 'mapping') {
    if (value.style === 'block') return renderNested(entry, value, head, indent, path, limit, context);
    const unfolded = unfoldedFlow(value, head, indent, path, context);
    if (unfolded !== undefined) return unfolded;
  }
  const [first = '', ...rest] = valueLines(value, indent, path, entry, context);
  const isBlockText = value.type === 'scalar' && value.style === 'block';
  const lineEnd = isBlockText ? context.text.indexOf('\n', value.start) : -1;
  const comment = isBlockText
    ? context.trivia.firstIn(value.start, lineEnd)
    : context.trivia.behind(value.end);
  const properties =
    value.properties === '' || first.startsWith(value.properties) ? '' : ` ${value.properties}`;
  const line = first === '' ? `${head}${properties}` : `${head}${properties} ${first}`;
  const end = isBlockText ? value.end : (comment?.end ?? value.end);
  if (isBlockText || rest.length === 0)
    return { lines: [withComment(line, comment, context.trivia), ...rest], hoisted: [], end };
  const last = withComment(rest.at(-1) ?? '', comment, context.trivia);
  return { lines: [line, ...rest.slice(0, -1), last], hoisted: [], end };
}

function headOf({ key }: SyntaxEntry, { text, layout }: RenderContext): string {
  if (key === undefined) return '-';
  const name = inlineText(key, text, [], layout);
  if (name === undefined) throw new UnusualSyntax('a key has several lines');
  return `${name}:`;
}

/** A value that is no block: its first line, and those below with their indentation. */
function valueLines(
  value: SyntaxNode,
  indent: string,
  path: YamlPath,
  entry: SyntaxEntry,
  { text, layout, trivia }: RenderContext,
): readonly string[] {
  const source = text.slice(value.start, value.end);
  const holdsComment = trivia.firstIn(value.start, value.end) !== undefined;
  const isBlockText = value.type === 'scalar' && value.style === 'block';
  if (isBlockText || !holdsComment) {
    const inline = inlineText(value, text, path, layout);
    if (inline !== undefined) return [inline];
    if (value.type === 'scalar') return multilineText(value, source, indent);
  }
  return shifted(source, indent.length - trivia.columnOf(entry.start));
}

/** Brackets with comments inside stay as they are, as far in as their key. */
function shifted(source: string, by: number): readonly string[] {
  const [first = '', ...rest] = source.split('\n');
  return [
    first,
    ...rest.map((line) => {
      if (line.trim() === '') return '';
      if (by >= 0) return (' '.repeat(by) + line).trimEnd();
      if (line.slice(0, -by).trim() !== '') throw new UnusualSyntax('a line stands too far to the left');
      return line.slice(-by).trimEnd();
    }),
  ];
}

/** A block below a key, or beside a dash. */
function renderNested(
  entry: SyntaxEntry,
  value: CollectionNode,
  head: string,
  indent: string,
  path: YamlPath,
  limit: number,
  context: RenderContext,
): Rendered {
  const { trivia, text } = context;
  const inner = indent + STEP;
  if (entry.key === undefined && value.properties === '') {
    const block = renderBlock(value, inner, path, entry.start + 1, limit, context);
    const [first, ...others] = block.chunks;
    const hoisted = (first?.above ?? []).filter(({ type }) => type === 'comment');
    const bare = first === undefined ? [] : [{ ...first, above: [] }, ...others];
    const [line = '', ...rest] = blockLines({ ...block, chunks: bare }, inner);
    return { lines: [`${head} ${line.slice(inner.length)}`, ...rest], hoisted, end: block.end };
  }
  const start = value.entries[0]?.start ?? value.start;
  const headEnd = endOfHead(entry, value, text);
  const comment = trivia.behind(headEnd);
  const line = value.properties === '' ? head : `${head} ${value.properties}`;
  const from = comment?.end ?? headEnd;
  if (from > start) throw new UnusualSyntax('a block begins beside its key');
  const block = renderBlock(value, inner, path, from, limit, context);
  return {
    lines: [withComment(line, comment, trivia), ...blockLines(block, inner)],
    hoisted: [],
    end: block.end,
  };
}

/** Behind the dash or colon, and behind the anchor and tag. */
function endOfHead({ start, key }: SyntaxEntry, value: CollectionNode, text: string): number {
  const colon = key === undefined ? start : text.indexOf(':', key.end);
  let end = colon + 1;
  for (const part of value.properties.split(' ')) {
    if (part !== '') end = text.indexOf(part, end) + part.length;
  }
  return end;
}

/** Brackets that are too wide for a line, as a block; undefined if they fit or have to stay as they are. */
function unfoldedFlow(
  value: CollectionNode,
  head: string,
  indent: string,
  path: YamlPath,
  context: RenderContext,
): Rendered | undefined {
  const { text, layout, trivia } = context;
  const inline = inlineText(value, text, path, layout);
  const holdsComment = trivia.firstIn(value.start, value.end) !== undefined;
  if (inline === undefined || holdsComment || value.entries.length === 0) return undefined;
  if (head.length + 1 + inline.length <= MAX_WIDTH) return undefined;
  const comment = trivia.behind(value.end);
  const end = comment?.end ?? value.end;
  const lines = unfolded(value, indent + STEP, path, context);
  if (head.endsWith(':') || value.properties !== '') {
    const line = value.properties === '' ? head : `${head} ${value.properties}`;
    return { lines: [comment === undefined ? line : `${line}  ${comment.text}`, ...lines], hoisted: [], end };
  }
  const [first = '', ...rest] = lines;
  const hoisted: readonly Trivia[] =
    comment === undefined ? [] : [{ type: 'comment', text: comment.text, column: 0, end: comment.end }];
  return { lines: [`${head} ${first.trimStart()}`, ...rest], hoisted, end };
}

function unfolded(
  node: CollectionNode,
  indent: string,
  path: YamlPath,
  context: RenderContext,
): readonly string[] {
  const { layout } = context;
  const order = node.type === 'mapping' ? layout.keysAt(path) : undefined;
  const chunks = inOrder(node.entries, keyName, order).map((entry): Chunk => {
    const lines = unfoldedEntry(entry, indent, pathOf(entry, node.entries, path), context);
    return { key: keyName(entry), above: [], lines };
  });
  const isSpaced = node.type === 'list' && layout.isSpaced(path);
  return blockLines({ chunks: isSpaced ? spacedOut(chunks) : chunks, below: [], end: node.end }, indent);
}

function unfoldedEntry(
  entry: SyntaxEntry,
  indent: string,
  path: YamlPath,
  context: RenderContext,
): readonly string[] {
  const { value } = entry;
  const head = `${indent}${headOf(entry, context)}`;
  const inline = inlineText(value, context.text, path, context.layout) ?? '';
  const isShort = head.length + 1 + inline.length <= MAX_WIDTH;
  if (isShort || (value.type !== 'list' && value.type !== 'mapping') || value.entries.length === 0)
    return [inline === '' ? head : `${head} ${inline}`];
  const lines = unfolded(value, indent + STEP, path, context);
  if (entry.key !== undefined || value.properties !== '')
    return [value.properties === '' ? head : `${head} ${value.properties}`, ...lines];
  const [first = '', ...rest] = lines;
  return [`${head} ${first.trimStart()}`, ...rest];
}
