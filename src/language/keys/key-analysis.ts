import type { BareCall, Support } from '../../hosts/host.ts';
import type { Json } from '../../lib/json.ts';
import type { DiagnosticCode } from '../../model/diagnostic.ts';
import type { Predicate } from './matcher.ts';
import type { Shape } from './shape.ts';

/** How specs of one kind are compared and taken apart; keys and the specs below them are made of these. */
export interface ValueType {
  /** How a spec is taken apart: into mutants, and into alternatives that may be there twice. */
  readonly shape: Shape;
  /**
   * True if the wide spec says at least as much as the narrow one about every event. Sound and far from complete: a spec that is
   * not understood implies nothing but itself.
   *
   * @param lenient true if the wide spec may also be unknown where the narrow one says yes
   */
  readonly implies: (narrow: Json, wide: Json, lenient: boolean) => boolean;
}

/** A fact that a host never reports. */
export interface UnreportedFact {
  readonly code: DiagnosticCode;
  /** As people know it: `context.plan_mode`. */
  readonly name: string;
  /** Leads from the spec to the key that asks for it. */
  readonly path: readonly (string | number)[];
}

/** Facts about a matching key that need no event. Lint, tests and explanations load it; the hook does not. */
export interface KeyAnalysis extends ValueType {
  /** Why the key is unknown, as it follows `path: `; undefined if it never is, or the keys in it say so. */
  readonly unknownCause: string | undefined;
  /** True if it reads the effects of a command: then the parts of the command are named. */
  readonly readsCommands: boolean;
  /** The kind of calls that the spec matches without exception, as `command`; undefined if it leaves some out. */
  readonly matchesAllOf: (spec: Json) => string | undefined;
  /**
   * Words of which a spec shares one with every spec that implies it; undefined if unknown. Saves comparing all pairs of
   * policies.
   */
  readonly tokens: (spec: Json) => readonly string[] | undefined;
  /** The words that a spec shares with the specs that it implies, if these are not its tokens. */
  readonly givenTokens?: (spec: Json) => readonly string[];
  /** The facts that the spec asks for and that a host never reports. */
  readonly unreported: (spec: Json, support: Support) => readonly UnreportedFact[];
  /** True if the key looks for text that must arrive whole. */
  readonly wholeText: boolean;
  /** True if no event meets all of these specs of the key. */
  readonly clash: (specs: readonly Json[]) => boolean;
  /** The key's answer by the host, the event and the tool alone, where the matcher's own facts do not say it. */
  readonly outline?: (spec: Json) => Predicate;
  /** The parts of a call that an example gets if it does not say them. */
  readonly sample: (spec: Json) => Partial<BareCall>;
}

/** The analysis of one key: the parts without a default, and those that differ from it. */
export type PartialAnalysis = ValueType &
  Pick<KeyAnalysis, 'unknownCause' | 'unreported'> &
  Partial<KeyAnalysis>;

/** For keys whose facts each host reports, or says of each event that it does not. */
export const ALWAYS_REPORTED: KeyAnalysis['unreported'] = () => [];

export type AnalysisTable = ReadonlyMap<string, KeyAnalysis>;

/** The parts of an analysis that most keys share. */
export const DEFAULT_FACETS = {
  readsCommands: false,
  matchesAllOf: () => undefined,
  tokens: () => undefined,
  wholeText: false,
  clash: () => false,
  sample: () => ({}),
} as const satisfies Partial<KeyAnalysis>;
