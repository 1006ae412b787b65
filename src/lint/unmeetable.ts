import { classifyTool } from '../hosts/classify.ts';
import type { Host } from '../hosts/host.ts';
import { HOSTS } from '../hosts/registry.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../lib/json.ts';
import { possibleUses } from '../matchers/call-paths.ts';
import { composition } from '../matchers/composition.ts';
import type { Matcher } from '../matchers/matcher.ts';
import { MATCHERS } from '../matchers/registry.ts';
import { TOOL_EVENTS } from '../matchers/tool-events.ts';
import { compileWhen, holds, type MatcherTable } from '../matchers/when.ts';
import type { Event, EventKind } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import type { Rule } from '../model/policy.ts';
import { NO_SURROUNDINGS } from '../model/surroundings.ts';
import { and } from '../model/truth.ts';
import { asList } from './implies/alternatives.ts';
import { conjunctsOf, whenImplies } from './implies/when-implies.ts';
import { areImpossible } from './impossible-test.ts';
import type { Finding, LintedPolicy } from './lint-rule.ts';
import { whenParts } from './when-parts.ts';

/**
 * Keys that no event can meet together. The policy is asked about every kind of event of every host, with each tool, where
 * all but the host, the event and the tool is unknown: what is no then is no whatever the call says.
 */
export function unmeetable({ rule, source }: LintedPolicy): readonly Finding[] {
  const isMet = (keys: readonly Condition[]) => {
    if (excludesItself(keys) || hasImpossibleValue(keys) || hasOtherModels(keys)) return false;
    const compiled = keys.flatMap(({ when }) => compileWhen(when, TABLE));
    // Most policies are met by one of the first events, so the others are not made.
    return eventsFor(rule).some((facts) => holds(compiled, facts) !== false);
  };
  const finding = (keys: readonly Condition[]): readonly Finding[] => {
    if (isMet(keys)) return alternativesIn(keys).flatMap(finding);
    const last = keys.findIndex((_, index) => !isMet(keys.slice(0, index + 1)));
    const culprit = keys[last];
    if (culprit === undefined) return [];
    if (own(culprit.when, 'not') !== undefined)
      return [{ code: 'never-matches', position: source.positionOf(culprit.path, 'key'), ...EXCLUDED }];
    const others = keys.slice(0, last).filter((other) => !isMet([other, culprit]));
    const beside = others.length > 0 ? others : keys.slice(0, last);
    const names = beside.map(({ path }) => `"${path.join('.')}"`);
    return [
      {
        code: 'never-matches',
        position: source.positionOf(culprit.path, 'value'),
        message: `Cannot match "${culprit.path.join('.')}"${names.length === 0 ? `: no ${rule.on.join(' or ')} meets it` : ` together with ${names.join(', ')}: no call meets both`}`,
        hint: 'leave out one of them; alternatives belong under "any"',
      },
    ];
  };
  return finding(lastWhatIsExcluded(conditionsOf(rule.when, [])));
}

/** A key that has to hold. */
interface Condition {
  readonly when: JsonObject;
  readonly path: readonly (string | number)[];
}

const EXCLUDED = {
  message: 'Cannot match: "not" excludes everything that the other keys allow',
  hint: 'narrow what stands in "not"',
};

function lastWhatIsExcluded(keys: readonly Condition[]): readonly Condition[] {
  const isExclusion = ({ when }: Condition) => own(when, 'not') !== undefined;
  return [...keys.filter((key) => !isExclusion(key)), ...keys.filter(isExclusion)];
}

/** Does what holds by the other keys not hold by one? */
function excludesItself(keys: readonly Condition[]): boolean {
  return keys.some((key) => {
    const excluded = own(key.when, 'not');
    if (excluded === undefined) return false;
    const others = keys.filter((other) => other !== key).flatMap(({ when }) => conjunctsOf(when));
    return whenImplies(others, conjunctsOf(excluded), false);
  });
}

/** Keys that test named values, with what a plain value means in them. */
const VALUE_KEYS = { arguments: 'regex', event: 'regex', context: 'equals' } as const;

/** Do several keys test one value, so that none passes all of them? */
function hasImpossibleValue(keys: readonly Condition[]): boolean {
  return Object.entries(VALUE_KEYS).some(([name, plain]) => {
    const tests = new Map<string, JsonObject[]>();
    // Each of several values may pass another test.
    for (const { when } of keys)
      for (const [at, test] of Object.entries(ownObject(when, name) ?? {}))
        if (!at.split('.').includes('*'))
          tests.set(at, [...(tests.get(at) ?? []), isJsonObject(test) ? test : { [plain]: test }]);
    return [...tests.values()].some((all) => all.length > 1 && areImpossible(all));
  });
}

