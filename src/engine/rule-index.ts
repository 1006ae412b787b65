import { scalarsIn } from '../lib/json-path.ts';
import { buildLiteralIndex, type LiteralIndex } from '../lib/literal-index.ts';
import type { Event, EventKind, ToolClass } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import type { Literals } from '../model/policy.ts';
import type { LinkedRule } from './linked-rule.ts';

/**
 * Finds the rules that an event could match, in file order. A rule is left out only if its event kind, its tool keys or
 * its required literals rule the event out for certain.
 */
export interface RuleIndex {
  candidates(facts: Facts): readonly LinkedRule[];
  /** Every rule for this kind of event, for explanations and for what must see all of them. */
  ofKind(kind: EventKind): readonly LinkedRule[];
}

/** The rules for one kind of event and one tool. */
interface Bucket {
  readonly always: readonly LinkedRule[];
  readonly withLiterals: readonly LinkedRule[];
  uses: number;
  /** Built when the bucket has shown itself worth it; a one-shot process never gets there. */
  tables:
    | { readonly arguments: LiteralIndex<LinkedRule>; readonly texts: LiteralIndex<LinkedRule> }
    | undefined;
}

const USES_BEFORE_TABLES = 16;
/** Tool names come from the model: an agent that invents names must not fill the memory. */
const MAX_BUCKETS = 1_024;

/** Builds the index of a rule set. */
export function buildRuleIndex(rules: readonly LinkedRule[]): RuleIndex {
  const byKind = new Map<EventKind, LinkedRule[]>();
  for (const linked of rules) {
    for (const kind of linked.rule.on) {
      const list = byKind.get(kind);
      if (list === undefined) byKind.set(kind, [linked]);
      else list.push(linked);
    }
  }
  const ofKind = (kind: EventKind) => byKind.get(kind) ?? [];
  const bucketOf = bucketCache(ofKind);
  const found: LinkedRule[] = [];
  const add = (linked: LinkedRule) => {
    if (!found.includes(linked)) found.push(linked);
  };

  return {
    ofKind,
    candidates(facts) {
      const { event } = facts;
      const bucket = bucketOf(facts);
      if (bucket.withLiterals.length === 0) return bucket.always;
      if (event.tool !== undefined && event.tool.arguments === undefined)
        return inOrder(bucket.always, bucket.withLiterals);
      found.length = 0;
      collect(bucket, event, add);
      return found.length === 0 ? bucket.always : inOrder(bucket.always, found);
    },
  };
}

function bucketCache(ofKind: (kind: EventKind) => readonly LinkedRule[]): (facts: Facts) => Bucket {
  const cache = new Map<string, Map<readonly ToolClass[] | undefined, Map<string, Bucket>>>();
  let count = 0;
  return (facts) => {
    const { kind, host, tool } = facts.event;
    if (count > MAX_BUCKETS) {
      cache.clear();
      count = 0;
    }
    const perHost = child(cache, kind + host, () => new Map());
    const perClasses = child(perHost, tool?.classes, () => new Map<string, Bucket>());
    return child(perClasses, tool?.name ?? '', () => {
      count += 1;
      return buildBucket(ofKind(kind), facts);
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

function buildBucket(rules: readonly LinkedRule[], facts: Facts): Bucket {
  const always: LinkedRule[] = [];
  const withLiterals: LinkedRule[] = [];
  for (const linked of rules) {
    if (linked.fitsTool(facts) === false) continue;
    (linked.rule.literals === null ? always : withLiterals).push(linked);
  }
  return { always, withLiterals, uses: 0, tables: undefined };
}

function collect(bucket: Bucket, event: Event, add: (linked: LinkedRule) => void): void {
  bucket.uses += 1;
  if (bucket.tables === undefined && bucket.uses > USES_BEFORE_TABLES) bucket.tables = buildTables(bucket);
  if (bucket.tables === undefined) {
    collectOneByOne(bucket.withLiterals, event, add);
    return;
  }
  if (event.tool?.arguments !== undefined) {
    for (const text of scalarsIn(event.tool.arguments)) bucket.tables.arguments.find(text, add);
  }
  for (const { text } of event.texts) bucket.tables.texts.find(text, add);
}

function buildTables(bucket: Bucket): NonNullable<Bucket['tables']> {
  const entriesIn = (scope: Literals['scope']) =>
    bucket.withLiterals.flatMap((item) => {
      const { literals } = item.rule;
      return literals?.scope === scope ? [{ literals: literals.anyOf, fold: literals.fold, item }] : [];
    });
  return {
    arguments: buildLiteralIndex(entriesIn('arguments')),
    texts: buildLiteralIndex(entriesIn('texts')),
  };
}

function collectOneByOne(
  rules: readonly LinkedRule[],
  event: Event,
  add: (linked: LinkedRule) => void,
): void {
  const texts = {
    arguments: foldable(scalarsIn(event.tool?.arguments ?? {})),
    texts: foldable(event.texts.map(({ text }) => text)),
  };
  for (const linked of rules) {
    const { literals } = linked.rule;
    if (literals === null || texts[literals.scope].some((text) => mayContain(text, literals))) add(linked);
  }
}

interface FoldableText {
  readonly text: string;
  readonly lower: string;
  readonly ascii: boolean;
}

function foldable(texts: readonly string[]): readonly FoldableText[] {
  return texts.map((text) => ({ text, lower: text.toLowerCase(), ascii: isAscii(text) }));
}

function mayContain({ text, lower, ascii }: FoldableText, { anyOf, fold }: Literals): boolean {
  // Outside ASCII, case folding knows more pairs than toLowerCase (the Kelvin sign, the long s).
  if (fold && !ascii) return true;
  return anyOf.some((literal) => (fold ? lower : text).includes(literal));
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

function inOrder(a: readonly LinkedRule[], b: readonly LinkedRule[]): readonly LinkedRule[] {
  return [...a, ...b].sort((x, y) => x.rule.order - y.rule.order);
}
