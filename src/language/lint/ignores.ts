import type { Diagnostic, Fix, Position } from '../../model/diagnostic.ts';
import { DIAGNOSTIC_KINDS } from '../../model/diagnostic-kinds.ts';
import { commentsIn } from '../policy/format/comments.ts';
import { createLineIndex } from '../policy/yaml/line-index.ts';
import { warning } from '../policy/yaml/problem.ts';

/** A comment that hides findings of one kind in one line. */
interface Ignore {
  readonly file: string;
  readonly code: string;
  readonly reason: string;
  /** The line whose findings it hides. */
  readonly line: number;
  readonly position: Position;
  /** Takes the comment out. */
  readonly removal: Fix;
}

const IGNORE = /^#\s*policy-ignore\b\s*([\w-]*)\s*(:?)\s*(.*)$/s;

/**
 * Leaves out the findings that a comment `# policy-ignore CODE: reason` in their line, or on lines of its own above it,
 * hides. Errors cannot be hidden. Comments that are not sound, or hide nothing, are findings themselves.
 *
 * @param isComplete true if everything was looked for, so that a comment that hides nothing is of no use
 */
export function withoutIgnored(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<string, string>,
  isComplete: boolean,
): readonly Diagnostic[] {
  const ignores = [...texts].flatMap(([file, text]) =>
    text.includes('policy-ignore') ? ignoresIn(text, file) : [],
  );
  if (ignores.length === 0) return diagnostics;
  const used = new Set<Ignore>();
  const kept = diagnostics.filter((diagnostic) => {
    const hiding = ignores.filter((ignore) => hides(ignore, diagnostic));
    for (const ignore of hiding) used.add(ignore);
    return hiding.length === 0;
  });
  return [...kept, ...ignores.flatMap((ignore) => problemOf(ignore, used.has(ignore), isComplete))];
}

function hides(
  { file, code, reason, line }: Ignore,
  { severity, position, code: found }: Diagnostic,
): boolean {
  return (
    severity !== 'error' &&
    reason !== '' &&
    code === found &&
    position.file === file &&
    position.line === line
  );
}

function problemOf(ignore: Ignore, isUsed: boolean, isComplete: boolean): readonly Diagnostic[] {
  const { code, reason, position } = ignore;
  if (!Object.hasOwn(DIAGNOSTIC_KINDS, code)) {
    const message =
      code === '' ? 'Cannot ignore everything' : `Cannot ignore "${code}": there is no such code`;
    return [warning('policy-ignore', position, message, 'write # policy-ignore CODE: reason')];
  }
  if (reason === '') {
    const message = `Cannot ignore "${code}" without a reason`;
    return [warning('policy-ignore', position, message, `write # policy-ignore ${code}: reason`)];
  }
  if (isUsed || !isComplete) return [];
  const message = `Cannot ignore "${code}" here: there is nothing to ignore`;
  const hint = 'remove the comment, or move it to the line of the finding';
  return [{ ...warning('policy-ignore', position, message, hint), fix: ignore.removal }];
}

function ignoresIn(text: string, file: string): readonly Ignore[] {
  const lines = text.split('\n');
  const index = createLineIndex(text);
  return commentsIn(text).flatMap(({ start, end, text: comment }): readonly Ignore[] => {
    const [, code, colon, reason] = IGNORE.exec(comment) ?? [];
    if (code === undefined) return [];
    const at = index.at(start);
    const isAlone = (lines[at.line - 1] ?? '').slice(0, at.column - 1).trim() === '';
    const lineStart = start - (at.column - 1);
    const before = isAlone
      ? lineStart
      : lineStart + (lines[at.line - 1] ?? '').slice(0, at.column - 1).trimEnd().length;
    return [
      {
        file,
        code,
        reason: colon === ':' ? (reason ?? '').trim() : '',
        line: isAlone ? lineBelow(lines, at.line) : at.line,
        position: { file, ...at, length: end - start },
        removal: {
          edits: [{ start: before, end: isAlone ? Math.min(end + 1, text.length) : end, text: '' }],
        },
      },
    ];
  });
}

/** The first line below that is no comment. */
function lineBelow(lines: readonly string[], line: number): number {
  let below = line;
  while ((lines[below] ?? '').trim().startsWith('#')) below += 1;
  return below + 1;
}
