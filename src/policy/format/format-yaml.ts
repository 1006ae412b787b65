import { isJsonObject, type Json } from '../../lib/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { parseYaml, type YamlPath } from '../yaml.ts';
import { type Comment, commentsIn } from './comments.ts';
import { inOrder, type Layout } from './layout.ts';
import { renderRoot } from './render.ts';
import { type SyntaxNode, UnusualSyntax } from './syntax-node.ts';
import { syntaxTree } from './syntax-tree.ts';
import { createTriviaReader } from './trivia.ts';

/** The canonical form of a file, or why there is none. */
export type FormatResult =
  | { readonly type: 'formatted'; readonly text: string }
  /** It is written in a way that is not taken apart. */
  | { readonly type: 'left'; readonly cause: string }
  | { readonly type: 'broken'; readonly diagnostics: readonly Diagnostic[] };

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
  try {
    if (source.includes('\r')) throw new UnusualSyntax('it has line breaks of an old kind');
    const formatted = rewritten(source, layout);
    checkSameMeaning(source, formatted, document.value, file, layout);
    return { type: 'formatted', text: formatted.replaceAll('\n', lineBreak) };
  } catch (error) {
    if (!(error instanceof UnusualSyntax)) throw error;
    return { type: 'left', cause: error.message };
  }
}

function rewritten(text: string, layout: Layout): string {
  const root = syntaxTree(text);
  if ((root.type !== 'mapping' && root.type !== 'list') || root.style === 'flow')
    throw new UnusualSyntax('it is written in brackets');
  if (root.properties !== '') throw new UnusualSyntax('the whole file has an anchor');
  const comments = commentsIn(text, root);
  const from = afterMarker(text, root.start);
  const context = {
    text,
    trivia: createTriviaReader(text, comments),
    // An alias must stay behind its anchor.
    layout: hasAnchors(root) ? { ...layout, keysAt: () => undefined } : layout,
  };
  const lines = [...renderRoot(root, from, context)];
  while (lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  return `${text.slice(0, from)}${lines.join('\n')}\n`;
}

/** Where the text behind `---` begins. */
function afterMarker(text: string, start: number): number {
  const marker = /^---[ \t]*(?:#.*)?\n/m.exec(text.slice(0, start));
  return marker === null ? 0 : marker.index + marker[0].length;
}

function hasAnchors(node: SyntaxNode): boolean {
  if (node.type === 'alias' || node.properties.startsWith('&')) return true;
  return node.type !== 'scalar' && node.entries.some(({ value }) => hasAnchors(value));
}

/** A guard: what is written must say what was there, in another order of keys at most. */
function checkSameMeaning(before: string, after: string, value: Json, file: string, layout: Layout): void {
  const read = parseYaml(after, file);
  const same =
    read.document !== undefined &&
    read.diagnostics.length === 0 &&
    (JSON.stringify(read.document.value) === JSON.stringify(value) ||
      JSON.stringify(sorted(read.document.value, layout, [])) === JSON.stringify(sorted(value, layout, [])));
  if (!same) throw new UnusualSyntax('its form cannot be changed without changing what it says');
  if (commentTexts(before) !== commentTexts(after))
    throw new UnusualSyntax('its comments cannot be kept in place');
}

function commentTexts(text: string): string {
  const texts = commentsIn(text, syntaxTree(text)).map((comment: Comment) => comment.text);
  return texts.sort().join('\n');
}

function sorted(value: Json, layout: Layout, path: YamlPath): Json {
  if (Array.isArray(value)) return value.map((item: Json, index) => sorted(item, layout, [...path, index]));
  if (!isJsonObject(value)) return value;
  const entries = inOrder(Object.entries(value), ([key]) => key, layout.keysAt(path));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item, layout, [...path, key])]));
}
