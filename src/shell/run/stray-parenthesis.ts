import type { Command } from 'unbash';
import { type Source, spanIn } from '../parse/source.ts';
import type { Walker } from '../scope/walker.ts';

/** `ls ( x`: no shell takes it, but the parser passes over the parenthesis. */
export function noteStrayParenthesis({ name }: Command, source: Source, walker: Walker): void {
  if (name === undefined || !source.text.startsWith(name.text, name.pos)) return;
  if (source.text[afterBlanks(source.text, name.end)] !== '(') return;
  const span = spanIn(source, name.end, source.text.length);
  walker.gap('syntax', span, 'Cannot parse the command to its end: unexpected token "("');
}

/** `> <(date)] program`: to the parser, what stands behind the target is a word of its own. */
export function noteAttachedTargets(node: Command, source: Source, walker: Walker): void {
  if (node.redirects.length === 0) return;
  const ends = new Set(node.redirects.map(({ end }) => end));
  for (const item of [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix]) {
    if (!ends.has(item.pos) || (item.type !== 'Word' && item.type !== 'Assignment')) continue;
    const span = spanIn(source, item.pos, item.end);
    walker.gap('syntax', span, `Cannot read the target of a redirection: "${item.text}" is attached to it`);
  }
}

/** A program's name with a brace that nothing closes: the parser ended an expansion too early. */
export function noteCutName({ name }: Command, source: Source, walker: Walker): void {
  if (name === undefined || !/^\{[^}\s]+$/.test(name.text)) return;
  walker.gap('syntax', spanIn(source, name.pos, name.end), `Cannot read the name "${name.text}"`);
}

/** `x=<(date) program`: to the parser, what stands behind the equals sign is a word of its own, and the program. */
export function noteAttachedSubstitutions(node: Command, source: Source, walker: Walker): void {
  if (node.prefix.length === 0) return;
  const items = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  items.forEach((item, index) => {
    const before = items[index - 1];
    if (before?.type !== 'Assignment' || before.end !== item.pos) return;
    const span = spanIn(source, before.pos, item.end);
    walker.gap('syntax', span, `Cannot read the value of "${before.name}": it is a process substitution`);
  });
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
