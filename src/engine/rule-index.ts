import type { Json } from '../lib/json.ts';
import { scalarsIn } from '../lib/json-path.ts';
import { buildLiteralIndex, type LiteralIndex } from '../lib/literal-index.ts';
import { checkTime } from '../lib/time-limit.ts';
import { areMet, plainNames } from '../matchers/call-needs.ts';
import { summaryOfCall } from '../matchers/call-summary.ts';
import type { Event, EventKind, ToolClass } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import type { CallNeeds, Literals, Rule } from '../model/policy.ts';
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
  const lookUp = createTables(ofKind);
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

/** What cannot be read could hold anything. */
function isUnreadable({ tool }: Event): boolean {
  return tool !== undefined && tool.arguments === undefined;
}

/** What literals are looked for in, as one text each: what only the seams make up is found for nothing. */
type Texts = Readonly<Record<Literals['scope'], FoldableText>>;

interface FoldableText {
  readonly text: string;
  readonly lower: string;
  readonly ascii: boolean;
  /** True if it holds a number of which the digits that stood there are not known. */
  readonly rounded: boolean;
}

function textsOf(event: Event): Texts {
  return {
    arguments: foldable(scalarsIn(argumentsOf(event))),
    texts: foldable(event.texts.map(({ text }) => text)),
  };
}

/** What tests of arguments look at: what the host says in their place counts as well. */
function argumentsOf({ tool }: Event): Json {
  const { arguments: args = {}, told } = tool ?? {};
  return told === undefined ? args : [args, told];
}

function foldable(parts: readonly string[]): FoldableText {
  const text = parts.length === 1 ? (parts[0] ?? '') : parts.join('\n');
  return { text, lower: text.toLowerCase(), ascii: isAscii(text), rounded: parts.some(mayBeRounded) };
}

/** May this be the text of a number that lost digits? A string that looks the same costs a look at the policies. */
function mayBeRounded(scalar: string): boolean {
  const first = scalar.charCodeAt(scalar.startsWith('-') ? 1 : 0);
  const isNumber = (first >= 48 && first <= 57) || first === 73;
  return isNumber && ROUNDED.test(scalar);
}

const ROUNDED = /^-?(?:[0-9]{16,}|[0-9.]+e\+[0-9]+|Infinity)$/;

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

/** The rules for one kind of event and one tool, as far as its keys go. */
interface Bucket {
  readonly always: readonly LinkedRule[];
  /** Needs by the programs that they name, and those that name none; all their rules together with `always`. */
  readonly byProgram: ReadonlyMap<string, readonly Needing[]>;
  readonly byTraits: readonly Needing[];
  readonly withNeeds: readonly LinkedRule[];
  readonly withLiterals: readonly LinkedRule[];
  readonly tables: Tables;
}

/** A rule that matches no call that does not meet one of its needs. */
interface Needing {
  readonly linked: LinkedRule;
  readonly needs: CallNeeds;
}

interface Tables {
  readonly arguments: LiteralIndex<LinkedRule>;
  readonly texts: LiteralIndex<LinkedRule>;
}

/** Tool names come from the model: an agent that invents names must not fill the memory. */
const MAX_BUCKETS = 1_024;

function createTables(
  ofKind: (kind: EventKind) => readonly LinkedRule[],
): (facts: Facts) => readonly LinkedRule[] {
  const bucketOf = bucketCache(ofKind);
  const found = new Set<LinkedRule>();
  const add = (linked: LinkedRule) => {
    found.add(linked);
  };
  return (facts) => {
    const { event } = facts;
    const bucket = bucketOf(facts);
    const { withLiterals, tables } = bucket;
    const without = withoutLiterals(bucket, facts);
    if (withLiterals.length === 0) return without;
    const scalars = event.tool?.arguments === undefined ? [] : scalarsIn(argumentsOf(event));
    if (isUnreadable(event) || scalars.some(mayBeRounded)) return inOrder(without, withLiterals);
    found.clear();
    for (const text of scalars) tables.arguments.find(text, add);
    for (const { text } of event.texts) tables.texts.find(text, add);
    return found.size === 0 ? without : inOrder(without, found);
  };
}

