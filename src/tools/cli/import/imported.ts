import type { JsonObject } from '../../../lib/json.ts';
import type { Position } from '../../../model/diagnostic.ts';

export type ImportedDecision = 'deny' | 'ask' | 'allow';

/** Words of a command in order; those of one list are alternatives. `*` and `?` are wildcards. */
export interface CommandPattern {
  readonly words: readonly (readonly string[])[];
  /** True if more words may follow. */
  readonly rest: boolean;
  /** The pattern as a glob over a command's text, for patterns that words cannot express. */
  readonly glob: string;
  /** A regex over the text, if the host has one. */
  readonly regex?: string;
}

/** The subject of another host's rule, in this program's terms. */
export type ImportedSubject =
  | { readonly kind: 'command'; readonly pattern: CommandPattern }
  | {
      readonly kind: 'path';
      readonly use: 'read' | 'write' | 'both';
      /** The tools of a refusal; those of an approval follow. */
      readonly refused: readonly string[];
      readonly approved: readonly string[];
      readonly except: readonly string[];
      /** True if it opens paths outside of the workspace, whatever other rules say. */
      readonly isOutside?: boolean;
    }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'outside'; readonly except: readonly string[] }
  | {
      readonly kind: 'tool';
      /** The host's own names, `*` for any characters. */
      readonly names: readonly string[];
      /** The names among them that do not count. */
      readonly without?: readonly string[];
      readonly arguments?: JsonObject;
      readonly sample?: JsonObject;
    };

export interface ImportedRule {
  readonly decision: ImportedDecision;
  /** The rule's text in its file. */
  readonly text: string;
  readonly position: Position;
  readonly subject: ImportedSubject;
  readonly reason?: string | undefined;
  /** Subjects that it excludes. */
  readonly except?: readonly ImportedSubject[] | undefined;
  /** The only modes of the host in which it counts. */
  readonly modes?: readonly string[] | undefined;
  /** Calls that it matches, and others. */
  readonly hits?: readonly string[] | undefined;
  readonly misses?: readonly string[] | undefined;
}

export function ofKind<Kind extends ImportedSubject['kind']>(rules: readonly ImportedRule[], kind: Kind) {
  type Found = ImportedRule & { readonly subject: Extract<ImportedSubject, { kind: Kind }> };
  return rules.filter((rule): rule is Found => rule.subject.kind === kind);
}

/** Why the policy differs from the rule. */
export type FindingKind =
  /** Another rule always decides first. */
  | 'dead'
  /** The host accepts it and never uses it. */
  | 'never-consulted'
  /** It allows far more than it names. */
  | 'wide'
  /** No policy can express it. */
  | 'lost'
  /** The policy has it, with a small difference. */
  | 'differs'
  /** It allows, and approvals were not requested. */
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
  /** Set if the host refuses all that no rule allows. */
  readonly refusesRest?: Position | undefined;
}

export interface ImportSource {
  readonly text: string;
  /** Its name in positions. */
  readonly file: string;
  /** The host's folder in patterns: `.` in a project, `~/.claude` in the user's settings. */
  readonly root: string;
}

export interface Importer {
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  /** The default file. */
  readonly file: string;
  /** `strictest`: a refusal beats a rule that allows; `first`: the first matching rule decides. */
  readonly order: 'strictest' | 'first';
  /** The host's own names of tools, as `tool_matcher` takes them. */
  readonly tools: Readonly<Record<'shell' | 'read' | 'write' | 'fetch', string>>;
  /** Programs that the host strips before it compares. */
  readonly wrappers?: readonly string[];
  readonly read: (source: ImportSource) => Imported;
}

export class ImportDraft implements Imported {
  readonly rules: ImportedRule[] = [];
  readonly findings: ImportFinding[] = [];
  refusesRest: Position | undefined;

  find(kind: FindingKind, position: Position, message: string, hint?: string): void {
    this.findings.push({ kind, position, message, hint });
  }

  /** Adds a rule, or the reason why there is none. */
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

export class UnreadableImport extends Error {}
