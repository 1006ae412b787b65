import type { Command } from 'unbash';
import { type Source, spanIn } from '../parse/source.ts';
import type { Walker } from '../scope/walker.ts';

/** Says where the parser takes a simple command for another one than shells do. */
export function noteMisread(
  { prefix, name, suffix, redirects }: Command,
  source: Source,
  walker: Walker,
): void {
  const note = (start: number, end: number, message: string) =>
    walker.gap('syntax', spanIn(source, start, end), message);
  if (name !== undefined) {
    // `ls ( x`: no shell takes it, but the parser passes over the parenthesis.
    const isWritten = source.text.startsWith(name.text, name.pos);
    if (isWritten && source.text[afterBlanks(source.text, name.end)] === '(')
      note(name.end, source.text.length, 'Cannot parse the command to its end: unexpected token "("');
    // A brace that nothing closes: the parser ended an expansion too early.
    if (/^\{[^}\s]+$/.test(name.text)) note(name.pos, name.end, `Cannot read the name "${name.text}"`);
  }
  if (redirects.length === 0 && prefix.length === 0) return;
  // `> <(date)] program`, `x=<(date) program`: to the parser, what stands behind the target is a word of its own.
  const ends = new Set([...redirects, ...prefix].map(({ end }) => end));
  for (const { type, pos, end } of [...prefix, ...(name === undefined ? [] : [name]), ...suffix])
    if (ends.has(pos) && (type === 'Word' || type === 'Assignment'))
      note(pos, end, 'Cannot read what is attached to a redirection or an assignment');
}

/** Where the blanks and continued lines end that start at a place. */
function afterBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (text[at] === ' ' || text[at] === '\t') at++;
    else if (text[at] === '\\' && text[at + 1] === '\n') at += 2;
    else return at;
  }
}
