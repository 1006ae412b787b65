import { resolve } from 'node:path';
import { isSharedFile } from '../../../language/policy/shared-file.ts';
import { readPolicyFile } from '../../../language/policy/source.ts';
import { withFixes } from '../../../language/policy/with-fixes.ts';
import type { Diagnostic, Fix } from '../../../model/diagnostic.ts';
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
