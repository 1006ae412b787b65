import { child } from '../../lib/child.ts';
import type { EventKind } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import type { Rule } from '../../model/policy.ts';
import { summaryOfCall } from '../keys/call/summary.ts';
import { type CallSummary, type MayContain, needsAreMet } from '../keys/call-needs.ts';
import type { LinkedRule } from './linked-rule.ts';
import { lazyLookup, lookIn, textsOf } from './literal-look.ts';

/**
 * Finds the rules that an event could match, in file order. A rule is left out only if its event kind, tool keys, literals or
 * needs exclude the event for certain.
 */
export interface RuleIndex {
  candidates(facts: Facts): readonly LinkedRule[];
  /** Every rule for this kind of event, for explanations and for code that must see all of them. */
  ofKind(kind: EventKind): readonly LinkedRule[];
}

/** Events that are checked rule by rule before tables are built; a one-shot process has fewer. */
const EVENTS_BEFORE_TABLES = 16;
/** Literals times characters above which the tables are faster for the first event, too. */
const MAX_WORK_WITHOUT_TABLES = 50_000_000;

/** Builds the index of a rule set. Rules are linked when they first become candidates; most never do. */
export function buildRuleIndex(rules: readonly Rule[], linkOne: (rule: Rule) => LinkedRule): RuleIndex {
  const linked: (LinkedRule | undefined)[] = [];
  const link = (rule: Rule): LinkedRule => {
    const known = linked[rule.order];
    if (known !== undefined) return known;
    const made = linkOne(rule);
    linked[rule.order] = made;
    return made;
  };
  const kinds = new Map<EventKind, readonly LinkedRule[]>();
  const ofKind = (kind: EventKind) =>
    child(kinds, kind, () => rules.filter(({ on }) => on.includes(kind)).map(link));
  let tables: ReturnType<typeof import('./rule-tables.ts').createTables> | undefined;
  // Processes for one call seldom need them.
  const lookUp = (facts: Facts): readonly LinkedRule[] => {
    tables ??= (require('./rule-tables.ts') as typeof import('./rule-tables.ts')).createTables(ofKind);
    return tables(facts);
  };
  let literals = 0;
  for (const rule of rules) literals += rule.literals?.anyOf.length ?? 0;
  let events = 0;
  return {
    ofKind,
    candidates(facts) {
      if (events >= EVENTS_BEFORE_TABLES) return lookUp(facts);
      const texts = textsOf(facts.event);
      const length = texts.arguments.text.length + texts.texts.text.length;
      if (length * literals > MAX_WORK_WITHOUT_TABLES) return lookUp(facts);
      events += 1;
      const ofEvent = rules.filter(({ on }) => on.includes(facts.event.kind));
      return oneByOne(ofEvent, lookIn(facts.event, texts), facts).map(link);
    },
  };
}

/** The conditions that an event must meet. */
type Required = Pick<Rule, 'literals' | 'needs'>;

/**
 * The items that an event could match, by their requirements.
 *
 * @param widen adds possible values of a call to its summary
 */
export function possible<T extends Required>(items: readonly T[], facts: Facts, widen?: Widen): readonly T[] {
  return oneByOne(items, lazyLookup(facts.event), facts, widen);
}

type Widen = (summary: CallSummary) => CallSummary;

/** Checks rule by rule, literals first, as they are cheapest. Plain loops, because short processes run without a JIT. */
function oneByOne<T extends Required>(
  rules: readonly T[],
  mayHold: MayContain,
  facts: Facts,
  widen: Widen = (summary) => summary,
): readonly T[] {
  const found: T[] = [];
  for (const rule of rules) {
    const { literals } = rule;
    if (literals === null || mayHold(literals)) found.push(rule);
  }
  if (found.every(({ needs }) => needs === null)) return found;
  const narrow = summaryOfCall(facts);
  if (narrow === undefined) return found;
  const summary = widen(narrow);
  return found.filter(
    ({ needs }) => needs === null || needs.some((each) => needsAreMet(each, summary, mayHold)),
  );
}
