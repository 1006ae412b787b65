import type { Host } from '../../hosts/host.ts';
import { distinct } from '../../lib/distinct.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Program, Rule } from '../../model/policy.ts';
import { hostsNamed } from '../policy/schema/applies-to.ts';
import { knownTools } from './known-tools.ts';
import type { LintContext, LintedPolicy } from './lint-rule.ts';
import { deadException } from './never-matches.ts';
import { createSourceLookup } from './policy-sources.ts';
import { LINT_RULES } from './registry.ts';

/** The subject of a lint run. */
export interface LintInput {
  readonly program: Program;
  /** The texts of the files that positions name. */
  readonly texts: ReadonlyMap<string, string>;
  /** True if a policy is the author's own, so that findings are of use. */
  readonly isOwn: (rule: Rule) => boolean;
  readonly hosts: readonly Host[];
  /** True if an example or a case of a test matches the policy. */
  readonly isTested: (rule: Rule) => boolean;
}

/** Looks for oddities of policies that can be used: warnings and notes, unsorted. */
export function lint({ program, texts, isOwn, hosts, isTested }: LintInput): readonly Diagnostic[] {
  const sourceOf = createSourceLookup(texts);
  const policies = program.rules.filter(isOwn).flatMap((rule): readonly LintedPolicy[] => {
    // Rules of plugin tools have no text of their own.
    const source = sourceOf(rule);
    return source === undefined ? [] : [{ rule, source, hosts: hostsOf(rule, hosts) }];
  });
  const context: LintContext = { policies, program, hosts, tools: knownTools(program.rules), isTested };
  const findings = LINT_RULES.flatMap(({ codes: [usual], check }) => {
    const findingsOf = check(context);
    return policies.flatMap((policy) =>
      findingsOf(policy).map(({ path, at, ...finding }): Diagnostic => {
        const position = policy.source.positionOf(path, at ?? 'value');
        return { code: usual, severity: 'warning', position, ...finding };
      }),
    );
  });
  // Two policies with one id are an error elsewhere, and one policy here.
  return distinct([
    ...findings,
    ...program.rules.flatMap(({ exceptions = [] }) => exceptions.flatMap(deadException)),
  ]);
}

function hostsOf(rule: Rule, hosts: readonly Host[]): readonly Host[] {
  const named = hostsNamed(rule.when);
  return named === undefined ? hosts : hosts.filter(({ name }) => named.includes(name));
}
