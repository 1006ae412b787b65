import type { Json } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import type { Event, EventKind } from '../../model/event.ts';
import type { JudgeFailure, VerdictName } from '../../model/judge.ts';
import type { Hit, Outcome } from '../../model/outcome.ts';
import type { Cover } from './chain.ts';

/** Version of the log line; it grows when a key changes its meaning or goes away. */
export const RECORD_VERSION = 1;

/** A person's grant that a decision depends on. */
export interface GrantNote {
  /** For a refusal: the code to let the call pass. */
  readonly code?: string | undefined;
  /** For a call that a person has let pass: the code used. */
  readonly allowed?: string | undefined;
  /** Why a grant does not count, or why the call has no code. */
  readonly problem?: string | undefined;
}

export interface DecisionEntry {
  readonly host: string;
  /** Undefined if the message could not be read as an event. */
  readonly event: Event | undefined;
  /** The directory of the session; undefined if the message could not be read. */
  readonly cwd?: string | undefined;
  /** Its decision is the one that was answered. */
  readonly outcome: Outcome;
  /** Digest of the policy set; undefined if it could not be loaded. */
  readonly digest: string | undefined;
  readonly durationUs: number;
  /** The cause, if a failure and not a policy decided. */
  readonly failed: string | undefined;
  readonly grant?: GrantNote | undefined;
  /** The redacted message, to judge it again later; absent unless requested. */
  readonly input?: DecisionInput | undefined;
}

/** A host's message and the facts that come with it. */
export interface DecisionInput {
  readonly message: Json;
  /** The host's version or generation, if it was named. */
  readonly version: string | undefined;
  readonly interactive: boolean;
  /** The directory of the session, for hosts that do not send it. */
  readonly cwd: string;
}

/** A policy that took part, as the log names it. */
export interface RecordedHit {
  readonly id: string;
  readonly how: Hit['how'];
  /** The policy's own action: for `monitored`, the one without effect. Absent for a judge that was not asked. */
  readonly action?: Action;
}

/** A judge's answer, as the log has it. */
export type RecordedJudgement =
  | {
      readonly id: string;
      readonly verdict: VerdictName;
      readonly confidence: number;
      /** True if the answer was kept from an earlier question. */
      readonly cached: boolean;
    }
  | { readonly id: string; readonly failure: JudgeFailure };

/** One line of the decision log. Keys without a value are left out. */
export interface DecisionRecord {
  readonly version: typeof RECORD_VERSION;
  /** Unique among all processes: `<process>-<counter>`. */
  readonly decision_id: string;
  /** When it was answered: ISO 8601, UTC, milliseconds. */
  readonly time: string;
  readonly host: string;
  readonly event?: EventKind;
  readonly tool?: string;
  /** The host's own id of the call. Redacted. */
  readonly call_id?: string;
  /** A digest of the tool and its arguments with the key of this machine: equal for equal calls. */
  readonly call_digest?: string;
  /** The command of a shell call, redacted and cut. */
  readonly command?: string;
  /** The subject of a refused call without a command: a path, an address, or its first short text. Redacted and cut. */
  readonly target?: string;
  /** The host's own id of the conversation. */
  readonly session?: string;
  /** Equal for both records about one call, if the host may send two events about it. */
  readonly twin?: string;
  /** The directory of the session. Redacted. */
  readonly cwd?: string;
  readonly action: Action;
  readonly policy?: string;
  readonly policies: readonly RecordedHit[];
  /** Judges that were asked; left out if there were none. */
  readonly judges?: readonly RecordedJudgement[];
  /** Ids of policies skipped because a key was unknown. */
  readonly skipped: readonly string[];
  /** Redacted. */
  readonly reason?: string;
  /** For a refusal by earlier calls: those calls, with time and outcome. */
  readonly before?: readonly string[];
  /** Redacted. */
  readonly failed?: string;
  /** A person types this code to let the refused call pass: `policy allow CODE`. */
  readonly code?: string;
  /** The code of the refusal for which a person has let this call pass. */
  readonly allowed?: string;
  /** Why a person's grant does not count, or why the refusal has no code. Redacted. */
  readonly grant_problem?: string;
  readonly duration_us: number;
  /** The times of policies that matched, were unknown or were slow. */
  readonly times?: readonly { readonly id: string; readonly own_us: number }[];
  readonly digest?: string;
  /** The host's message, redacted; only if requested. Null if it was too long. */
  readonly input?: Json;
  /** The facts that come with the message; only with `input`. */
  readonly setting?: { readonly version?: string; readonly interactive?: true; readonly cwd: string };
  /** Present if parts were left out or cut to fit the limit of a line. */
  readonly shortened?: true;
  /** The bytes that this line covers, on the last line of each write. */
  readonly covers?: Cover;
}
