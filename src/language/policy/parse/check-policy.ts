import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import { orList } from '../../../lib/or-list.ts';
import type { Diagnostic, SpecProblem } from '../../../model/diagnostic.ts';
import type { EventKind } from '../../../model/event.ts';
import { ACTION_ALIASES } from '../../actions/action-aliases.ts';
import { checkCommonParams } from '../../actions/common-params.ts';
import { ACTION_SPECS } from '../../actions/registry.ts';
import { MATCHER_TABLE } from '../../keys/registry.ts';
import { whenProblems } from '../../keys/when.ts';
import { isJudgePolicy } from '../schema/judge-draft.ts';
import { JUDGE_POLICY_KEYS } from '../schema/judge-schema.ts';
import { problemsAt } from '../yaml/problems-at.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';
import { judgePolicyProblems, rewriteProblems } from './check-judge.ts';
import { historyProblems } from './history-problems.ts';
import { eventsOf, pickKeys } from './normalise-policy.ts';
import { validPart } from './valid-part.ts';

interface Checked {
  readonly policy: JsonObject;
  readonly on: readonly EventKind[];
  /** True if the author left `on` to its default. */
  readonly onIsDefault: boolean;
  /** False if a parameter is missing or refused, so that the rest cannot be checked as a whole. */
  readonly hasAllParams: boolean;
}

/**
 * The problems of one policy that the schema cannot express.
 *
 * @param refused paths from the policy to the parts that the schema has refused; the checks pass over them
 */
export function checkPolicy(
  policy: JsonObject,
  document: YamlDocument,
  base: YamlPath,
  refused: readonly YamlPath[],
): readonly Diagnostic[] {
  const keyIsRefused = (key: string) => refused.some((path) => path[0] === key);
  const sound = validPart(policy, refused);
  const on = keyIsRefused('on') ? [] : eventsOf(sound);
  const onIsDefault = !Object.hasOwn(policy, 'on');
  const hasAllParams = !refused.some((path) => path.length === 0 || !MATCHER_TABLE.has(String(path[0])));
  const when = pickKeys(sound, (key) => MATCHER_TABLE.has(key));
  const report = (found: readonly SpecProblem[]) =>
    found.flatMap((each) => {
      const path = each.path.length === 0 ? ['action'] : each.path;
      const topic = String(each.path[0]);
      const made = problemsAt(document, base, [{ ...each, path }]);
      return MATCHER_TABLE.has(topic) ? made.map((diagnostic) => ({ ...diagnostic, topic })) : made;
    });
  return [
    ...report([...whenProblems(when, MATCHER_TABLE), ...historyProblems(sound, when, on)]),
    ...problemsAt(document, base, keyEventProblems(when, on, onIsDefault)),
    ...report(
      isJudgePolicy(sound)
        ? judgeProblems(sound, on, refused)
        : actionProblems({ policy: sound, on, onIsDefault, hasAllParams }),
    ),
  ];
}

function judgeProblems(
  policy: JsonObject,
  on: readonly EventKind[],
  refused: readonly YamlPath[],
): readonly SpecProblem[] {
  const isRefused = (path: YamlPath) =>
    path.length === 0 || Object.hasOwn(JUDGE_POLICY_KEYS, String(path[0]));
  return refused.some(isRefused) ? [] : judgePolicyProblems(policy, on);
}

/** Keys on events that never carry the values that they look at. */
export function keyEventProblems(
  when: JsonObject,
  on: readonly EventKind[],
  onIsDefault = false,
): readonly SpecProblem[] {
  return keysIn(when, []).flatMap(({ key, path, nested }): readonly SpecProblem[] => {
    const events = MATCHER_TABLE.get(key)?.events;
    if (events === undefined) return [];
    const without = on.filter((kind) => !events.includes(kind));
    // An alternative may be meant for one of several events, so there it is enough that one of them has the key.
    if (without.length === 0 || (nested && without.length < on.length)) return [];
    const message = `Cannot use key "${key}" on event "${without[0]}": the event never carries it`;
    const hint = `${onIsDefault ? 'add "on" with' : 'use it on'} ${orList(events)}`;
    return [{ code: 'event-key', path, at: 'key', message, hint }];
  });
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
    return [{ key, path: here, nested: path.length > 0 }, ...(MATCHER_TABLE.get(key)?.joins ? inside : [])];
  });
}

function actionProblems({ policy, on, onIsDefault, hasAllParams }: Checked): readonly SpecProblem[] {
  const name = ownString(policy, 'action');
  if (name === undefined) return [];
  const alias = ACTION_ALIASES[name];
  const spec = ACTION_SPECS.find(({ action }) => action === (alias?.action ?? name));
  if (spec === undefined) return [];
  const events = spec.events.filter((kind) => alias === undefined || alias.events.includes(kind));
  const isList = Array.isArray(own(policy, 'on'));
  const misplaced = on.flatMap((kind, index): readonly SpecProblem[] => {
    if (events.includes(kind)) return [];
    const path = onIsDefault ? ['action'] : isList ? ['on', index] : ['on'];
    const message = `Cannot use action "${name}" on event "${kind}": the event does not have it`;
    return [{ code: 'event-action', path, message, hint: `use it on ${orList(events)}` }];
  });
  return [
    ...misplaced,
    ...rewriteProblems(
      policy,
      on.filter((kind) => events.includes(kind)),
    ),
    ...(hasAllParams ? [...(spec.check?.(policy) ?? []), ...checkCommonParams(policy)] : []),
  ];
}
