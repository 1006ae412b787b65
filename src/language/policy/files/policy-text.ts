import type { Layer } from '../../../model/policy.ts';
import type { TextSource } from '../sources/text-source.ts';

/** The text of one policy file and the rights of its place. */
export interface PolicyText {
  /** Absolute path without links, or `builtin:NAME`: the identity of the file. */
  readonly path: string;
  /** How positions and messages name it: relative to the working directory where it is below that. */
  readonly file: string;
  readonly layer: Layer;
  /** The project folder, in which extended files must be and for which trust counts. Undefined if trusted. */
  readonly root: string | undefined;
  readonly text: string;
  readonly source?: TextSource;
}
