import { own } from '../../../lib/json.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText, textWord, type Word } from '../../../reader/reading/word.ts';

/** Scripts of a package that its manager runs by their name alone, with the short names for them. */
const SHORT: Readonly<Record<string, string>> = {
  t: 'test',
  tst: 'test',
  test: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
};
const MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn']);
const RUN = /^(?:run|run-script|rum|urn)$/;

/** The operands of a command, and others that mean the same: `npm t`, `npm test`, `npm run test`. */
export function sameOperands({
  name,
  operands,
}: Pick<ReadCommand, 'name' | 'operands'>): readonly (readonly Word[])[] {
  if (name === undefined || !MANAGERS.has(name)) return [operands];
  const [first = '', second = ''] = operands.slice(0, 2).map((word) => knownText(word) ?? '');
  const isRun = RUN.test(first);
  const script = isRun ? second : first;
  // `yarn tst` is a script of that name.
  const long =
    name === 'yarn' || isRun ? (script === SHORT[script] ? script : undefined) : own(SHORT, script);
  if (long === undefined || !Object.hasOwn(SHORT, script)) return [operands];
  const rest = operands.slice(isRun ? 2 : 1);
  return [operands, [textWord(long), ...rest], [textWord('run'), textWord(long), ...rest]];
}

/** All first operands that those of plain scripts may mean. */
export function sameWords(names: readonly string[], words: readonly string[]): readonly string[] {
  if (!names.some((name) => MANAGERS.has(name))) return words;
  const scripts = words.flatMap((word) => (Object.hasOwn(SHORT, word) ? [SHORT[word] ?? word] : []));
  return scripts.length === 0 ? words : [...words, ...scripts, 'run'];
}
