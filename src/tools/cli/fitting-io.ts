import { displayWidth } from '../report/display-width.ts';
import { wrapText } from '../report/wrap-text.ts';
import { changedOutput } from './changed-output.ts';
import type { Io, Output } from './io.ts';

/** Commands that print what people copy, lay out their lines themselves, or are for programs. */
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
export function fittingIo(io: Io, name: string | undefined): Io {
  const isCode = name !== undefined && AS_IT_IS.includes(name);
  return { ...io, stdout: isCode ? io.stdout : fitting(io.stdout), stderr: fitting(io.stderr), cwd: io.cwd };
}

function fitting(output: Output): Output {
  return changedOutput(output, (text) => {
    const { columns } = output;
    // What moves the cursor is laid out already.
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
