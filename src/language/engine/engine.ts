import type { Program, Rule } from '../../model/policy.ts';
import type { LinkedRule } from './linked-rule.ts';
import { mayRetry } from './retries.ts';
import { buildRuleIndex, type RuleIndex } from './rule-index.ts';

/** A program ready to decide events. Holds no state between them. */
export interface Engine {
  readonly program: Program;
  readonly index: RuleIndex;
  /** True if some policy asks for the model's name, so that it is worth remembering. */
  readonly needsModel: () => boolean;
  /** True if some policy asks a model. */
  readonly hasJudges: boolean;
  /** True if some policy is about the approval of a call and not about the call: the verdict on one is not that on both. */
  readonly hasApprovalRules: boolean;
  /** The policies whose retries are counted. */
  readonly retrying: readonly Rule[];
}

/**
 * Links a program. Cheap: matchers are compiled when they are first needed.
 *
 * @param link links one rule; programs that share most of their rules can share the linked ones
 */
export function createEngine(program: Program, link: (rule: Rule) => LinkedRule = linkLater): Engine {
  const retrying: Rule[] = [];
  let hasJudges = false;
  let hasApprovalRules = false;
  for (const rule of program.rules) {
    if (rule.judge !== undefined) hasJudges = true;
    if (mayRetry(rule)) retrying.push(rule);
    if (rule.on.includes('approve_tool') && !rule.on.includes('before_tool')) hasApprovalRules = true;
  }
  let needsModel: boolean | undefined;
  return {
    program,
    index: buildRuleIndex(program.rules, program.facts === undefined ? link : inCalls(program.facts, link)),
    hasJudges,
    hasApprovalRules,
    retrying,
    needsModel: () => {
      needsModel ??= program.rules.some(mentionsModel) || program.facts?.some(readsModel) === true;
      return needsModel;
    },
  };
}

/** Links the rules that ask for calls that have not come before; few policies do. */
function inCalls(
  rows: NonNullable<Program['facts']>,
  link: (rule: Rule) => LinkedRule,
): (rule: Rule) => LinkedRule {
  return (rule) => {
    const linked = link(rule);
    if (!JSON.stringify(rule.when).includes('"not_seen"')) return linked;
    const { linkInCalls } = require('./link-in-calls.ts') as typeof import('./link-in-calls.ts');
    return linkInCalls(linked, rows);
  };
}

/** For most calls of a one-shot process no rule is linked, and the matchers are not loaded. */
function linkLater(rule: Rule): LinkedRule {
  const { linkRule } = require('./linked-rule.ts') as typeof import('./linked-rule.ts');
  return linkRule(rule);
}

function mentionsModel(rule: Rule): boolean {
  return readsModel(rule) || /\{\{\s*model\s*\}\}/.test(JSON.stringify([rule.params, rule.judge]));
}

function readsModel({ reads }: Pick<Rule, 'reads'>): boolean {
  return reads?.includes('model') === true;
}
