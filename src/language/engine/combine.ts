import { type JsonObject, own, ownString } from '../../lib/json.ts';
import { checkTime } from '../../lib/time-limit.ts';
import { type Action, isStronger, refuses } from '../../model/action.ts';
import { type Decision, decide, noOpinion, reasonInPlace, refusal } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import type { Hit } from '../../model/outcome.ts';
import { LAYERS, type Layer, type Program, type Rule, refusesUnjudged } from '../../model/policy.ts';
import { actionSpec } from '../actions/action-loaders.ts';
import type { ActionInput } from '../actions/action-spec.ts';
import { commonPartsOf } from '../actions/common-params.ts';
import { MAX_REASON_BYTES, reasonParts, refusalText } from '../actions/reason.ts';
import { retryLimit } from '../actions/retry-feedback.ts';
import { languageOf } from '../keys/call/shell-language.ts';
import { argumentAt, rendererFor } from './template-values.ts';

export interface CombinePorts {
  /** Matches the event that a rewrite would make against every policy. */
  readonly judgeAgain: (event: Event) => { readonly facts: Facts; readonly hits: readonly Hit[] };
  /** Counts one more retry; false if there are none left. */
  readonly retryLeft: (rule: Rule, maxRetries: number) => boolean;
}

/**
 * Makes one decision: the strongest action wins, rewrites apply together if nothing is stronger, and all messages and context
 * are collected.
 */
export function combine(program: Program, facts: Facts, hits: readonly Hit[], ports: CombinePorts): Decision {
  const inForce = inForceAmong(hits);
  if (inForce.length === 0) return unmatched(program, facts, inForce) ?? noOpinion();
  return combineHits(program, facts, inForce, ports);
}

function inForceAmong(hits: readonly Hit[]): readonly Rule[] {
  return hits
    .filter(({ how }) => how === 'matched' || how === 'unknown')
    .map(({ rule }) => (refusesUnjudged(rule) ? refusing(rule) : rule));
}

/** A policy that changed since it was trusted, or is invalid, denies: above other denials, and no weaker than stronger actions. */
function refusing(rule: Rule): Rule {
  const params =
    rule.trust === 'changed'
      ? {
          reason: "this project's policies have changed since they were trusted",
          instead: 'have a person review them and run policy trust',
        }
      : { reason: asText(rule.broken ?? ''), instead: 'have a person look at it: policy check shows where' };
  return { ...rule, action: 'deny', priority: Number.POSITIVE_INFINITY, params };
}

/** Braces in a file name are not a template. */
function asText(text: string): string {
  return text.replaceAll('{{', '{ {');
}

/** @param steppedBack ids of policies that are no longer asked, not even about a rewritten call */
function combineHits(
  program: Program,
  facts: Facts,
  inForce: readonly Rule[],
  ports: CombinePorts,
  steppedBack: ReadonlySet<string> = new Set(),
): Decision {
  checkTime();
  const beside = allExtras(inForce, facts);
  const rules = settleRetries([...inForce].sort(byWeight), ports);
  const refused = unmatched(program, facts, inForce);
  const strongest = rules[0];
  if (refused !== undefined && (strongest === undefined || !isStronger(strongest.action, 'deny'))) {
    const denial = rules.find(({ action }) => action === 'deny');
    // The denial speaks for the layer as well, which does not step back.
    const spoken =
      denial === undefined ? refused : { ...decisionOf(denial, facts), onUnsupported: 'refuse' as const };
    return { ...spoken, ...beside };
  }
  if (strongest === undefined) return decide({ action: 'continue', ...beside });
  if (strongest.action === 'modify')
    return { ...rewrite(program, rules, facts, ports, steppedBack), ...beside };
  const spoken = withOwnReason(decisionOf(strongest, facts), strongest, rules, facts);
  const decision = { ...withHistory(spoken, strongest, facts, program), ...beside };
  if (decision.onUnsupported === 'refuse') return decision;
  // A policy that steps back where its action cannot be had must not take the others along.
  const optional = rules.filter((rule) => isOptional(rule, strongest.action)).map(({ id }) => id);
  const without = new Set([...steppedBack, ...optional]);
  const others = inForce.filter(({ id }) => !without.has(id));
  return { ...decision, otherwise: combineHits(program, facts, others, ports, without) };
}

function isOptional(rule: Rule, action: Action): boolean {
  return rule.action === action && onUnsupportedOf(rule) === 'continue';
}

/** True if the rules refuse without any verdict: one denies or stops, or a layer demands an approval. */
export function rulesRefuse(
  program: Program,
  facts: Facts,
  rules: readonly Rule[],
  judges: readonly Rule[],
): boolean {
  if ([...rules, ...judges].some(refusesUnjudged)) return true;
  if (rules.some(refusesForCertain)) return true;
  const approving = judges
    .filter(({ judge }) => Object.values(judge?.verdicts ?? {}).some(({ action }) => action === 'approve'))
    .map((rule): Rule => ({ ...rule, action: 'approve' }));
  return unmatched(program, facts, [...rules, ...approving]) !== undefined;
}

