import { child } from '../../lib/child.ts';
import type { EventKind } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import type { Rule } from '../../model/policy.ts';
import { summaryOfCall } from '../keys/call/summary.ts';
import { type CallSummary, type MayContain, needsAreMet } from '../keys/call-needs.ts';
import type { LinkedRule } from './linked-rule.ts';
import { lazyLookup, lookIn, textsOf } from './literal-look.ts';

/**
 * Finds the rules that an event could match, in file order. A rule is left out only if its event kind, its tool keys,
 * its required literals or its needs rule the event out for certain.
 */
export interface RuleIndex {
  candidates(facts: Facts): readonly LinkedRule[];
  /** Every rule for this kind of event, for explanations and for code that must see all of them. */
  ofKind(kind: EventKind): readonly LinkedRule[];
}

/** Events that are looked up rule by rule before tables are built: a one-shot process never gets beyond. */
const EVENTS_BEFORE_TABLES = 16;
/** Literals times characters: above this, one look at each character is faster for the first event too. */
const MAX_WORK_WITHOUT_TABLES = 50_000_000;

/** Builds the index of a rule set. Rules are linked when they first become candidates: most never do. */
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
  // A process that judges one call seldom needs them.
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

/** An event must have these to match. */
type Required = Pick<Rule, 'literals' | 'needs'>;

/**
 * Those that an event could match, by their requirements.
 *
 * @param widen adds values that a call may hold beyond its summary
 */
export function fitting<T extends Required>(items: readonly T[], facts: Facts, widen?: Widen): readonly T[] {
  return oneByOne(items, lazyLookup(facts.event), facts, widen);
}

type Widen = (summary: CallSummary) => CallSummary;

/**
 * Literals are the cheapest question, so they come first, before any command is read; the caller asks the tool's keys. Plain
 * loops: this runs in processes that are too short for anything to be compiled.
 */
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
