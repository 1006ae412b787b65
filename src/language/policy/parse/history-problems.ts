import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import { ACTIONS, restricts } from '../../../model/action.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import type { EventKind } from '../../../model/event.ts';
import { ACTION_ALIASES } from '../../actions/action-aliases.ts';
import { withFacts } from '../../keys/history/fact-places.ts';
import { MATCHER_TABLE } from '../../keys/registry.ts';

/**
 * The policies that must say how an unknown history counts: for counts, and if it would stop everything that a tool is for.
 *
 * @param when the policy's matching keys
 */
export function historyProblems(
  policy: JsonObject,
  when: JsonObject,
  on: readonly EventKind[],
): readonly SpecProblem[] {
  if (Object.hasOwn(policy, 'when_unknown')) return [];
  const hint = 'add "when_unknown": skip lets such calls pass, match does not';
  const problems: SpecProblem[] = [];
  withFacts(when, (fact, { ask, path }) => {
    if (ask === 'count') {
      const message = 'Cannot count without "when_unknown": how many there were is not always known';
      problems.push({ code: 'missing-key', path: path.slice(0, -1), message, hint });
    }
    return fact;
  });
  if (problems.length > 0 || !isOfCalls(on) || !isRefusal(policy)) return problems;
  const wide = widePath(when);
  if (wide === undefined) return [];
  const message =
    'Cannot refuse by history alone without "when_unknown": where it is not known, every call of the tool would be refused';
  return [
    { code: 'missing-key', path: wide, message, hint: `${hint}; or add a key such as command or path` },
  ];
}

function isOfCalls(on: readonly EventKind[]): boolean {
  return on.includes('before_tool') || on.includes('approve_tool');
}

/** A policy that asks a model refuses until the model has answered. */
function isRefusal(policy: JsonObject): boolean {
  const written = ownString(policy, 'action');
  if (written === undefined) return Object.hasOwn(policy, 'type');
  const action = ACTION_ALIASES[written]?.action ?? ACTIONS.find((each) => each === written);
  return action !== undefined && restricts(action);
}

/** The path at which history decides of calls that nothing else narrows; undefined if it never does. */
function widePath(when: JsonObject): SpecProblem['path'] | undefined {
  if (narrows(when)) return undefined;
  if (Object.hasOwn(when, 'history')) return ['history'];
  for (const key of ['all', 'any', 'not'] as const) {
    for (const [index, each] of branchesOf(when, key).entries()) {
      const below = widePath(each);
      if (below !== undefined) return [key, ...(key === 'not' ? [] : [index]), ...below];
    }
  }
  return undefined;
}

function narrows(when: JsonObject): boolean {
  const any = branchesOf(when, 'any');
  return (
    Object.keys(when).some((key) => MATCHER_TABLE.get(key)?.narrows) ||
    branchesOf(when, 'all').some(narrows) ||
    (any.length > 0 && any.every(narrows))
  );
}

function branchesOf(when: JsonObject, key: 'any' | 'all' | 'not'): readonly JsonObject[] {
  return [own(when, key) ?? []].flat().filter((each: Json) => isJsonObject(each));
}
