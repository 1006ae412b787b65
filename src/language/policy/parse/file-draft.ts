import type { Json, JsonObject } from '../../../lib/json.ts';
import type { Position } from '../../../model/diagnostic.ts';
import type { Example, Rule, RuleException } from '../../../model/policy.ts';
import type { FactDefinition } from '../../keys/history/fact-spec.ts';
import type { JudgeDraft, NamedJudge } from '../schema/judge-draft.ts';
import type { OnStale } from '../schema/managed-schema.ts';
import type { Permission } from '../schema/parameters-schema.ts';
import type { ProgramDrafts } from './read-rows.ts';

export interface ParameterDraft {
  /** Without its file's name. */
  readonly name: string;
  readonly type: string;
  readonly default: Json;
  readonly may: Permission;
  readonly position: Position;
}

/** A value that a file gives a parameter of another file. */
export interface SettingDraft {
  /** `file-name/parameter`. */
  readonly parameter: string;
  readonly value: Json;
  readonly position: Position;
}

/** A rule before its file has a place in a set. */
export type RuleDraft = Omit<Rule, 'layer' | 'order' | 'trust' | 'judge' | 'judged' | 'kept'> & {
  /** Set for a policy that asks a model; its settings are completed when the whole set is known. */
  readonly judge?: JudgeDraft;
};

/** A name in a file, and its place. */
export interface Named {
  readonly text: string;
  readonly position: Position;
}

/** An exception in a file, before the policies of the set are known. */
export interface ExceptionDraft extends RuleException {
  readonly policy: Named;
}

/** Data that a policy takes from a file: a list for its matching keys, or recorded results. */
export interface DataReference {
  readonly ruleId: string;
  /** The path from the matching keys to the list; undefined for recorded results. */
  readonly path: readonly (string | number)[] | undefined;
  /** The places of the file's name and of the path within that file. */
  readonly position: Position;
  readonly atPosition: Position;
}

export interface FactDraft extends FactDefinition {
  readonly name: string;
  readonly position: Position;
}

/** A fact of another file that a policy names. */
export interface FactReference {
  readonly text: string;
  readonly position: Position;
}

/** A policy file, validated and normalised, independent of where it was found. Plain JSON. */
export interface FileDraft {
  /** First part of its rules' ids. */
  readonly name: string;
  readonly extends: readonly Named[];
  readonly disable: readonly Named[];
  readonly unmatchedDeny: boolean;
  /** The place of `on_error: continue`, or null. */
  readonly onErrorContinue: Position | null;
  /** Judges for the policies of the set; absent if it defines none. */
  readonly judges?: readonly NamedJudge[];
  readonly exceptions?: readonly ExceptionDraft[];
  readonly programs?: ProgramDrafts;
  /** Where its policies are in force; absent for everywhere. */
  readonly appliesTo?: JsonObject;
  readonly parameters?: readonly ParameterDraft[];
  readonly settings?: readonly SettingDraft[];
  /** Names the managed bundle, and what happens to calls without it. */
  readonly managed?: { readonly position: Position; readonly onStale: OnStale };
  readonly facts?: readonly FactDraft[];
  /** The facts of other files that its policies name. */
  readonly factsElsewhere?: readonly FactReference[];
  readonly rules: readonly RuleDraft[];
  readonly data?: readonly DataReference[];
  readonly examples: readonly Example[];
}