function withoutLiterals(bucket: Bucket, facts: Facts): readonly LinkedRule[] {
  const { always, byProgram, byTraits, withNeeds } = bucket;
  if (withNeeds.length === always.length) return always;
  const summary = summaryOfCall(facts);
  if (summary === undefined) return withNeeds;
  const found = new Set<LinkedRule>();
  const take = ({ linked, needs }: Needing) => {
    if (!found.has(linked) && areMet(needs, summary)) found.add(linked);
  };
  for (const program of summary.names) byProgram.get(program)?.forEach(take);
  byTraits.forEach(take);
  return found.size === 0 ? always : inOrder(always, found);
}

function bucketCache(ofKind: (kind: EventKind) => readonly LinkedRule[]): (facts: Facts) => Bucket {
  const cache = new Map<string, Map<readonly ToolClass[] | undefined, Map<string, Bucket>>>();
  // Tools that the same rules are for share their tables.
  const shared = new Map<string, Tables>();
  let count = 0;
  return (facts) => {
    const { kind, host, tool } = facts.event;
    if (count > MAX_BUCKETS) {
      cache.clear();
      shared.clear();
      count = 0;
    }
    const perHost = child(cache, kind + host, () => new Map());
    const perClasses = child(perHost, tool?.classes, () => new Map<string, Bucket>());
    return child(perClasses, tool?.name ?? '', () => {
      count += 1;
      return buildBucket(ofKind(kind), facts, shared);
    });
  };
}

function child<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const made = make();
  map.set(key, made);
  return made;
}

function buildBucket(rules: readonly LinkedRule[], facts: Facts, shared: Map<string, Tables>): Bucket {
  const fitting = rules.filter((linked) => {
    checkTime();
    return linked.fitsTool(facts) !== false;
  });
  const withLiterals = fitting.filter(({ rule }) => rule.literals !== null);
  const tables = child(shared, withLiterals.map(({ rule }) => rule.order).join(), () =>
    buildTables(withLiterals),
  );
  const withNeeds = fitting.filter(({ rule }) => rule.literals === null);
  const always = withNeeds.filter(({ rule }) => rule.needs === null);
  const byProgram = new Map<string, Needing[]>();
  const byTraits: Needing[] = [];
  for (const linked of withNeeds) {
    for (const needs of linked.rule.needs ?? []) {
      const programs = plainNames(needs);
      if (programs === undefined) byTraits.push({ linked, needs });
      for (const program of programs ?? [])
        child(byProgram, program, (): Needing[] => []).push({ linked, needs });
    }
  }
  return { always, byProgram, byTraits, withNeeds, withLiterals, tables };
}

function buildTables(rules: readonly LinkedRule[]): Tables {
  const entriesIn = (scope: Literals['scope']) =>
    rules.flatMap((item) => {
      const { literals } = item.rule;
      return literals?.scope === scope ? [{ literals: literals.anyOf, fold: literals.fold, item }] : [];
    });
  return {
    arguments: buildLiteralIndex(entriesIn('arguments')),
    texts: buildLiteralIndex(entriesIn('texts')),
  };
}

/** Both together in file order, in which `rules` are already. */
function inOrder(rules: readonly LinkedRule[], more: Iterable<LinkedRule>): readonly LinkedRule[] {
  const all: LinkedRule[] = [];
  let at = 0;
  for (const linked of [...more].sort((x, y) => x.rule.order - y.rule.order)) {
    for (let next = rules[at]; next !== undefined && next.rule.order < linked.rule.order; next = rules[++at])
      all.push(next);
    all.push(linked);
  }
  for (let next = rules[at]; next !== undefined; next = rules[++at]) all.push(next);
  return all;
}
