import { deepEqual } from '../lib/deep-equal.ts';
import type { JsonObject } from '../lib/json.ts';
import { type Action, isStronger } from '../model/action.ts';
import { LAYERS, type Rule } from '../model/policy.ts';
import { type Conjuncts, conjunctsOf, whenImplies } from './implies/when-implies.ts';
import type { Finding, LintedPolicy, LintRule } from './lint-rule.ts';

/** Policies that never decide, because another one always does, and policies that are there twice. */
export const shadowed = {
  codes: ['shadowed', 'duplicate'],
  run: ({ policies }) => {
    const candidates = policies.filter(({ rule }) => isPlain(rule)).map(prepared);
    return candidates.flatMap((narrow) => findingsOf(narrow, candidates));
  },
} as const satisfies LintRule;

/** Monitored policies are there for the log, and what a judge says is not known. */
function isPlain({ judge, mode, trust }: Rule): boolean {
  return judge === undefined && mode === 'enforce' && trust === 'active';
}

interface Candidate extends LintedPolicy {
  readonly conjuncts: Conjuncts;
  /** Keys at the top, but for those that other keys can imply. */
  readonly needed: ReadonlySet<string>;
  /** Keys anywhere. */
  readonly given: ReadonlySet<string>;
}

function prepared(policy: LintedPolicy): Candidate {
  const conjuncts = conjunctsOf(policy.rule.when);
  return {
    ...policy,
    conjuncts,
    needed: new Set(conjuncts.map(([key]) => key).filter((key) => key !== 'any')),
    given: keysIn(conjuncts),
  };
}

function keysIn(conjuncts: Conjuncts): ReadonlySet<string> {
  return new Set(
    conjuncts.flatMap(([key, spec]) =>
      key === 'any' && Array.isArray(spec)
        ? [key, ...spec.flatMap((branch) => [...keysIn(conjunctsOf(branch))])]
        : [key],
    ),
  );
}

function findingsOf(narrow: Candidate, all: readonly Candidate[]): readonly Finding[] {
  let shadow: Candidate | undefined;
  for (const wide of all) {
    if (wide === narrow || !hides(wide.rule, narrow.rule) || !covers(wide, narrow)) continue;
    if (isSame(wide.rule, narrow.rule) && covers(narrow, wide)) {
      if (wide.rule.order < narrow.rule.order) return [duplicateOf(wide, narrow)];
    } else if (outweighs(wide.rule, narrow.rule)) shadow ??= wide;
  }
  return shadow === undefined ? [] : [shadowOf(shadow, narrow)];
}

/** True if the wide policy takes effect whenever the narrow one does. */
function covers(wide: Candidate, narrow: Candidate): boolean {
  for (const key of wide.needed) if (!narrow.given.has(key)) return false;
  const { rule } = wide;
  if (!narrow.rule.on.every((kind) => rule.on.includes(kind))) return false;
  if (narrow.rule.whenUnknown === 'match' && rule.whenUnknown === 'skip') return false;
  return whenImplies(narrow.conjuncts, wide.conjuncts, rule.whenUnknown === 'match');
}

/** Actions that leave nothing to weaker ones. */
const FINAL: readonly Action[] = ['hard_abort', 'abort_turn', 'deny', 'ask', 'respond'];
const BESIDE = ['message', 'add_context', 'suppress_output'];

/** True if one policy could make another's action disappear, or be the same. */
function hides(wide: Rule, narrow: Rule): boolean {
  if (BESIDE.some((key) => Object.hasOwn(narrow.params, key))) return false;
  if (wide.action === narrow.action) return true;
  return FINAL.includes(wide.action) && isStronger(wide.action, narrow.action);
}

/** True if the wide policy alone decides where both match. */
function outweighs(wide: Rule, narrow: Rule): boolean {
  if (wide.action !== narrow.action) return true;
  const isAbove = LAYERS.indexOf(wide.layer) - LAYERS.indexOf(narrow.layer);
  if (wide.action === 'approve') return isAbove <= 0;
  if (!FINAL.includes(wide.action)) return false;
  return (narrow.priority - wide.priority || isAbove || wide.order - narrow.order) < 0;
}

/** True if two policies do the same, whatever words they find for it. */
function isSame(a: Rule, b: Rule): boolean {
  return (
    a.action === b.action &&
    a.whenUnknown === b.whenUnknown &&
    a.on.length === b.on.length &&
    deepEqual(withoutWords(a.params), withoutWords(b.params))
  );
}

function withoutWords(params: JsonObject): JsonObject {
  const { reason: _reason, instead: _instead, description: _description, ...rest } = params;
  return rest;
}

function placeOf({ rule }: Candidate): string {
  return `${rule.position.file}:${rule.position.line}`;
}

function duplicateOf(first: Candidate, second: Candidate): Finding {
  return {
    code: 'duplicate',
    position: second.source.positionOf(['id'], 'value'),
    message: `Cannot tell policy "${second.rule.id}" from "${first.rule.id}": both do the same for the same events`,
    hint: `keep one of them; the other is ${placeOf(first)}`,
  };
}

function shadowOf(wide: Candidate, narrow: Candidate): Finding {
  return {
    code: 'shadowed',
    position: narrow.source.positionOf(['id'], 'value'),
    message: `Cannot take effect: whatever policy "${narrow.rule.id}" matches, "${wide.rule.id}" decides (${wide.rule.action})`,
    hint: `remove it, or except it from ${placeOf(wide)}`,
  };
}
