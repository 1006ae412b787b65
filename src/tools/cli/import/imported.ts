import type { JsonObject } from '../../../lib/json.ts';
import type { Position } from '../../../model/diagnostic.ts';

export type ImportedDecision = 'deny' | 'ask' | 'allow';

/** Words of a command in their order; those of one list are alternatives. `*` and `?` in them are wildcards. */
export interface CommandPattern {
  readonly words: readonly (readonly string[])[];
  /** True if more words may follow. */
  readonly rest: boolean;
  /** The pattern as a glob over the text of a command: for patterns that words cannot express. */
  readonly glob: string;
  /** A regex over the text, where the host has one. */
  readonly regex?: string;
}

/** The subject of another host's rule, in terms of this program. */
export type ImportedSubject =
  | { readonly kind: 'command'; readonly pattern: CommandPattern }
  | {
      readonly kind: 'path';
      readonly use: 'read' | 'write' | 'both';
      /** The tools that a refusal is about, and those of an approval. */
      readonly refused: readonly string[];
      readonly approved: readonly string[];
      readonly except: readonly string[];
      /** True if it says which paths outside of the workspace are open, whatever else is said of them. */
      readonly isOutside?: boolean;
    }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'outside'; readonly except: readonly string[] }
  | {
      readonly kind: 'tool';
      /** The host's own names, `*` for any characters. */
      readonly names: readonly string[];
      /** Those of them that do not count. */
      readonly without?: readonly string[];
      readonly arguments?: JsonObject;
      /** Arguments that fit. */
      readonly sample?: JsonObject;
    };

export interface ImportedRule {
  readonly decision: ImportedDecision;
  /** As its file has it. */
  readonly text: string;
  readonly position: Position;
  readonly subject: ImportedSubject;
  readonly reason?: string | undefined;
  /** Subjects that it does not cover. */
  readonly except?: readonly ImportedSubject[] | undefined;
  /** Modes of the host in which alone it counts. */
  readonly modes?: readonly string[] | undefined;
  /** Calls that it is about, and others. */
  readonly hits?: readonly string[] | undefined;
  readonly misses?: readonly string[] | undefined;
}

/** The rules about subjects of a kind. */
export function ofKind<Kind extends ImportedSubject['kind']>(rules: readonly ImportedRule[], kind: Kind) {
  type Found = ImportedRule & { readonly subject: Extract<ImportedSubject, { kind: Kind }> };
  return rules.filter((rule): rule is Found => rule.subject.kind === kind);
}

/** Why a rule is not in the policy as it was written. */
export type FindingKind =
  /** Another rule decides wherever it applies. */
  | 'dead'
  /** The host takes it and never looks at it. */
  | 'never-consulted'
  /** It allows far more than it names. */
  | 'wide'
  /** There is no policy that says it. */
  | 'lost'
  /** It is in the policy, and not quite the same. */
  | 'differs'
  /** It allows, and approvals were not asked for. */
  | 'left-out';

export interface ImportFinding {
  readonly kind: FindingKind;
  readonly position: Position;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The rules of a host's file. */
export interface Imported {
  readonly rules: readonly ImportedRule[];
  readonly findings: readonly ImportFinding[];
  /** True if the host refuses all that no rule allows. */
  readonly refusesRest?: Position | undefined;
}

export interface ImportSource {
  readonly text: string;
  /** How positions name it. */
  readonly file: string;
  /** The host's folder in patterns: `.` in a project, `~/.claude` in the user's settings. */
  readonly root: string;
}

/** The grammar of one host. */
export interface Importer {
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** The file that is read if none is named. */
  readonly file: string;
  /** `strictest`: a refusal always beats a rule that allows; `first`: of the rules that match, the first one decides. */
  readonly order: 'strictest' | 'first';
  /** The host's own names of tools, as `tool_matcher` takes them. */
  readonly tools: Readonly<Record<'shell' | 'read' | 'write' | 'fetch', string>>;
  /** Programs that the host takes off before it compares. */
  readonly wrappers?: readonly string[];
  readonly read: (source: ImportSource) => Imported;
}

/** The rules and findings of a file, while it is read. */
export class ImportDraft implements Imported {
  readonly rules: ImportedRule[] = [];
  readonly findings: ImportFinding[] = [];
  refusesRest: Position | undefined;

  find(kind: FindingKind, position: Position, message: string, hint?: string): void {
    this.findings.push({ kind, position, message, hint });
  }

  /** Adds a rule, or why there is none. */
  take(
    decision: ImportedDecision,
    text: string,
    position: Position,
    subject: ImportedSubject | string,
  ): void {
    if (typeof subject === 'string') this.find('lost', position, `${decision} ${text}: ${subject}`);
    else this.rules.push({ decision, text, position, subject });
  }
}

/** A file that cannot be read at all. */
export class UnreadableImport extends Error {}
