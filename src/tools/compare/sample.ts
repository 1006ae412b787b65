import type { DecisionRecord } from '../../hook/audit/record.ts';
import type { Answer } from '../../language/calls/answer-call.ts';
import type { Engine } from '../../language/engine/engine.ts';

/** A call that can be judged by any set of policies. */
export interface Sample {
  /** In a few words: `shell git push -f`. */
  readonly label: string;
  /** The place that it comes from: a position, a line, a time. */
  readonly place: string;
  /** The same for two samples that are judged alike. */
  readonly key: string;
  /** Undefined if there is nothing to be judged. */
  readonly judge: (engine: Engine) => Answer | undefined;
}

/** A call that was made, or may be, with its known facts. */
export interface KnownCall {
  /** Undefined if its message was not kept: then only the log counts. */
  readonly sample: Sample | undefined;
  /** The logged decision about it; undefined if it comes from no log. */
  readonly record: DecisionRecord | undefined;
  /** The call in a line, without secrets. */
  readonly label: string;
  /** The same for calls that count as one and the same, made again. */
  readonly alike: string;
  /** The host's name; undefined if it is no host's. */
  readonly host: string | undefined;
  /** The conversation, unlike those of other agents. */
  readonly session: string;
  readonly cwd: string | undefined;
  /** ISO time. */
  readonly time: string | undefined;
  /** True for a call before the time that is asked about: it counts only as a past call of later ones. */
  readonly early?: boolean;
}
