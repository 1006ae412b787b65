import { deepEqual } from '../../lib/deep-equal.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type Action, isStronger } from '../../model/action.ts';
import { EVENT_KINDS } from '../../model/event.ts';
import { LAYERS, type Rule } from '../../model/policy.ts';
import { ANALYSES } from '../keys/analyses.ts';
import { MATCHERS } from '../keys/registry.ts';
import { type Conjuncts, conjunctsOf, whenImplies } from '../keys/when-implies.ts';
import { givenTokens, requiredTokens } from '../keys/when-tokens.ts';
import type { Finding, LintedPolicy, LintRule } from './lint-rule.ts';

/** Policies that never decide, because another one always does, and policies that are there twice. */
export const shadowed = {
  codes: ['shadowed', 'duplicate'],
  check: ({ policies }) => {
    const candidates = new Map(policies.filter(isPlain).map((policy) => [policy, prepared(policy)]));
    const lookUp = createLookUp([...candidates.values()]);
    return (policy) => {
      const narrow = candidates.get(policy);
      return narrow === undefined ? [] : findingsOf(narrow, lookUp(narrow));
    };
  },
} as const satisfies LintRule;

/** Monitored policies are there for the log, and the verdict of a judge is unknown. */
function isPlain({ rule: { judge, mode, trust } }: LintedPolicy): boolean {
  return judge === undefined && mode === 'enforce' && trust === 'active';
}

/** A policy with its keys as bits, which rule out most pairs. */
interface Candidate extends LintedPolicy {
  readonly conjuncts: Conjuncts;
  /** Keys at the top, but for `any`, which other keys can imply. */
  readonly needed: number;
  /** Keys anywhere. */
  readonly given: number;
  readonly events: number;
}

const KEY_BITS = new Map(MATCHERS.map(({ key }, index) => [key, 1 << index]));

function prepared(policy: LintedPolicy): Candidate {
  const { rule } = policy;
  const conjuncts = conjunctsOf(rule.when);
  return {
    ...policy,
    conjuncts,
    needed: keyBits(conjuncts.filter(([key]) => key !== 'any')),
    given: keyBits(conjuncts) | keyBits(inAlternatives(conjuncts)),
    events: rule.on.reduce((bits, kind) => bits | (1 << EVENT_KINDS.indexOf(kind)), 0),
  };
}

/** Finds the policies that could cover another one, in order. */
function createLookUp(candidates: readonly Candidate[]): (narrow: Candidate) => readonly Candidate[] {
  const byToken = new Map<string, Candidate[]>();
  const others: Candidate[] = [];
  for (const candidate of candidates) {
    const tokens = requiredTokens(candidate.conjuncts, ANALYSES);
    if (tokens === undefined) others.push(candidate);
    for (const token of tokens ?? []) {
      const list = byToken.get(token);
      if (list === undefined) byToken.set(token, [candidate]);
      else list.push(candidate);
    }
  }
  return ({ conjuncts }) => {
    const found = new Set(others);
    for (const token of givenTokens(conjuncts, ANALYSES))
      for (const candidate of byToken.get(token) ?? []) found.add(candidate);
    return [...found].sort((a, b) => a.rule.order - b.rule.order);
  };
}

function keyBits(conjuncts: Conjuncts): number {
  return conjuncts.reduce((bits, [key]) => bits | (KEY_BITS.get(key) ?? 0), 0);
}

function inAlternatives(conjuncts: Conjuncts): Conjuncts {
  return conjuncts.flatMap(([key, spec]) => {
    if (key !== 'any' || !Array.isArray(spec)) return [];
    return spec.flatMap((branch) => {
      const inside = conjunctsOf(branch);
      return [...inside, ...inAlternatives(inside)];
    });
  });
}

const BESIDE = ['message', 'add_context', 'suppress_output'];

function findingsOf(narrow: Candidate, candidates: readonly Candidate[]): readonly Finding[] {
  // A parameter beside the action takes effect whichever policy decides.
  if (BESIDE.some((key) => Object.hasOwn(narrow.rule.params, key))) return [];
  let shadow: Candidate | undefined;
  for (const wide of candidates) {
    if (wide === narrow || !mayHide(wide.rule, narrow.rule) || !covers(wide, narrow)) continue;
    if (isSame(wide.rule, narrow.rule) && covers(narrow, wide)) {
      if (wide.rule.order < narrow.rule.order) return [duplicateOf(wide, narrow)];
    } else if (outweighs(wide.rule, narrow.rule)) shadow ??= wide;
  }
  return shadow === undefined ? [] : [shadowOf(shadow, narrow)];
}

/** True if the wide policy takes effect whenever the narrow one does. */
function covers(wide: Candidate, narrow: Candidate): boolean {
  if ((wide.needed & ~narrow.given) !== 0 || (narrow.events & ~wide.events) !== 0) return false;
  const { rule } = wide;
  if (narrow.rule.whenUnknown === 'match' && rule.whenUnknown === 'skip') return false;
  return whenImplies(narrow.conjuncts, wide.conjuncts, rule.whenUnknown === 'match', ANALYSES);
}

/** Actions that leave nothing to weaker ones. */
const FINAL: readonly Action[] = ['hard_abort', 'abort_turn', 'deny', 'ask', 'respond'];

/** True if one policy could make another's action disappear, or be the same. */
function mayHide(wide: Rule, narrow: Rule): boolean {
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
    path: ['id'],
    message: `Cannot tell policy "${second.rule.id}" from "${first.rule.id}": both do the same for the same events`,
    hint: `keep one of them; the other is ${placeOf(first)}`,
  };
}

function shadowOf(wide: Candidate, narrow: Candidate): Finding {
  return {
    path: ['id'],
    message: `Cannot take effect: whatever policy "${narrow.rule.id}" matches, "${wide.rule.id}" decides (${wide.rule.action})`,
    hint: `remove it, or except it from ${placeOf(wide)}`,
  };
}
