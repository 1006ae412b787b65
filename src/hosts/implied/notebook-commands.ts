import { runnerText } from '../../lib/command-argument.ts';
import { own, ownString } from '../../lib/json.ts';
import { stringsIn } from '../../lib/json-path.ts';
import { type ImpliedBy, shellCall } from './implied-call.ts';

/** Cells that a shell runs as a whole. */
const SHELL_CELLS = /^\s*%%(?:bash|sh|zsh|system|sx|!|script\s+(?:\S*\/)?(?:bash|sh|zsh)\b)[^\n]*(?:\n|$)/;
/** Cells that another interpreter runs: `%%perl`, `%%ruby`, `%%javascript` is the browser's. */
const OTHER_CELLS: Readonly<Record<string, string>> = {
  perl: 'perl -e',
  ruby: 'ruby -e',
  pypy: 'python3 -c',
};
/** Lines that a shell runs: `!ls`, `files = !ls`, `%system ls`, `%sx ls`. */
const SHELL_LINE = /^\s*(?!\s)(?:[\w., \t[]*(?:\]\s*)?=\s*)?(?:!{1,2}|%(?:system|sx|sc)\s)(.*)$/;

/** For tools that put source into a cell of a notebook: the command that a shell runs for the cell. */
export function notebookCell(...names: readonly string[]): ImpliedBy {
  return (args) => {
    if (ownString(args, 'cell_type') === 'markdown') return undefined;
    return shellCall(
      names
        .flatMap((name) => stringsIn(own(args, name) ?? null))
        .map(cellCommands)
        .join('\n'),
    );
  };
}

/** The commands in the source of a cell; the rest of it is code that runs nowhere before somebody says so. */
export function cellCommands(source: string): string {
  const whole = SHELL_CELLS.exec(source);
  if (whole !== null) return source.slice(whole[0].length);
  const [, name = '', code = ''] = /^\s*%%(\w+)\b[^\n]*\n([\s\S]*)$/.exec(source) ?? [];
  const runner = Object.hasOwn(OTHER_CELLS, name) ? OTHER_CELLS[name] : undefined;
  if (runner !== undefined) return runnerText(runner, code);
  // A line that ends in a backslash goes on.
  return source
    .replace(/\\\r?\n/g, ' ')
    .split(/\r\n?|\n/)
    .flatMap((line) => SHELL_LINE.exec(line)?.slice(1, 2) ?? [])
    .join('\n');
}
