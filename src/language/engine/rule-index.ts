import { child } from '../../lib/child.ts';
import { scalarsIn } from '../../lib/json-path.ts';
import type { Event, EventKind } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import type { Literals, Rule } from '../../model/policy.ts';
import { summaryOfCall } from '../keys/call/summary.ts';
import { areMet } from '../keys/call-needs.ts';
import { argumentsOf, isUnreadable, mayBeRounded } from './event-scalars.ts';
import type { LinkedRule } from './linked-rule.ts';

/**
 * Finds the rules that an event could match, in file order. A rule is left out only if its event kind, its tool keys,
 * its required literals or its needs rule the event out for certain.
 */
export interface RuleIndex {
  candidates(facts: Facts): readonly LinkedRule[];
  /** Every rule for this kind of event, for explanations and for what must see all of them. */
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
  const literals = rules.reduce((sum, rule) => sum + (rule.literals?.anyOf.length ?? 0), 0);
  let events = 0;
  return {
    ofKind,
    candidates(facts) {
      if (events >= EVENTS_BEFORE_TABLES) return lookUp(facts);
      const texts = textsOf(facts.event);
      const length = texts.arguments.text.length + texts.texts.text.length;
      if (length * literals > MAX_WORK_WITHOUT_TABLES) return lookUp(facts);
      events += 1;
      return oneByOne(rules, texts, facts).map(link);
    },
  };
}

/**
 * Literals are the cheapest question, so they come first, before any command is read; what the tool's keys say is left to
 * the caller. Plain loops: this runs in processes that are too short for anything to be compiled.
 */
function oneByOne(rules: readonly Rule[], texts: Texts, facts: Facts): readonly Rule[] {
  const { event } = facts;
  const readable = !isUnreadable(event) && !texts.arguments.rounded;
  const found: Rule[] = [];
  for (const rule of rules) {
    if (!rule.on.includes(event.kind)) continue;
    const { literals } = rule;
    if (literals === null || !readable || mayContain(texts[literals.scope], literals)) found.push(rule);
  }
  if (found.every(({ needs }) => needs === null)) return found;
  const summary = summaryOfCall(facts);
  if (summary === undefined) return found;
  return found.filter(({ needs }) => needs === null || needs.some((each) => areMet(each, summary)));
}

/** What literals are looked for in, as one text each: what only the seams make up is found for nothing. */
type Texts = Readonly<Record<Literals['scope'], FoldableText>>;

interface FoldableText {
  readonly text: string;
  readonly lower: string;
  readonly ascii: boolean;
  /** True if it holds a number of which the digits that was there are not known. */
  readonly rounded: boolean;
}

function textsOf(event: Event): Texts {
  return {
    arguments: foldable(scalarsIn(argumentsOf(event))),
    texts: foldable(event.texts.map(({ text }) => text)),
  };
}

function foldable(parts: readonly string[]): FoldableText {
  const text = parts.length === 1 ? (parts[0] ?? '') : parts.join('\n');
  return { text, lower: text.toLowerCase(), ascii: isAscii(text), rounded: parts.some(mayBeRounded) };
}

function mayContain({ text, lower, ascii }: FoldableText, { anyOf, fold }: Literals): boolean {
  // Outside ASCII, case folding knows more pairs than toLowerCase (the Kelvin sign, the long s).
  if (fold && !ascii) return true;
  for (const literal of anyOf) if ((fold ? lower : text).includes(literal)) return true;
  return false;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}
