import type { Host } from '../../hosts/host.ts';
import type { DiagnosticCode, Fix, Severity } from '../../model/diagnostic.ts';
import type { Program, Rule } from '../../model/policy.ts';
import type { YamlPath } from '../policy/yaml/yaml.ts';
import type { KnownTools } from './known-tools.ts';
import type { PolicySource } from './policy-sources.ts';

/** A policy that is looked at, with the text that it comes from. */
export interface LintedPolicy {
  readonly rule: Rule;
  readonly source: PolicySource;
  /** The hosts that it is for. */
  readonly hosts: readonly Host[];
}

/** The input of a check. */
export interface LintContext {
  /** The policies to be looked at, in order. */
  readonly policies: readonly LintedPolicy[];
  /** All policies that are in force together. */
  readonly program: Program;
  /** The hosts that matter. */
  readonly hosts: readonly Host[];
  readonly tools: KnownTools;
  /** True if an example or a case of a test matches the policy. */
  readonly isTested: (rule: Rule) => boolean;
}

/** Something odd about a policy that can be used. */
export interface Finding {
  /** The first code of the check unless given. */
  readonly code?: DiagnosticCode;
  /** The path from the policy to the odd place. */
  readonly path: YamlPath;
  /** Given if the key is odd rather than its value. */
  readonly at?: 'key';
  readonly message: string;
  readonly hint: string;
  /** A warning unless given. */
  readonly severity?: Severity;
  readonly fix?: Fix;
}

/** One check. A plain const object; `registry.ts` is the only list of them. */
export interface LintRule {
  /** The codes of its findings, each a section of docs/lint.md. */
  readonly codes: readonly [DiagnosticCode, ...DiagnosticCode[]];
  /** Reads all policies once, and then checks each of them. */
  readonly check: (context: LintContext) => (policy: LintedPolicy) => readonly Finding[];
}
