import { changedOutput } from './changed-output.ts';
import type { Io, Output } from './io.ts';

/** Characters of ours that not every terminal has, and what stands for them. */
const PLAIN: Readonly<Record<string, string>> = {
  '✓': '+',
  '✗': 'x',
  '…': '...',
  '·': '-',
  '‹': '<',
  '›': '>',
  '→': '>',
  '–': '-',
  '━': '#',
  '⏎': '/',
  µ: 'u',
};
const OURS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
/** How much longer a line may become: what is cut ends with three dots in the place of one character. */
const LONGER_BY = 2;

/** False where a terminal is set to other characters than those of Unicode; where nothing is said, it has them. */
export function hasUnicode(env: Io['env']): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((each) => (each ?? '') !== '');
  return env['TERM'] !== 'linux' && (locale === undefined || /utf-?8/i.test(locale));
}

/** The same, but terminals are written to in ASCII, as far as the text is ours. */
export function plainIo(io: Io): Io {
  return { ...io, stdout: plain(io.stdout), stderr: plain(io.stderr), cwd: io.cwd };
}

function plain(output: Output): Output {
  const change = (text: string) =>
    output.isTTY ? text.replace(OURS, (character) => PLAIN[character] ?? '?') : text;
  return changedOutput(output, change, LONGER_BY);
}
