import { createTwoFilesPatch } from 'diff';
import type { Paint } from './paint.ts';

const NONE = '/dev/null';

/** A file before and after a change; undefined is no file. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The change as a unified diff. Ends with a line break. */
export function fileDiff({ path, before, after }: FileChange, paint: Paint): string {
  const [from, to] = [before === undefined ? NONE : path, after === undefined ? NONE : path];
  const patch = createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, {
    context: 3,
  });
  const lines = patch.slice(patch.indexOf('---')).replaceAll('\r', '').split('\n');
  return lines.map((line) => painted(line, paint)).join('\n');
}

function painted(line: string, paint: Paint): string {
  if (/^(---|\+\+\+) /.test(line)) return paint.bold(line.trimEnd());
  if (line.startsWith('+')) return paint.green(line);
  if (line.startsWith('-')) return paint.red(line);
  return line.startsWith('@@') ? paint.dim(line) : line;
}
