import { packIn } from '../../../language/policy/files/pack-names.ts';
import { isSourceName } from '../../../language/policy/sources/source-name.ts';

/** True for the name of a file of a pack or a source: it is looked after where it is from, not where it is used. */
export function isSharedFile(file: string): boolean {
  return packIn(file) !== undefined || isSourceName(file);
}
