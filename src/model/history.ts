import type { FactValue } from './policy.ts';

/**
 * The outcome that a fact asks for. `asked`: the call was asked for; `passed`: it was not refused here; `done`: its result came
 * back; `succeeded`, `failed`: by its own status; `refused`: it was refused here.
 */
export const FACT_OUTCOMES = ['asked', 'passed', 'done', 'succeeded', 'failed', 'refused'] as const;
export type FactOutcome = (typeof FACT_OUTCOMES)[number];

/** A fact as people know it: `delivery/tested`. */
export function factName(id: string): string {
  return id.slice(id.indexOf(':') + 1).replace(/~[0-9a-f]+$/, '');
}

/** The period that a policy looks at: this turn, this session, or some milliseconds. */
export type Window = 'turn' | 'session' | { readonly ms: number; readonly across: boolean };

/** Why it is uncertain that a command of a call ran, or that the status of the call is its own. */
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
  /** The call certainly meets the fact; else it may. */
  readonly met: boolean;
  /** If a result has come, the fact's command certainly ran. */
  readonly ran: boolean;
  /** If the call succeeded, the fact's command ran and succeeded. */
  readonly own: boolean;
  /** The call is only the fact's command: if the call failed, so did the command. */
  readonly alone?: true;
  /** Everything before the fact's command had succeeded. */
  readonly last?: true;
  /** The reason why it is not certain. */
  readonly hiddenBy?: HidingReason;
}

/** An earlier call that met a fact, or may have. */
export interface PastCall extends Certainty {
  /** Its place in the store, in the order in which calls started. */
  readonly sequence: number;
  /** The place of its result in that order; undefined while it is open, at most until the session's next turn. */
  readonly settledSequence?: number | undefined;
  /** Milliseconds since 1970, never before an earlier call. For people and for windows in milliseconds. */
  readonly startedMs: number;
  readonly refused: boolean;
  /** Its result: none yet, or the one that the host reports. */
  readonly result: 'open' | 'succeeded' | 'failed' | 'unknown';
  /** Keyed hashes of its values; a value is absent if it is unknown. */
  readonly values: Readonly<Record<FactValue, readonly string[]>>;
}

/** The earlier calls of a fact in a window, oldest first. */
export interface PastCalls {
  readonly calls: readonly PastCall[];
  /** Why there may be more; absent if the list is complete. */
  readonly unknown?: string;
  /** True if there may be more because the store was lost: budgets then start again. */
  readonly restarted?: true;
}

/** Earlier calls, as the policies of one event see them. */
export interface History {
  past(fact: string, window: Window): PastCalls;
  /** The keyed hash of a value, as `PastCall.values` has it. */
  hash(text: string): string;
  /** The facts whose pieces are in a text that leaves, with the place of the piece; `unknown` if the store cannot say. */
  carriedIn(fact: string, window: Window, pieces: readonly bigint[]): CarriedAnswer;
}

/** Whether pieces of a fact's results are among those given. */
export type CarriedAnswer =
  | { readonly type: 'none' | 'unknown' }
  | { readonly type: 'found'; readonly by: PastCall };

/** The history of an event without any earlier calls. */
export const NO_HISTORY: History = {
  past: () => ({ calls: [] }),
  hash: (text) => text,
  carriedIn: () => ({ type: 'none' }),
};

/** A fact that the current call meets, to be kept with it. */
export interface MetFact extends Certainty {
  readonly fact: string;
  /** The values of the call in plain text; the store keeps hashes. */
  readonly values: Readonly<Record<FactValue, readonly string[]>>;
  /** True for a fact of a file that nobody trusts. */
  readonly untrusted?: true;
}

export interface CallNote {
  readonly host: string;
  readonly session: string;
  /** The host's own turn; undefined where turns are counted by `startTurn`. */
  readonly turn: string | undefined;
  /** The host's id of the call, if it has one. */
  readonly id: string | undefined;
  /** Equal for both events about one call, if they do not share an id. */
  readonly twin?: string | undefined;
  /** True if the host asks for the approval of a call that it may have reported before. */
  readonly approval?: boolean | undefined;
  /** Empty if the event is not about a call. */
  readonly tool: string;
  /** Digest of its arguments, by which a result finds its call; undefined for a result without arguments. */
  readonly digest: string | undefined;
  /** Digest of the original arguments, if they were rewritten. */
  readonly sent?: string | undefined;
  /** True if the host has no other call under way in this turn. */
  readonly alone?: boolean;
  /** The root of the repository it runs in; undefined outside of one. */
  readonly repository: string | undefined;
  readonly nowMs: number;
}

/** How a call ended, by its host; `unknown` if the host does not say, or the call runs on in the background. */
export type ResultStatus = 'succeeded' | 'failed' | 'unknown';

export interface ResultNote extends CallNote {
  readonly status: ResultStatus;
  /** Fingerprints of its result for facts that track pieces; absent if there are none. */
  readonly pieces?: ReadonlyMap<string, readonly bigint[]>;
}

/** Keeps calls that met facts, in SQLite or in the process. All calls are synchronous and throw `StateError`. */
export interface HistoryStore {
  /** The earlier calls as of now. */
  look(call: CallNote): History;
  /**
   * Keeps a call with its facts in one transaction, unless the earlier calls have changed since.
   *
   * @returns false if they have: the call has to be judged again
   */
  keep(call: CallNote, facts: readonly MetFact[], refused: boolean, seen: History | undefined): boolean;
  /** Adds a result to its call, once; does nothing if there is none. */
  settle(result: ResultNote): void;
  /** Locks the store, to judge and keep a call that others have kept interfering with. */
  exclusively<T>(action: () => T): T;
  /** Starts a turn in a session of a host that names none. */
  startTurn(call: Pick<CallNote, 'host' | 'session' | 'nowMs'>): void;
}
