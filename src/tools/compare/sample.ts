import type { Answer } from '../../language/calls/answer.ts';
import type { Engine } from '../../language/engine/engine.ts';

/** A call that can be judged by any set of policies. */
export interface Sample {
  /** In a few words: `shell git push -f`. */
  readonly label: string;
  /** Where it comes from: a position, a line, a time. */
  readonly place: string;
  /** The same for two samples that are judged alike. */
  readonly key: string;
  /** Undefined if there is nothing to be judged. */
  readonly judge: (engine: Engine) => Answer | undefined;
}
