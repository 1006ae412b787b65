import { isBlank, type Word } from '../../reading/word.ts';
import type { Draft, PathOptions, Walker } from '../scope/walker.ts';

/** A file that a command puts nothing but blanks into is left empty. */
export function noteEmptied(
  command: Draft,
  file: Word,
  content: Word,
  walker: Walker,
  options: PathOptions = {},
): void {
  if (isBlank(content)) walker.path(command, 'empty', file, options);
}
