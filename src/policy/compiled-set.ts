import type { Diagnostic } from '../model/diagnostic.ts';
import type { Layer, ProgramRows, Rule } from '../model/policy.ts';

/** The rules of one project or session that need its owner's trust. */
export interface TrustSet {
  /** The folder that trust is recorded for. */
  readonly root: string;
  /** Digest of all files of the set. */
  readonly digest: string;
  /** Where in the rules those that need trust stand, and the digest of each. */
  readonly rules: readonly { readonly index: number; readonly digest: string }[];
}

/** A set of files compiled, before it is known what is trusted. Plain JSON: this is what is cached. */
export interface CompiledSet {
  /** All of them still `active`. */
  readonly rules: readonly Rule[];
  readonly unmatchedDeny: readonly { readonly layer: Layer; readonly file: string }[];
  readonly onErrorContinue: boolean;
  readonly programs?: ProgramRows;
  readonly trustSets: readonly TrustSet[];
  /** Parts that have no effect where they stand. */
  readonly warnings: readonly Diagnostic[];
}
