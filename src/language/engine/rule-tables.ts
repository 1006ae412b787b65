import { child } from '../../lib/child.ts';
import { scalarsIn } from '../../lib/json-path.ts';
import { buildLiteralIndex, type LiteralIndex } from '../../lib/literal-index.ts';
import { checkTime } from '../../lib/time-limit.ts';
import type { Event, EventKind, ToolCall, ToolClass } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import type { CallNeeds, Literals } from '../../model/policy.ts';
import { summaryOfCall } from '../keys/call/summary.ts';
import { type CallSummary, needsAreMet, plainNames, plainWords } from '../keys/call-needs.ts';
import { isUnreadable, mayBeRounded, testedArguments } from './event-scalars.ts';
import type { LinkedRule } from './linked-rule.ts';
import { lazyLookup } from './literal-look.ts';

/** The rules for one kind of event and one tool. */
interface Bucket {
  readonly always: readonly LinkedRule[];
  /** The needs that name programs, by program; all rules together with `always`. */
  readonly byProgram: ReadonlyMap<string, OfProgram>;
  readonly byTraits: readonly Alike[];
  readonly withNeeds: readonly LinkedRule[];
  readonly withLiterals: readonly LinkedRule[];
  readonly tables: Tables;
}

/** A rule that only matches calls that meet one of its needs. */
interface Needing {
  readonly linked: LinkedRule;
  readonly needs: CallNeeds;
}

/** The needs of a program: those with first words, by these words, and the others. */
interface OfProgram {
  readonly byWord: Map<string, Needing[]>;
  readonly others: Needing[];
}

/** Needs with equal effects, which are checked together because hardly any is met. */
interface Alike {
  readonly traits: readonly number[];
  readonly causes: readonly string[] | undefined;
  readonly needing: Needing[];
}

interface Tables {
  readonly arguments: LiteralIndex<LinkedRule>;
  readonly texts: LiteralIndex<LinkedRule>;
}

/** The limit of buckets: tool names come from the model, which may invent many. */
const MAX_BUCKETS = 1_024;

/** Finds candidates in tables, one for each kind of event and tool. */
export function createTables(
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
    const scalars = event.tool?.arguments === undefined ? [] : scalarsIn(testedArguments(event));
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
  const mayHold = lazyLookup(facts.event);
  const take = ({ linked, needs }: Needing) => {
    if (!found.has(linked) && needsAreMet(needs, summary, mayHold)) found.add(linked);
  };
  for (const program of summary.names) {
    const needing = byProgram.get(program);
    if (needing === undefined) continue;
    needing.others.forEach(take);
    const { byWord } = needing;
    if (summary.hasUnknownWord) for (const each of byWord.values()) each.forEach(take);
    else for (const word of summary.words) byWord.get(word)?.forEach(take);
  }
  for (const alike of byTraits) if (mayBeMet(alike, summary)) alike.needing.forEach(take);
  return found.size === 0 ? always : inOrder(always, found);
}

function mayBeMet({ traits, causes }: Alike, summary: CallSummary): boolean {
  for (const bits of traits) if ((summary.traits & bits) === 0) return false;
  if (causes === undefined) return true;
  return summary.causes.length > 0 && needsAreMet({ causes }, summary);
}

function bucketCache(ofKind: (kind: EventKind) => readonly LinkedRule[]): (facts: Facts) => Bucket {
  const cache = new Map<string, Map<readonly ToolClass[] | undefined, Map<string, Bucket>>>();
  // Tools with the same rules share their tables.
  const shared = new Map<string, Tables>();
  let count = 0;
  // Most calls are of the same tool as the one before.
  let last: Last | undefined;
  return (facts) => {
    const { kind, host, tool } = facts.event;
    const classes = tool?.classes;
    const name = tool?.name ?? '';
    if (last?.kind === kind && last.host === host && last.classes === classes && last.name === name)
      return last.bucket;
    if (count > MAX_BUCKETS) {
      cache.clear();
      shared.clear();
      count = 0;
    }
    const perHost = child(cache, kind + host, () => new Map());
    const perClasses = child(perHost, classes, () => new Map<string, Bucket>());
    const bucket = child(perClasses, name, () => {
      count += 1;
      return buildBucket(ofKind(kind), facts, shared);
    });
    last = { kind, host, classes, name, bucket };
    return bucket;
  };
}

interface Last extends Pick<Event, 'kind' | 'host'>, Pick<ToolCall, 'name'> {
  readonly classes: readonly ToolClass[] | undefined;
  readonly bucket: Bucket;
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
  const byProgram = new Map<string, OfProgram>();
  const byTraits = new Map<string, Alike>();
  for (const linked of withNeeds) {
    for (const needs of linked.rule.needs ?? []) {
      const needing = { linked, needs: withAllKeys(needs) };
      const programs = plainNames(needs);
      if (programs === undefined) {
        const { traits = [], causes } = needs;
        const key = JSON.stringify([traits, causes]);
        child(byTraits, key, (): Alike => ({ traits, causes, needing: [] })).needing.push(needing);
      }
      const words = plainWords(needs);
      for (const program of programs ?? []) {
        const { byWord, others } = child(byProgram, program, newOfProgram);
        if (words === undefined) others.push(needing);
        for (const word of words ?? []) child(byWord, word, (): Needing[] => []).push(needing);
      }
    }
  }
  return { always, byProgram, byTraits: [...byTraits.values()], withNeeds, withLiterals, tables };
}

/** The same object with all keys in one order, because objects of one shape are read several times as fast. */
function withAllKeys({
  names,
  words,
  causes,
  wrappers,
  traits,
  tools,
  classes,
  paths,
  urls,
  literals,
  around,
}: CallNeeds): CallNeeds {
  const all = { names, words, causes, wrappers, traits, tools, classes, paths, urls, literals, around };
  return all as CallNeeds;
}

function newOfProgram(): OfProgram {
  return { byWord: new Map(), others: [] };
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

/** Merges both in file order; `rules` are sorted already. */
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
