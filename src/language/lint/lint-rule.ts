import type { Host } from '../../hosts/host.ts';
import type { DiagnosticCode, Fix, Severity } from '../../model/diagnostic.ts';
import type { Program, Rule } from '../../model/policy.ts';
import type { YamlPath } from '../policy/yaml/yaml.ts';
import type { KnownTools } from './known-tools.ts';
import type { PolicySource } from './policy-sources.ts';

export interface LintedPolicy {
  readonly rule: Rule;
  readonly source: PolicySource;
  readonly hosts: readonly Host[];
}

export interface LintContext {
  /** The policies to check, in order. */
  readonly policies: readonly LintedPolicy[];
  /** All policies in force together. */
  readonly program: Program;
  readonly hosts: readonly Host[];
  readonly tools: KnownTools;
  /** True if an example or a case of a test matches the policy. */
  readonly isTested: (rule: Rule) => boolean;
}

/** A problem of a policy that can be used. */
export interface Finding {
  /** By default the first code of the check. */
  readonly code?: DiagnosticCode;
  /** The path from the policy to the problem. */
  readonly path: YamlPath;
  /** Given if the key is the problem, not its value. */
  readonly at?: 'key';
  readonly message: string;
  readonly hint: string;
  /** By default a warning. */
  readonly severity?: Severity;
  readonly fix?: Fix;
}

/** One check, as a plain const object; `registry.ts` lists them all. */
export interface LintRule {
  /** The codes of its findings; docs/lint.md has a section for each. */
  readonly codes: readonly [DiagnosticCode, ...DiagnosticCode[]];
  /** Reads all policies once, and then checks each of them. */
  readonly check: (context: LintContext) => (policy: LintedPolicy) => readonly Finding[];
}
