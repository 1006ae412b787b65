import type { PathUse } from '../../../reader/reading/reading.ts';
import type { Word } from '../../../reader/reading/word.ts';
import type { WrittenText } from '../../../reader/reading/written-text.ts';

export interface UsedPath {
  /** Undefined if it could be any. */
  readonly use: PathUse | undefined;
  /** Normalised: absolute, or starting with `~`, a relative name or an unknown part. */
  readonly path: Word;
  /** True if everything below it is meant too. */
  readonly recursive: boolean;
  /** The new name below the path, if the path is a folder already. */
  readonly name: Word | undefined;
  /** True if it may bar the way to the files below. */
  readonly bars: boolean;
  /** Of the files below, only names that fit this. */
  readonly only: Word | undefined;
  /** True if a test chooses among the files below. */
  readonly chosen: boolean;
  /** Set where the path is spelled as a volume reads it that folds names: `from` is how it was, if that is known. */
  readonly folded?: { readonly from: string | undefined };
  /** The argument's text, where an argument names it. */
  readonly file?: string;
  /** The text that is written there; absent if the call writes none. */
  readonly text?: () => WrittenText;
}