function refusesForCertain(rule: Rule): boolean {
  return refuses(rule.action) && onUnsupportedOf(rule) === 'refuse';
}

/** Strongest action first, then by priority, layer and position. */
function byWeight(a: Rule, b: Rule): number {
  if (a.action !== b.action) return isStronger(a.action, b.action) ? -1 : 1;
  return byPriority(a, b);
}

function byPriority(a: Rule, b: Rule): number {
  return b.priority - a.priority || levelOf(a.layer) - levelOf(b.layer) || a.order - b.order;
}

/** The refusal of a built-in policy with that of the most specific layer, which tells how to go on; alone if both are too long. */
function withOwnReason(decision: Decision, strongest: Rule, rules: readonly Rule[], facts: Facts): Decision {
  if (strongest.layer !== 'builtin' || decision.reason === undefined || !refuses(strongest.action))
    return decision;
  const own = rules
    .filter(({ action, layer }) => action === strongest.action && layer !== 'builtin')
    .reduce<Rule | undefined>(
      (best, rule) => (best === undefined || levelOf(rule.layer) > levelOf(best.layer) ? rule : best),
      undefined,
    );
  const reason = own === undefined ? undefined : decisionOf(own, facts).reason;
  const both = `${decision.reason} ${reason}`;
  return reason === undefined || Buffer.byteLength(both) > MAX_REASON_BYTES
    ? decision
    : { ...decision, reason: both };
}

let texts: typeof import('../keys/history/before-texts.ts') | undefined;

/** A refusal by history with the calls that it rests on, and why the one does not count that would have freed this call. */
function withHistory(decision: Decision, { when }: Rule, facts: Facts, { facts: rows }: Program): Decision {
  if (rows === undefined || decision.reason === undefined) return decision;
  texts ??= require('../keys/history/before-texts.ts') as typeof import('../keys/history/before-texts.ts');
  const { beforeTexts, hiddenHint } = texts;
  const both = `${decision.reason} ${hiddenHint(when, facts) ?? ''}`.trimEnd();
  const reason = Buffer.byteLength(both) > MAX_REASON_BYTES ? decision.reason : both;
  return { ...decision, reason, before: () => beforeTexts(when, facts) };
}

/** The decision of one rule, regardless of other matches. */
function decisionOf(rule: Rule, facts: Facts): Decision {
  const parts = actionSpec(rule.action).decide(inShellOf(rule.params, facts), inputFor(rule, facts));
  return decide({
    action: rule.action,
    policyId: rule.id,
    onUnsupported: onUnsupportedOf(rule),
    ...parts,
  });
}

/** A way out that names commands names those of the call's own shell. */
function inShellOf(params: JsonObject, facts: Facts): JsonObject {
  const instead = ownString(params, 'instead');
  if (instead?.includes('`') !== true || languageOf(facts) !== 'powershell') return params;
  const { inPowerShell } =
    require('../actions/in-powershell.ts') as typeof import('../actions/in-powershell.ts');
  return { ...params, instead: inPowerShell(instead) };
}

function onUnsupportedOf(rule: Rule): Decision['onUnsupported'] {
  return own(rule.params, 'on_unsupported') === 'continue' ? 'continue' : 'refuse';
}

function inputFor(rule: Rule, facts: Facts): ActionInput {
  return {
    ruleId: rule.id,
    arguments: facts.event.tool?.arguments,
    argument: (path) => argumentAt(facts.event, path),
    render: rendererFor(rule, facts),
    kept: rule.kept,
  };
}

/** More than anybody reads with an answer, in UTF-16 units. */
const MAX_BESIDE_LENGTH = 256 * 1024;

/** The texts beside the action, from every policy that matched; truncated if they are too long to read. */
function allExtras(
  rules: readonly Rule[],
  facts: Facts,
): Pick<Decision, 'messages' | 'contexts' | 'suppressOutput'> {
  const messages: string[] = [];
  const contexts: string[] = [];
  let suppressOutput = false;
  let room = MAX_BESIDE_LENGTH;
  for (const rule of rules) {
    const parts = commonPartsOf(rule.params, rendererFor(rule, facts, room));
    for (const text of [...parts.messages, ...parts.contexts]) room = Math.max(0, room - text.length);
    messages.push(...parts.messages);
    contexts.push(...parts.contexts);
    suppressOutput ||= parts.suppressOutput;
  }
  return { messages: messages.filter(isText), contexts: contexts.filter(isText), suppressOutput };
}

function isText(text: string): boolean {
  return text !== '';
}

/**
 * Counts a retry for the strongest feedback rule. One without retries left takes its `on_exhausted` action, and all is combined
 * again.
 */