/** `gpt-` and `claude-` */
function hasOtherModels(keys: readonly Condition[]): boolean {
  const lists = keys.flatMap(({ when }) => {
    const starts = own(when, 'model_prefix');
    return starts === undefined ? [] : [asList(starts).map(String)];
  });
  const overlap = (a: string, b: string) => a.startsWith(b) || b.startsWith(a);
  return lists.some((list) =>
    lists.some((other) => !list.some((start) => other.some((each) => overlap(start, each)))),
  );
}

/** The keys of a `when`, with those under `all`. */
function conditionsOf(when: Json, path: Condition['path']): readonly Condition[] {
  return Object.entries(isJsonObject(when) ? when : {}).flatMap(([key, spec]) =>
    key === 'all' && Array.isArray(spec)
      ? spec.flatMap((branch: Json, index) => conditionsOf(branch, [...path, key, index]))
      : [{ when: { [key]: spec }, path: [...path, key] }],
  );
}

/** For each branch of an `any`: its keys, and those around it. */
function alternativesIn(keys: readonly Condition[]): readonly (readonly Condition[])[] {
  return keys.flatMap((condition) => {
    const branches = own(condition.when, 'any');
    if (!Array.isArray(branches)) return [];
    const around = keys.filter((other) => other !== condition);
    return branches.map((branch: Json, index) => [
      ...around,
      ...conditionsOf(branch, [...condition.path, index]),
    ]);
  });
}

/** The matchers as far as they go by the host, the event and the tool alone. */
const TABLE: MatcherTable = new Map(
  [...MATCHERS.map(coarse), ...composition(() => TABLE)].map((matcher) => [matcher.key, matcher]),
);

function coarse(matcher: Matcher): Matcher {
  const isAboutTools = matcher.events === TOOL_EVENTS;
  return {
    ...matcher,
    compile: (spec) => {
      if (matcher.key === 'context') return knownHost(matcher, spec);
      // By the tool it is told whether there is a command, and what is done to a path.
      if (matcher.key === 'command') return matcher.compile(spec);
      if (matcher.key === 'path') return knownUse(spec);
      // Which names fit several patterns is not worked out.
      if (matcher.constantPerTool === true && !(typeof spec === 'string' && spec.includes('*')))
        return matcher.compile(spec);
      return ({ event }) => (isAboutTools && event.tool === undefined ? false : 'unknown');
    },
  };
}

/** Of the context only the host is known. */
function knownHost(matcher: Matcher, spec: Json): ReturnType<Matcher['compile']> {
  const host = isJsonObject(spec) ? own(spec, 'host') : undefined;
  if (host === undefined) return () => 'unknown';
  const isHost = matcher.compile({ host });
  const isAll = isJsonObject(spec) && Object.keys(spec).length === 1;
  return (facts) => and(isHost(facts), isAll || 'unknown');
}

/** Of a path only its use is known, where the tool says it. */
function knownUse(spec: Json): ReturnType<Matcher['compile']> {
  const uses = isJsonObject(spec) ? own(spec, 'uses') : undefined;
  const wanted = uses === undefined ? undefined : asList(uses);
  return ({ event }) => {
    if (event.tool === undefined) return false;
    const possible = possibleUses(event.tool);
    if (wanted === undefined || possible === undefined) return 'unknown';
    return possible.some((use) => wanted.includes(use)) ? 'unknown' : false;
  };
}

/** A name that nobody has given to a tool. */
const UNHEARD_OF = 'a_tool_of_some_plugin';

/** What hosts may send: for each tool, and for one that nobody knows, a call of which nothing else is known. */
function* eventsFor({ on, when }: Pick<Rule, 'on' | 'when'>): Generator<Facts> {
  const named = whenParts(when).flatMap(({ key, spec }) =>
    key === 'tool_matcher'
      ? String(spec)
          .split('|')
          .map((name) => name.trim())
      : [],
  );
  for (const host of HOSTS) {
    for (const kind of on) {
      const names = TOOL_EVENTS.includes(kind)
        ? new Set([...Object.keys(host.tools), ...named, UNHEARD_OF])
        : [undefined];
      for (const name of names) yield factsOf(host, kind, name);
    }
  }
}

function factsOf(host: Host, kind: EventKind, name: string | undefined): Facts {
  const event: Event = {
    kind,
    host: host.name,
    native: kind,
    requestId: undefined,
    raw: {},
    subject: {},
    tool:
      name === undefined
        ? undefined
        : { name, arguments: undefined, ...classifyTool(host.tools, name, undefined) },
    texts: [],
    model: undefined,
    context: {},
    session: undefined,
    turn: undefined,
    with: () => event,
  };
  return { event, model: undefined, newTexts: [], surroundings: NO_SURROUNDINGS };
}
