import type { JsonObject } from '../../../lib/json.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { FactRow, Layer, ProgramRows, Rule } from '../../../model/policy.ts';

/** The rules of one project that need its owner's trust. */
export interface TrustSet {
  /** The folder that trust is recorded for. */
  readonly root: string;
  /** Digest of all files of the set. */
  readonly digest: string;
  readonly rules: readonly TrustedRule[];
  /** Its settings for policies of others, by parameter; absent if there are none. */
  readonly settings?: JsonObject;
}

/** A rule that needs trust: all of it, or its settings from the set. */
export interface TrustedRule {
  readonly index: number;
  readonly digest: string;
  /** The rule without the settings of this set, which belong to another's policy. */
  readonly unset?: Partial<Rule>;
}

/** A set of files compiled, before it is known which parts are trusted. Plain JSON, which the cache keeps. */
export interface CompiledSet {
  /** All of them still `active`. */
  readonly rules: readonly Rule[];
  readonly unmatchedDeny: readonly { readonly layer: Layer; readonly file: string }[];
  readonly onErrorContinue: boolean;
  readonly programs?: ProgramRows;
  readonly facts?: readonly FactRow[];
  readonly trustSets: readonly TrustSet[];
  /** Parts that have no effect in their place. */
  readonly warnings: readonly Diagnostic[];
}
