import type { EventKind } from '../model/event.ts';
import type { Program, Rule } from '../model/policy.ts';
import { type LinkedRule, linkRule } from './linked-rule.ts';
import { mayRetry } from './retries.ts';
import { buildRuleIndex, type RuleIndex } from './rule-index.ts';

/** A program ready to judge. Holds no state between events. */
export interface Engine {
  readonly program: Program;
  readonly index: RuleIndex;
  /** True if some policy asks for the model's name, so that it is worth remembering. */
  readonly needsModel: () => boolean;
  /** True if some policy asks a model. */
  readonly hasJudges: boolean;
  /** The policies of this kind whose retries are counted. */
  readonly retryRules: (kind: EventKind) => readonly LinkedRule[];
}

/**
 * Links a program. Cheap: matchers are compiled when they are first needed.
 *
 * @param link links one rule; programs that share most of their rules can share what they link to
 */
export function createEngine(program: Program, link: (rule: Rule) => LinkedRule = linkRule): Engine {
  const index = buildRuleIndex(program.rules.map((rule) => link(rule)));
  const retries = new Map<EventKind, readonly LinkedRule[]>();
  let needsModel: boolean | undefined;
  return {
    program,
    index,
    hasJudges: program.rules.some(({ judge }) => judge !== undefined),
    needsModel: () => {
      needsModel ??= program.rules.some(mentionsModel);
      return needsModel;
    },
    retryRules: (kind) => {
      const known = retries.get(kind);
      if (known !== undefined) return known;
      const found = index.ofKind(kind).filter(({ rule }) => mayRetry(rule));
      retries.set(kind, found);
      return found;
    },
  };
}

function mentionsModel(rule: Rule): boolean {
  return /"model_prefix"|\{\{\s*model\s*\}\}/.test(JSON.stringify([rule.when, rule.params, rule.judge]));
}
