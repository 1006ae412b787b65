import { classifyTool } from '../../hosts/classify.ts';
import type { Host } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/registry.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { type Event, type EventKind, TOOL_EVENTS } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import { NO_HISTORY } from '../../model/history.ts';
import type { Rule } from '../../model/policy.ts';
import { NO_SURROUNDINGS } from '../../model/surroundings.ts';
import { ANALYSES } from '../keys/analyses.ts';
import { composition } from '../keys/composition/match.ts';
import type { Matcher } from '../keys/matcher.ts';
import { MATCHERS } from '../keys/registry.ts';
import { namesIn } from '../keys/types/name-pattern.ts';
import { compileWhen, holds, type MatcherTable } from '../keys/when.ts';
import { conjunctsOf, whenImplies } from '../keys/when-implies.ts';
import type { Finding, LintedPolicy } from './lint-rule.ts';
import { whenParts } from './when-parts.ts';

/** Keys that no event can meet together. Asks the policy about each host, event and tool with everything else unknown. */
export function unmeetable({ rule }: LintedPolicy): readonly Finding[] {
  const named = whenParts(rule.when).flatMap(({ key, spec }) =>
    key === 'tool_matcher' ? namesIn(String(spec)) : [],
  );
  const isMet = (keys: readonly Condition[]) => {
    if (excludesItself(keys) || hasClash(keys)) return false;
    const compiled = keys.flatMap(({ when }) => compileWhen(when, TABLE));
    // Most policies are met by one of the first events, so the others are not made.
    return eventsFor(rule.on, named).some((facts) => holds(compiled, facts) !== false);
  };
  const finding = (keys: readonly Condition[]): readonly Finding[] => {
    if (isMet(keys)) return alternativesIn(keys).flatMap(finding);
    const last = keys.findIndex((_, index) => !isMet(keys.slice(0, index + 1)));
    const culprit = keys[last];
    if (culprit === undefined) return [];
    if (own(culprit.when, 'not') !== undefined) return [{ path: culprit.path, at: 'key', ...EXCLUDED }];
    const others = keys.slice(0, last).filter((other) => !isMet([other, culprit]));
    const beside = others.length > 0 ? others : keys.slice(0, last);
    const names = beside.map(({ path }) => `"${path.join('.')}"`);
    const why =
      names.length === 0
        ? `: no ${rule.on.join(' or ')} meets it`
        : ` together with ${names.join(', ')}: no call meets both`;
    const message = `Cannot match "${culprit.path.join('.')}"${why}`;
    return [{ path: culprit.path, message, hint: 'leave out one of them; alternatives belong under "any"' }];
  };
  return finding(exclusionsLast(conditionsOf(rule.when, [])));
}

interface Condition {
  readonly when: JsonObject;
  readonly path: readonly (string | number)[];
}

const EXCLUDED = {
  message: 'Cannot match: "not" excludes everything that the other keys allow',
  hint: 'narrow "not"',
};

function exclusionsLast(keys: readonly Condition[]): readonly Condition[] {
  const isExclusion = ({ when }: Condition) => own(when, 'not') !== undefined;
  return [...keys.filter((key) => !isExclusion(key)), ...keys.filter(isExclusion)];
}

/** True if the other keys imply those that a `not` beside them excludes. */
function excludesItself(keys: readonly Condition[]): boolean {
  return keys.some((key) => {
    const excluded = own(key.when, 'not');
    if (excluded === undefined) return false;
    const others = keys.filter((other) => other !== key).flatMap(({ when }) => conjunctsOf(when));
    return whenImplies(others, conjunctsOf(excluded), false, ANALYSES);
  });
}

/** True if one key asks several times for things that exclude each other. */
function hasClash(keys: readonly Condition[]): boolean {
  return [...ANALYSES].some(([key, { clash }]) => {
    const specs = keys.map(({ when }) => own(when, key)).filter((spec) => spec !== undefined);
    return specs.length > 0 && clash(specs);
  });
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
  const outline = ANALYSES.get(matcher.key)?.outline;
  return {
    ...matcher,
    compile: (spec) => {
      if (outline !== undefined) return outline(spec);
      // It is not worked out which names fit several patterns.
      if (matcher.constantPerTool === true && !(typeof spec === 'string' && spec.includes('*')))
        return matcher.compile(spec);
      return ({ event }) => (isAboutTools && event.tool === undefined ? false : 'unknown');
    },
  };
}

/** A name that nobody has given to a tool. */
const UNHEARD_OF = 'a_tool_of_some_plugin';

/** The events that hosts may send: for each tool, those that are named too, and for one that nobody knows, a call of which nothing else is known. */
function* eventsFor(on: Rule['on'], named: readonly string[]): Generator<Facts> {
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
  return { event, model: undefined, newTexts: [], surroundings: NO_SURROUNDINGS, history: NO_HISTORY };
}