function settleRetries(rules: readonly Rule[], ports: CombinePorts): readonly Rule[] {
  const exhausted: Rule[] = [];
  for (const rule of rules) {
    if (rule.action !== 'retry_feedback') break;
    checkTime();
    const { maxRetries, onExhausted } = retryLimit(rule.params);
    if (ports.retryLeft(rule, maxRetries)) break;
    const reason = own(rule.params, 'feedback') ?? null;
    exhausted.push({ ...rule, action: onExhausted, params: { ...rule.params, reason } });
    if (isStronger(onExhausted, 'retry_feedback')) break;
  }
  if (exhausted.length === 0) return rules;
  return [...exhausted, ...rules.slice(exhausted.length)].sort(byWeight);
}

/** Applies all rewrites once and judges the result: it is refused if it would be refused, or rewritten again. */
function rewrite(
  program: Program,
  rules: readonly Rule[],
  facts: Facts,
  ports: CombinePorts,
  steppedBack: ReadonlySet<string>,
): Decision {
  // Loaded for the calls that are rewritten.
  const { applyRewrites } = require('./rewrite.ts') as typeof import('./rewrite.ts');
  const modifying = rules.filter(({ action }) => action === 'modify').sort(byPriority);
  const rewritten = applyRewrites(modifying, facts);
  if (!rewritten.ok) {
    const culprit = modifying.find(({ id }) => id === rewritten.ruleId);
    const parts = { policyId: rewritten.ruleId, ...denialOf(culprit) };
    return refusal(reasonInPlace(parts, rewritten.cause), rewritten.ruleId);
  }
  const { event, forms, ruleIds } = rewritten;
  if (forms.length === 0) {
    const weaker = rules.find(({ action }) => isStronger('modify', action));
    return weaker === undefined ? decide({ action: 'continue' }) : decisionOf(weaker, facts);
  }
  const by = ruleIds.join(', ');
  const again = ports.judgeAgain(event);
  const inForce = inForceAmong(again.hits).filter(({ id }) => !steppedBack.has(id));
  const refused = refusalOfRewritten(program, again.facts, inForce);
  if (refused !== undefined) {
    // Denied whatever action the policy has for it: the agent did not ask for this call, and a further denial of the call that it
    // did ask for must not come to less than this.
    const { policyId, reason } = refused;
    const text = `${reason ?? `Refused by ${policyId}.`} This is about the call as rewritten by ${by}.`;
    return { ...refusal(text, policyId), rewrittenBy: ruleIds };
  }
  if (facts.event.tool !== undefined) {
    const second = applyRewrites(
      inForce.filter(({ action }) => action === 'modify').sort(byPriority),
      again.facts,
    );
    if (!second.ok || second.forms.length > 0) {
      const culprits = second.ok ? second.ruleIds : [second.ruleId];
      const text = `Refused by ${culprits.join(', ')}: the call as rewritten by ${by} would be rewritten again. The policies must agree on one form of the call.`;
      return { ...refusal(text, culprits[0]), rewrittenBy: ruleIds };
    }
  }
  const first = modifying.find(({ id }) => ruleIds.includes(id));
  return decide({
    action: 'modify',
    policyId: first?.id,
    ...denialOf(first),
    subject: event.subject,
    rewrites: forms,
    rewrittenBy: ruleIds,
    onUnsupported: modifying.every((rule) => onUnsupportedOf(rule) === 'continue') ? 'continue' : 'refuse',
  });
}

/** The first sentence of a refusal in place of a rewrite: the purpose of the policy. */
function denialOf(rule: Rule | undefined): Pick<Decision, 'denial'> {
  const { description } = reasonParts(rule?.params ?? {});
  if (rule === undefined || description === undefined) return {};
  return { denial: refusalText(rule.id, { description }, (text) => text) };
}

/** Refuses a call as it was rewritten. A question or an answer in its place could only be about another call. */
function refusalOfRewritten(program: Program, facts: Facts, inForce: readonly Rule[]): Decision | undefined {
  const [strongest] = inForce.filter(({ action }) => isStronger(action, 'modify')).sort(byWeight);
  if (strongest === undefined) return unmatched(program, facts, inForce);
  return isStronger(strongest.action, 'ask')
    ? decisionOf(strongest, facts)
    : refusal(`Refused by ${strongest.id}.`, strongest.id);
}

/** The refusal of a call that a layer demands an approval for and that nobody of that layer or above approves. */
function unmatched(program: Program, facts: Facts, inForce: readonly Rule[]): Decision | undefined {
  const { kind } = facts.event;
  if (program.unmatchedDeny.length === 0 || (kind !== 'before_tool' && kind !== 'approve_tool'))
    return undefined;
  const approving = inForce.filter(({ action }) => action === 'approve').map(({ layer }) => levelOf(layer));
  const highest = approving.reduce((a, b) => Math.min(a, b), LAYERS.length);
  const strict = program.unmatchedDeny.find(({ layer }) => levelOf(layer) < highest);
  if (strict === undefined) return undefined;
  const { file } = strict;
  return refusal(`Refused by ${file}: no policy there approves this call (unmatched: deny).`, file);
}

/** 0 for the strongest layer, higher for weaker ones. */
function levelOf(layer: Layer): number {
  return LAYERS.indexOf(layer);
}
