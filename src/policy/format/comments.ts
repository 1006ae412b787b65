import type { SyntaxNode } from './syntax-node.ts';

/** A comment with its span, without the line break. */
export interface Comment {
  readonly start: number;
  readonly end: number;
  /** From the `#` on, without spaces at the end. */
  readonly text: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Every comment of a text, in order. A `#` inside a value is none. */
export function commentsIn(text: string, tree: SyntaxNode): readonly Comment[] {
  const comments: Comment[] = [];
  let at = 0;
  for (const span of [...scalarSpans(text, tree), { start: text.length, end: text.length }]) {
    while (at < span.start) {
      const start = text.indexOf('#', at);
      if (start === -1 || start >= span.start) break;
      const isComment = start === 0 || /\s/.test(text[start - 1] ?? '');
      const lineEnd = text.indexOf('\n', start);
      const end = lineEnd === -1 ? text.length : lineEnd;
      if (isComment) comments.push({ start, end, text: text.slice(start, end).trimEnd() });
      at = isComment ? end : start + 1;
    }
    at = Math.max(at, span.end);
  }
  return comments;
}

/** Where values stand, in order. The first line of a block text may end with a comment. */
function scalarSpans(text: string, node: SyntaxNode): readonly Span[] {
  if (node.type === 'list' || node.type === 'mapping') {
    return node.entries.flatMap(({ key, value }) => [
      ...(key === undefined ? [] : scalarSpans(text, key)),
      ...scalarSpans(text, value),
    ]);
  }
  if (node.type === 'alias' || node.style === 'absent') return [];
  if (node.style !== 'block') return [{ start: node.start, end: node.end }];
  const lineEnd = text.indexOf('\n', node.start);
  return lineEnd === -1 || lineEnd >= node.end ? [] : [{ start: lineEnd, end: node.end }];
}
