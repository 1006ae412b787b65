import type { DecisionRecord } from '../../hook/audit/record.ts';
import type { Answer } from '../../language/calls/answer-call.ts';
import type { Engine } from '../../language/engine/engine.ts';

/** A call that can be judged by any set of policies. */
export interface Sample {
  /** In a few words: `shell git push -f`. */
  readonly label: string;
  /** Its source: a position, a line, a time. */
  readonly place: string;
  /** Equal for samples that are judged alike. */
  readonly key: string;
  /** Undefined if there is nothing to judge. */
  readonly judge: (engine: Engine) => Answer | undefined;
}

/** A past or possible call with its known facts. */
export interface KnownCall {
  /** Undefined if its message was not kept; then only the log counts. */
  readonly sample: Sample | undefined;
  /** Its logged decision; undefined if it comes from no log. */
  readonly record: DecisionRecord | undefined;
  /** The call in a line, without secrets. */
  readonly label: string;
  /** Equal for repetitions of one call. */
  readonly alike: string;
  /** The host's name; undefined if it has none. */
  readonly host: string | undefined;
  /** The conversation, unique among agents. */
  readonly session: string;
  readonly cwd: string | undefined;
  /** ISO time. */
  readonly time: string | undefined;
  /** True for a call before the requested time: it only counts as a past call of later ones. */
  readonly early?: boolean;
}
