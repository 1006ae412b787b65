import { resolve } from 'node:path';
import type { Diagnostic, Fix } from '../../model/diagnostic.ts';
import { isSharedFile } from '../../policy/shared-file.ts';
import { readPolicyFile } from '../../policy/source.ts';
import { replaceText } from '../write-text.ts';

/** What was fixed. */
export interface Fixed {
  readonly findings: number;
  readonly files: readonly string[];
}

/** Makes the safe changes that findings offer. Where two meet, the second is left for another time. */
export function fixFiles(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<string, string>,
  cwd: string,
): Fixed {
  const fixes = new Map<string, Fix[]>();
  for (const { fix, position } of diagnostics) {
    if (fix === undefined || isSharedFile(position.file)) continue;
    fixes.set(position.file, [...(fixes.get(position.file) ?? []), fix]);
  }
  const files: string[] = [];
  let findings = 0;
  for (const [file, wanted] of fixes) {
    const path = resolve(cwd, file);
    const read = readPolicyFile(path, undefined);
    // Somebody has changed it since it was checked.
    if (!read.ok || read.text !== texts.get(file)) continue;
    const { text, count } = withFixes(read.text, wanted);
    replaceText(path, text);
    files.push(file);
    findings += count;
  }
  return { findings, files };
}

/** The text with the edits of as many fixes as do not get into each other's way. */
export function withFixes(
  text: string,
  fixes: readonly Fix[],
): { readonly text: string; readonly count: number } {
  const taken: Edit[] = [];
  let count = 0;
  for (const { edits } of fixes) {
    // What another fix does already is done.
    const isDone = edits.every((edit) => taken.some((other) => isSame(edit, other)));
    const isFree = edits.every((edit) =>
      taken.every(({ start, end }) => edit.end <= start || edit.start >= end),
    );
    if (!isDone && !isFree) continue;
    if (!isDone) taken.push(...edits);
    count += 1;
  }
  let result = text;
  for (const edit of taken.sort((a, b) => b.start - a.start)) {
    result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
  }
  return { text: result, count };
}

type Edit = Fix['edits'][number];

function isSame(a: Edit, b: Edit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}
