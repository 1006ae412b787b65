import type { Json, JsonObject } from '../lib/json.ts';
import type { Action } from './action.ts';
import type { RespondResult } from './decision.ts';
import type { Position } from './diagnostic.ts';
import type { EventKind } from './event.ts';
import type { JudgeAnswer, JudgeSpec } from './judge.ts';

/** The origins of policies, strongest first. `named`: those that `--policies` or `POLICY_PATH` names. */
export const LAYERS = ['builtin', 'named', 'organisation', 'user', 'project'] as const;
export type Layer = (typeof LAYERS)[number];

/** Strings of which an event must contain at least one, in one of its strings, to match. */
export interface Literals {
  /** Where to look: all scalars in the tool's arguments, or the event's texts. */
  readonly scope: 'arguments' | 'texts';
  readonly anyOf: readonly string[];
  /** True if case does not matter: literals are lower case, and only ASCII text can be ruled out. */
  readonly fold: boolean;
}

/** Conditions that a call must meet for a policy to match. An absent key rules nothing out. */
export interface CallNeeds {
  /** It runs one of these programs; * matches any characters. */
  readonly names?: readonly string[];
  /** The first operand of a command is one of these. */
  readonly words?: readonly string[];
  /** Trait bits, of which the call has at least one; the bits are those of the matchers' `TRAITS`. */
  readonly traits?: readonly number[];
  /** It may cause one of these: `destroys:database`. */
  readonly causes?: readonly string[];
  /** A command of it is run by one of these; * matches any characters. */
  readonly wrappers?: readonly string[];
  /** One of its paths contains one of these strings. */
  readonly paths?: readonly string[];
  /** The path of one of its addresses contains one of these strings, in any case. */
  readonly urls?: readonly string[];
  /** Its arguments or texts contain one of these literally. */
  readonly literals?: Literals;
  /** Folders around these paths count too, if their use includes everything below. */
  readonly around?: true;
  /** The tool is called one of these; * matches any characters. */
  readonly tools?: readonly string[];
  readonly classes?: readonly string[];
}

/** Calls that somebody exempted from a policy until a given time. */
export interface RuleException {
  /** Matcher keys to their specs, all of which must hold for certain. */
  readonly when: JsonObject;
  /** When it ends, in milliseconds since 1970. */
  readonly endsMs: number;
  readonly owner: string;
  readonly reason: string;
  readonly position: Position;
}

/** A share of machines or repositories. Members are fixed, and a growing share only adds members. */
export type Canary = {
  /** From 0 to 100. */
  readonly percent: number;
  readonly by: 'machine' | 'repository';
};

/** How far a policy is in force: always, never (only logged), or for a share and only logged for the rest. */
export type Mode = 'enforce' | 'monitor' | { readonly canary: Canary };

/** A part that some events of a call lack: the model's name, and the host's own fields. */
export type EventPart = 'model' | 'event';

/** One policy, validated and normalised. Plain JSON: sets of them are cached on disk and embedded in the binary. */
export interface Rule {
  /** `file-name/policy-id`. */
  readonly id: string;
  readonly position: Position;
  readonly layer: Layer;
  /** Place in the whole set; later is lower. */
  readonly order: number;
  readonly priority: number;
  readonly mode: Mode;
  readonly on: readonly EventKind[];
  /** Matcher keys to their specs, as written: `tool`, `arguments`, `any`, … */
  readonly when: JsonObject;
  readonly literals: Literals | null;
  /** Needs of which an event must meet one, if all its commands can be read; null if it may match without. */
  readonly needs: readonly CallNeeds[] | null;
  /** The parts that its keys read, of those that some events of a call lack; absent if there are none. */
  readonly reads?: readonly EventPart[];
  readonly whenUnknown: 'match' | 'skip';
  readonly action: Action;
  /** The action's parameters: reason, instead, rewrite, result, table, feedback, … as written. */
  readonly params: JsonObject;
  /** True if nobody can exempt calls from it. */
  readonly locked?: true;
  /** Set once the whole set of files is known. */
  readonly exceptions?: readonly RuleException[];
  /** The model that decides; the action counts if it cannot be asked. */
  readonly judge?: JudgeSpec;
  /** The model's answer, while the event is decided. */
  readonly judged?: JudgeAnswer;
  /** The earlier result that it answers with, while the event is decided. */
  readonly kept?: RespondResult;
  /** `active`; `untrusted`: without effect until trusted; `changed` since it was trusted: matching calls are refused. */
  readonly trust: 'active' | 'untrusted' | 'changed';
  /** Why it cannot be evaluated because of a data file; calls that it may match are refused. */
  readonly broken?: string;
}

/** True if a policy refuses the calls that it matches, whatever its action is. */
export function refusesUnjudged({ trust, broken }: Pick<Rule, 'trust' | 'broken'>): boolean {
  return trust === 'changed' || broken !== undefined;
}

/** Program rows as text: for each a line feed, the name, a tab, and the row as JSON, decoded when needed. */
export interface ProgramRows {
  /** From files that may replace the row of a program. */
  readonly own: string;
  /** From projects, which can only add: a command is evaluated with and without these rows. */
  readonly added: string;
  /** Further rows of the programs above; a command is evaluated with each of them, too. */
  readonly others?: readonly string[];
  /** True if some of the added rows are for programs that are known already. */
  readonly knownToo?: true;
}

/** A value by which earlier calls are compared or counted: `path`, `url.host`, `command`, `agent`, `repository`, `arguments.X`. */
export type FactValue = string;

/** A fact of a policy file: a name for calls, and the values kept of each. Plain JSON, as rules are. */
export interface FactRow {
  /** `layer:file-name/fact~digest`, or `layer:file-name/policy.count~digest` within a policy. The digest changes with the keys. */
  readonly id: string;
  readonly position: Position;
  readonly layer: Layer;
  /** Matching keys to their specs, which the requested call must meet. */
  readonly when: JsonObject;
  readonly literals: Literals | null;
  readonly needs: readonly CallNeeds[] | null;
  /** As in `Rule`. */
  readonly reads?: readonly EventPart[];
  /** The values that some policy compares or counts calls by, each once. */
  readonly values: readonly FactValue[];
  /** True if some policy tracks pieces of its results. */
  readonly carried?: true;
  /** True for an untrusted file, which may keep a tenth of the calls. */
  readonly untrusted?: true;
}

/** A compiled set of policy files. Plain JSON. */
export interface Program {
  /** Digest of the build, paths, layers, trust and texts. Hex. */
  readonly digest: string;
  readonly rules: readonly Rule[];
  /** Layers with a file that says `unmatched: deny`, with that file's name. */
  readonly unmatchedDeny: readonly { readonly layer: Layer; readonly file: string }[];
  /** True if `on_error: continue` is set in a layer that may set it. */
  readonly onErrorContinue: boolean;
  /** Absent if no file has program rows. */
  readonly programs?: ProgramRows;
  /** The facts that its rules use; absent if there are none. */
  readonly facts?: readonly FactRow[];
}

/** One `{call, expect}` pair of a policy's `examples`. */
export interface Example {
  readonly ruleId: string;
  readonly position: Position;
  readonly expect: 'hit' | 'miss';
  /** A bare call, or the tool's arguments. */
  readonly call: Json;
}
