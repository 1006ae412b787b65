import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import { orList } from '../../../lib/or-list.ts';
import type { Diagnostic, Position } from '../../../model/diagnostic.ts';
import type { EventKind } from '../../../model/event.ts';
import { ACTION_ALIASES } from '../../actions/action-aliases.ts';
import type { ActionSpec } from '../../actions/action-spec.ts';
import { checkBeside } from '../../actions/common-params.ts';
import { ACTION_SPECS } from '../../actions/registry.ts';
import type { SpecProblem } from '../../keys/matcher.ts';
import { MATCHER_TABLE } from '../../keys/registry.ts';
import { whenProblems } from '../../keys/when.ts';
import { isJudgePolicy } from '../schema/judge-draft.ts';
import { JUDGE_POLICY_KEYS } from '../schema/judge-schema.ts';
import { problem } from '../yaml/problem.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';
import { historyProblems } from './check-history.ts';
import { judgePolicyProblems, rewriteProblems } from './check-judge.ts';
import { eventsOf, pickKeys } from './normalise-policy.ts';
import { soundPart } from './sound-part.ts';

/** What the checks know about one policy. */
interface Checked {
  readonly document: YamlDocument;
  readonly base: YamlPath;
  readonly policy: JsonObject;
  readonly on: readonly EventKind[];
  /** True if the author left `on` to its default. */
  readonly onIsDefault: boolean;
  /** False if a parameter is missing or refused, so that what is left cannot be checked as a whole. */
  readonly hasAllParams: boolean;
}

/**
 * The problems of one policy that the schema cannot express.
 *
 * @param refused paths from the policy to what the schema has refused; the checks pass over it
 */
export function checkPolicy(
  policy: JsonObject,
  document: YamlDocument,
  base: YamlPath,
  refused: readonly YamlPath[],
): readonly Diagnostic[] {
  const keyIsRefused = (key: string) => refused.some((path) => path[0] === key);
  const sound = soundPart(policy, refused);
  const checked: Checked = {
    document,
    base,
    policy: sound,
    on: keyIsRefused('on') ? [] : eventsOf(sound),
    onIsDefault: !Object.hasOwn(policy, 'on'),
    hasAllParams: !refused.some((path) => path.length === 0 || !MATCHER_TABLE.has(String(path[0]))),
  };
  const when = pickKeys(sound, (key) => MATCHER_TABLE.has(key));
  return [
    ...whenProblems(when, MATCHER_TABLE).map((found) => report(checked, found)),
    ...historyProblems(sound, when, checked.on).map((found) => report(checked, found)),
    ...keyEventProblems(
      when,
      checked.on,
      (path) => document.positionOf([...base, ...path], 'key'),
      checked.onIsDefault,
    ),
    ...(isJudgePolicy(sound) ? judgeProblems(checked, refused) : actionProblems(checked)),
  ];
}

function judgeProblems(checked: Checked, refused: readonly YamlPath[]): readonly Diagnostic[] {
  if (refused.some((path) => path.length === 0 || Object.hasOwn(JUDGE_POLICY_KEYS, String(path[0]))))
    return [];
  return judgePolicyProblems(checked.policy, checked.on).map((found) => report(checked, found));
}

function report(
  { document, base }: Checked,
  { code, path, at = 'value', message, hint }: SpecProblem,
): Diagnostic {
  const place = path.length === 0 ? [...base, 'action'] : [...base, ...path];
  const made = problem(code, document.positionOf(place, at), message, hint);
  const topic = String(path[0]);
  return MATCHER_TABLE.has(topic) ? { ...made, topic } : made;
}

/** Keys on events that never carry what they look at. */
export function keyEventProblems(
  when: JsonObject,
  on: readonly EventKind[],
  positionOf: (path: YamlPath) => Position,
  onIsDefault = false,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const { key, path, nested } of keysIn(when, [])) {
    const events = MATCHER_TABLE.get(key)?.events;
    if (events === undefined) continue;
    const without = on.filter((kind) => !events.includes(kind));
    // An alternative may be meant for one of several events, so there it is enough that one of them has the key.
    if (without.length === 0 || (nested && without.length < on.length)) continue;
    const message = `Cannot use key "${key}" on event "${without[0]}": the event never carries it`;
    const start = onIsDefault ? 'add "on" with' : 'use it on';
    diagnostics.push(problem('event-key', positionOf(path), message, `${start} ${orList(events)}`));
  }
  return diagnostics;
}

interface KeyPlace {
  readonly key: string;
  readonly path: YamlPath;
  readonly nested: boolean;
}

function keysIn(when: Json, path: YamlPath): readonly KeyPlace[] {
  if (!isJsonObject(when)) return [];
  return Object.entries(when).flatMap(([key, spec]) => {
    const here = [...path, key];
    const inside = Array.isArray(spec)
      ? spec.flatMap((item, index) => keysIn(item, [...here, index]))
      : keysIn(spec, here);
    const isComposition = key === 'any' || key === 'all' || key === 'not';
    return [{ key, path: here, nested: path.length > 0 }, ...(isComposition ? inside : [])];
  });
}

function actionProblems(checked: Checked): readonly Diagnostic[] {
  const name = ownString(checked.policy, 'action');
  if (name === undefined) return [];
  const alias = ACTION_ALIASES[name];
  const spec = ACTION_SPECS.find(({ action }) => action === (alias?.action ?? name));
  if (spec === undefined) return [];
  const events = spec.events.filter((kind) => alias === undefined || alias.events.includes(kind));
  return [
    ...actionEventProblems(checked, name, events),
    ...rewriteProblems(
      checked.policy,
      checked.on.filter((kind) => events.includes(kind)),
    ).map((found) => report(checked, found)),
    ...(checked.hasAllParams ? paramProblems(checked, spec) : []),
  ];
}

function actionEventProblems(
  checked: Checked,
  name: string,
  events: readonly EventKind[],
): readonly Diagnostic[] {
  const { document, base, on, onIsDefault, policy } = checked;
  return on.flatMap((kind, index) => {
    if (events.includes(kind)) return [];
    const inList = Array.isArray(own(policy, 'on')) ? ['on', index] : ['on'];
    const path = [...base, ...(onIsDefault ? ['action'] : inList)];
    const message = `Cannot use action "${name}" on event "${kind}": the event does not have it`;
    return [
      problem('event-action', document.positionOf(path, 'value'), message, `use it on ${orList(events)}`),
    ];
  });
}

function paramProblems(checked: Checked, spec: ActionSpec): readonly Diagnostic[] {
  const found = [...(spec.check?.(checked.policy) ?? []), ...checkBeside(checked.policy)];
  return found.map((item) => report(checked, item));
}
