import type { PlainProgram } from './plain-program.ts';

type Code = (words: readonly string[]) => PlainProgram | undefined;

/**
 * Says the most that a program may do whose words are code: `sed -n 1,20p file`, `awk '{print $2}'`, `find . -name x`.
 * Undefined where they may write elsewhere, or run or fetch something. Null for other programs.
 */
export function plainCode(name: string, words: readonly string[]): PlainProgram | undefined | null {
  return Object.hasOwn(CODES, name) ? CODES[name]?.(words) : null;
}

const sed: Code = (words) => {
  const at = words.findIndex((word) => !SED_FLAGS.includes(word));
  const code = words[at] ?? '';
  const isPlain = isLineRange(code) || isSubstitution(code);
  if (!isPlain || words.some((word, index) => index > at && word.startsWith('-'))) return undefined;
  return { use: words.slice(0, at).includes('-i') ? 'write' : 'read' };
};

const SED_FLAGS: readonly string[] = ['-n', '-i', '-E', '-r', '-s', '-u'];

/** Code of sed that prints or deletes lines by their numbers. */
function isLineRange(code: string): boolean {
  return 'pd'.includes(code.at(-1) ?? ' ') && consistsOf(code.slice(0, -1), '0123456789,$');
}

/** `s/a/b/g`. A delimiter that is escaped is taken for one that is not. */
function isSubstitution(code: string): boolean {
  const [start, , , flags, ...others] = code.split(code[1] ?? '');
  const isPunctuated = consistsOf(code[1] ?? ' ', '/|,#:%@+=!');
  return (
    start === 's' &&
    flags !== undefined &&
    others.length === 0 &&
    isPunctuated &&
    consistsOf(flags, 'gIp0123456789')
  );
}

/** Code without calls, pipes, redirections, lists of arguments and loaded files, behind no flag but that of the separator. */
const awk: Code = (words) => {
  const at = words[0] === '-F' ? 2 : words[0]?.startsWith('-F') ? 1 : 0;
  const [code = '-', ...others] = words.slice(at);
  const isPlain = !code.startsWith('-') && ![...'(|<>[@'].some((char) => code.includes(char));
  return isPlain && others.every((word) => !word.startsWith('-')) ? { use: 'read' } : undefined;
};

const FIND: PlainProgram = {
  use: 'list',
  fallback: '.',
  refused: ['-exec', '-ok', '-delete', '-rm', '-fls', '-fprint', '-files0-from'],
};
const find: Code = () => FIND;

const CODES: Readonly<Record<string, Code>> = {
  sed,
  gsed: sed,
  awk,
  gawk: awk,
  find,
  gfind: find,
  bfs: find,
};

function consistsOf(text: string, characters: string): boolean {
  return [...text].every((char) => characters.includes(char));
}
