import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isHidden, isOursAt, isPassedOver } from '../../language/policy/files/hidden-files.ts';
import { whyUnreadable } from '../../language/policy/files/why-unreadable.ts';
import { UsageError } from './io.ts';

const MAX_ENTRIES = 100_000;

/**
 * The files below a folder that may be policies or tests of it, each folder by name.
 *
 * @param verb the action that fails for a folder that cannot be listed, or no longer: `test`
 * @throws UsageError if one cannot be listed, or there are too many
 */
export function listFiles(folder: string, verb: string): readonly string[] {
  const files: string[] = [];
  let entries = 0;
  const visit = (at: string, isBelowHidden: boolean): void => {
    for (const entry of entriesOf(at, verb)) {
      if (++entries > MAX_ENTRIES)
        throw new UsageError(`Cannot ${verb} "${folder}": it has too many entries`);
      const path = join(at, entry.name);
      if (isPassedOver(entry.name)) continue;
      const hidden = isBelowHidden || isHidden(entry.name);
      if (entry.isDirectory()) visit(path, hidden);
      else if (entry.isFile() && (!hidden || (/\.ya?ml$/.test(path) && isOursAt(path)))) files.push(path);
    }
  };
  visit(folder, false);
  return files;
}

function entriesOf(folder: string, verb: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new UsageError(`Cannot ${verb} "${folder}": ${whyUnreadable(error)}`);
  }
}
