import { type Dirent, readdirSync } from 'node:fs';
import { causeOf } from '../../language/policy/files/cause-of.ts';
import { UsageError } from './io.ts';

/**
 * What is in a folder, by name.
 *
 * @param verb what cannot be done with a folder that cannot be listed, or no longer: `test`
 * @throws UsageError if it cannot be listed
 */
export function folderEntries(folder: string, verb: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new UsageError(`Cannot ${verb} "${folder}": ${causeOf(error)}`);
  }
}
