import { displayWidth } from '../report/layout/display-width.ts';
import { wrapText } from '../report/layout/wrap-text.ts';
import type { Io, Output } from './io.ts';

/** Commands whose output people copy, that lay out their lines themselves, or that are for programs. */
const AS_IT_IS = [
  'docs',
  'import',
  'fmt',
  'install',
  'uninstall',
  'allow',
  'completion',
  'mcp-proxy',
  'lsp',
  'export',
];
const INDENT = 4;
/** Less room than this is not enough for a text. */
const MIN_ROOM = 20;

/** The same, but lines for a terminal are broken at spaces where they do not fit, and go on below themselves. */
export function wrappingIo(io: Io, name: string | undefined): Io {
  const isCode = name !== undefined && AS_IT_IS.includes(name);
  return { ...io, stdout: isCode ? io.stdout : fitting(io.stdout), stderr: fitting(io.stderr), cwd: io.cwd };
}

function fitting(output: Output): Output {
  return changedOutput(output, (text) => {
    const { columns } = output;
    // A text that moves the cursor is laid out already.
    if (!output.isTTY || columns === undefined || text.includes('\r')) return text;
    return text
      .split('\n')
      .map((line) => (displayWidth(line) <= columns ? line : broken(line, columns)))
      .join('\n');
  });
}

function broken(line: string, columns: number): string {
  const own = /^ */.exec(line)?.[0].length ?? 0;
  const indent = Math.max(0, Math.min(own + INDENT, columns - MIN_ROOM));
  return wrapText(line, columns, ' '.repeat(indent)).join('\n');
}

/** Characters of ours that not every terminal has, with their replacements. */
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
/** How much longer a line may become: a cut line ends with three dots instead of one character. */
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

/**
 * The same output, but for the texts that go there.
 *
 * @param lessColumns how many columns narrower it is for who writes there
 */
function changedOutput(output: Output, change: (text: string) => string, lessColumns = 0): Output {
  return {
    get isTTY() {
      return output.isTTY;
    },
    get columns() {
      return output.columns === undefined ? undefined : output.columns - lessColumns;
    },
    get hasFailed() {
      return output.hasFailed;
    },
    get isClosed() {
      return output.isClosed;
    },
    write: (text) => output.write(change(text)),
  };
}
