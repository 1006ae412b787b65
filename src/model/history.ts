import type { FactValue } from './policy.ts';

/**
 * The outcome that a fact asks for. `asked`: the call was asked for; `passed`: it was not refused here; `done`: its result
 * came back; `succeeded`, `failed`: so did its own status; `refused`: it was refused here.
 */
export const FACT_OUTCOMES = ['asked', 'passed', 'done', 'succeeded', 'failed', 'refused'] as const;
export type FactOutcome = (typeof FACT_OUTCOMES)[number];

/** A fact as people know it: `delivery/tested`. */
export function factName(id: string): string {
  return id.slice(id.indexOf(':') + 1).replace(/~[0-9a-f]+$/, '');
}

/** How far back a policy looks: this turn, this session, or so many milliseconds. */
export type Window = 'turn' | 'session' | { readonly ms: number; readonly across: boolean };

/** Why it cannot be said that a command of a call ran, or that the status of the call is its own. */
export const HIDING_REASONS = [
  'pipe',
  'or',
  'sequence',
  'condition',
  'background',
  'negation',
  'exit',
  'wrapper',
  'dry_run',
  'elsewhere',
  'machine',
  'code',
  'interrupted',
] as const;
export type HidingReason = (typeof HIDING_REASONS)[number];

/** The certainty about a call that met a fact. */
export interface Certainty {
  /** The call meets the fact for certain; if not, it may. */
  readonly met: boolean;
  /** If its result has come, the fact's command certainly ran. */
  readonly ran: boolean;
  /** If the call succeeded, the fact's command ran and succeeded. */
  readonly own: boolean;
  /** The call is nothing but the fact's command: if it failed, so did that. */
  readonly alone?: true;
  /** Whatever else the call does had succeeded before the fact's command began. */
  readonly last?: true;
  /** The reason why it is not certain. */
  readonly hiddenBy?: HidingReason;
}

/** An earlier call that met a fact, or may have. */
export interface PastCall extends Certainty {
  /** Its place in the order of the store, which is that of the calls' starts. */
  readonly sequence: number;
  /**
   * The place of its result in that order; a call without one ends when the next turn of its session starts. Undefined while
   * it is open.
   */
  readonly settledSequence?: number | undefined;
  /** Milliseconds since 1970, never before an earlier one. For people and for windows that are durations. */
  readonly startedMs: number;
  readonly refused: boolean;
  /** Its result: none yet, or the one that the host reports. */
  readonly result: 'open' | 'succeeded' | 'failed' | 'unknown';
  /** A keyed hash of each value, by the fact's `values`; absent where a call's values cannot be known. */
  readonly values: Readonly<Record<FactValue, readonly string[]>>;
}

/** The earlier calls of a fact in a window, oldest first. */
export interface PastCalls {
  readonly calls: readonly PastCall[];
  /** Why there may be more; absent if these are all. */
  readonly unknown?: string;
  /** True if there may be more because the store was lost and began anew: budgets start at nothing then. */
  readonly restarted?: true;
}

/** A store's view of earlier calls, as the policies of one event ask for it. */
export interface History {
  past(fact: string, window: Window): PastCalls;
  /** The keyed hash of a value, as `PastCall.values` has it. */
  hash(text: string): string;
  /** The facts of which pieces are in a text on its way out, with the piece's place; `unknown` if the store cannot tell. */
  carriedIn(fact: string, window: Window, pieces: readonly bigint[]): CarriedAnswer;
}

/** The answer whether pieces of a result of a fact are among those given. */
export type CarriedAnswer =
  | { readonly type: 'none' | 'unknown' }
  | { readonly type: 'found'; readonly by: PastCall };

/** The history of an event alone: nothing has come before. */
export const NO_HISTORY: History = {
  past: () => ({ calls: [] }),
  hash: (text) => text,
  carriedIn: () => ({ type: 'none' }),
};

/** A fact that the current call meets, to be kept with it. */
export interface MetFact extends Certainty {
  readonly fact: string;
  /** The values of the call, plain: the store keeps hashes. */
  readonly values: Readonly<Record<FactValue, readonly string[]>>;
  /** True for a fact of a file that nobody trusts. */
  readonly untrusted?: true;
}

/** The note on a call that a store keeps. */
export interface CallNote {
  readonly host: string;
  readonly session: string;
  /** The host's own turn; undefined where turns are counted by `startTurn`. */
  readonly turn: string | undefined;
  /** The host's id of the call, if it has one. */
  readonly id: string | undefined;
  /** The same for both events about one call, where no id is in both. */
  readonly twin?: string | undefined;
  /** True if the host asks for the approval of a call that it may have asked about before. */
  readonly approval?: boolean | undefined;
  /** Empty for an event that is about no call. */
  readonly tool: string;
  /** Digest of its arguments, by which a result finds its call; undefined for a result that comes without them. */
  readonly digest: string | undefined;
  /** That of the arguments as they came, where they have been rewritten. */
  readonly sent?: string | undefined;
  /** True if the host has no other call under way in this turn. */
  readonly alone?: boolean;
  /** The root of the repository it runs in; undefined outside of one. */
  readonly repository: string | undefined;
  readonly nowMs: number;
}

/** How a call ended, as a host says it: `unknown` where it does not say, or the call runs on in the background. */
export type ResultStatus = 'succeeded' | 'failed' | 'unknown';

/** A result as a host sends it. */
export interface ResultNote extends CallNote {
  readonly status: ResultStatus;
  /** Fingerprints of its result, for facts that are carried; absent if none is. */
  readonly pieces?: ReadonlyMap<string, readonly bigint[]>;
}

/**
 * Remembers calls that met facts. One contract, two implementations: SQLite in the state folder for hosts that start a process
 * for each event, and inside the process. All calls are synchronous and throw `StateError` if the store cannot be used.
 */
export interface HistoryStore {
  /** The view of a session now, without the call itself. */
  look(call: CallNote): History;
  /**
   * Keeps a call with its facts, if nothing that the view has shown has changed since. One transaction.
   *
   * @returns false if something has changed: then the call has to be judged again
   */
  keep(call: CallNote, facts: readonly MetFact[], refused: boolean, seen: History | undefined): boolean;
  /** Ties a result to the call that it belongs to, once; does nothing if there is none. */
  settle(result: ResultNote): void;
  /** Lets nobody else change the store meanwhile: for judging and keeping a call that others have got in the way of. */
  exclusively<T>(action: () => T): T;
  /** Starts a turn in a session of a host that names none. */
  startTurn(call: Pick<CallNote, 'host' | 'session' | 'nowMs'>): void;
}
