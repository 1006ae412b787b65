import { isSourceName } from '../sources/source-name.ts';
import { packIn } from './pack-names.ts';

/** True for the name of a file of a pack or a source: it is looked after where it is from, not where it is used. */
export function isSharedFile(file: string): boolean {
  return packIn(file) !== undefined || isSourceName(file);
}
