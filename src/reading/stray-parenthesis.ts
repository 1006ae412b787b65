import type { Command } from 'unbash';
import { type Source, spanIn } from './source.ts';
import type { Walker } from './walker.ts';

const OPENING = /(?:[ \t]|\\\n)*\(/y;

/** `ls ( x`: no shell takes it, but the parser passes over the parenthesis. */
export function noteStrayParenthesis({ name }: Command, source: Source, walker: Walker): void {
  if (name === undefined || !source.text.startsWith(name.text, name.pos)) return;
  OPENING.lastIndex = name.end;
  if (!OPENING.test(source.text)) return;
  const span = spanIn(source, name.end, source.text.length);
  walker.gap('syntax', span, 'Cannot parse the command to its end: unexpected token "("');
}
