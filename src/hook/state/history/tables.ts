import type { Certainty, PastCall } from '../../../model/history.ts';
import type { FactValue } from '../../../model/policy.ts';

export interface StoredCall {
  readonly session: string;
  readonly sequence: number;
  /** The host's name of the turn, or `#` and its number. */
  readonly turn: string;
  readonly id: string | undefined;
  readonly twin: string | undefined;
  readonly tool: string;
  readonly digest: string;
  readonly sent: string | undefined;
  readonly repository: string | undefined;
  readonly startedMs: number;
  /** The first of several equal calls that were under way at once and that nothing tells apart; its own place if there is one. */
  readonly group: number;
  readonly refused: boolean;
  readonly result: PastCall['result'];
  /** The place of its result, or of the next turn if none came. */
  readonly settled: number | undefined;
}

export interface StoredFact extends Certainty {
  readonly fact: string;
  /** Keyed hashes. */
  readonly values: Readonly<Record<FactValue, readonly string[]>>;
}

/** An earlier call that met a fact, and where that was. */
export interface PastRow {
  readonly session: string;
  readonly turn: string;
  readonly past: PastCall;
}

/** An earlier call as policies see it. */
export function pastCall(
  { sequence, settled, startedMs, refused, result }: StoredCall,
  { met, ran, own, alone, last, hiddenBy, values }: Omit<StoredFact, 'fact'>,
): PastCall {
  const when = { sequence, settledSequence: settled, startedMs, refused, result };
  return {
    met,
    ran,
    own,
    ...(alone === undefined ? {} : { alone }),
    ...(last === undefined ? {} : { last }),
    ...(hiddenBy === undefined ? {} : { hiddenBy }),
    values,
    ...when,
  };
}

/** Finds open calls by one of these; all of them if none is given. */
export type OpenKey = { readonly [K in 'id' | 'digest' | 'twin']?: string | undefined };

/** Fingerprints of a call's result, in no order. */
export interface StoredPieces {
  readonly sequence: number;
  readonly pieces: BigUint64Array;
}

export interface SessionRow {
  /** The place of its last change. */
  readonly revision: number;
  /** How many turns have started. */
  readonly turn: number;
}

/** How much one policy file has in a session. */
export interface FileRow {
  readonly calls: number;
  readonly bytes: number;
  /** True if something was not kept because it had enough. */
  readonly isOver: boolean;
}

export interface StoreRow {
  /** The last place that was given. */
  readonly sequence: number;
  /** The latest time that was seen. */
  readonly lastMs: number;
  /** How many calls there are. */
  readonly calls: number;
  /** When it began anew after it was lost. */
  readonly restartedMs: number | undefined;
}

export interface Rows {
  readonly store: StoreRow;
  readonly session: SessionRow;
}

/** No host has as many calls of one tool under way; where no results come, more than these only cost time. */
export const MAX_OPEN = 256;

/** The tables of a history store, with the few things that are asked of them. All may throw `StateError`. */
export interface HistoryTables {
  transaction<T>(action: () => T): T;
  /** The row of the store and that of a session. */
  rows(session: string): Rows;
  putRows(session: string, rows: Rows): void;
  file(session: string, file: string): FileRow;
  putFile(session: string, file: string, row: FileRow): void;
  /** True if some session has more of a file than the store keeps. */
  isOver(file: string): boolean;
  add(call: StoredCall, facts: readonly StoredFact[]): void;
  change(call: StoredCall): void;
  /** Those of the latest `MAX_OPEN` calls of a tool in a session without a result that have one of these, oldest first. */
  open(session: string, tool: string, by: OpenKey): readonly StoredCall[];
  /** The calls of a group, oldest first. */
  group(session: string, group: number): readonly StoredCall[];
  endOpen(session: string, turn: string | undefined, sequence: number): void;
  facts(session: string, sequence: number): readonly string[];
  /** The calls that met a fact in a session since a time, oldest first. */
  past(session: string, fact: string, sinceMs: number): readonly PastRow[];
  /** The same in all sessions of a repository. */
  pastIn(repository: string | undefined, fact: string, sinceMs: number): readonly PastRow[];
  addPieces(session: string, fact: string, pieces: StoredPieces): void;
  pieces(session: string, fact: string): readonly StoredPieces[];
  /** Drops some of the older calls, and returns how many. */
  dropBefore(ms: number): number;
}
