import { deepEqual } from '../../../lib/deep-equal.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import { type Action, restricts } from '../../../model/action.ts';
import type { Position } from '../../../model/diagnostic.ts';
import { EVENT_KINDS, type EventKind } from '../../../model/event.ts';
import type { CallNeeds, Mode, Rule } from '../../../model/policy.ts';
import { ACTION_ALIASES } from '../../actions/action-aliases.ts';
import type { ActionSpec } from '../../actions/action-spec.ts';
import { COMMON_PARAMS } from '../../actions/common-params.ts';
import { ACTION_SPECS } from '../../actions/registry.ts';
import { MATCHER_TABLE } from '../../keys/registry.ts';
import { inAskingOrder, whenLiterals, whenNeeds, whenReads } from '../../keys/when.ts';
import { isJudgePolicy, judgeDraft } from '../schema/judge-draft.ts';
import type { RuleDraft } from './file-draft.ts';

export function eventsOf(policy: JsonObject): readonly EventKind[] {
  const on = own(policy, 'on') ?? 'before_tool';
  const names: readonly Json[] = Array.isArray(on) ? on : [on];
  return names.filter((name) => EVENT_KINDS.some((kind) => kind === name)) as EventKind[];
}

/** A policy that approves or stops a call is asked again where the host asks for approval. */
export function coveredEvents(on: readonly EventKind[]): readonly EventKind[] {
  return on.includes('before_tool') && !on.includes('approve_tool') ? [...on, 'approve_tool'] : on;
}

/** The own keys of an object that pass a test. */
export function pickKeys(object: JsonObject, keep: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keep(key)));
}

/** The settings that a policy takes from its file. */
interface OwnFile {
  readonly name: string;
  readonly mode: Mode;
}

/** Turns a policy that has passed the schema and all checks into a rule. */
export function normalisePolicy(
  policy: JsonObject,
  file: OwnFile,
  positionOf: (key: string) => Position,
): RuleDraft {
  if (isJudgePolicy(policy)) return normaliseJudgePolicy(policy, file, positionOf);
  const written = ownString(policy, 'action') ?? '';
  const spec = specNamed(ACTION_ALIASES[written]?.action ?? written);
  return {
    ...commonPart(policy, file, spec.action, positionOf),
    action: spec.action,
    params: paramsOf(policy, spec),
  };
}

/** A policy with a judge is a deny until its judge has answered: whoever does not ask refuses. */
function normaliseJudgePolicy(
  policy: JsonObject,
  file: OwnFile,
  positionOf: (key: string) => Position,
): RuleDraft {
  return {
    ...commonPart(policy, file, 'deny', positionOf),
    action: 'deny',
    params: {},
    judge: judgeDraft(policy, positionOf),
  };
}

function commonPart(
  policy: JsonObject,
  file: OwnFile,
  action: Action,
  positionOf: (key: string) => Position,
): Omit<RuleDraft, 'action' | 'params'> {
  const when = inAskingOrder(policy, MATCHER_TABLE);
  const priority = own(policy, 'priority');
  return {
    id: `${file.name}/${ownString(policy, 'id') ?? ''}`,
    position: positionOf('id'),
    priority: typeof priority === 'number' ? priority : 0,
    mode: modeOf(policy) ?? file.mode,
    on: coveredEvents(eventsOf(policy)),
    ...(own(policy, 'locked') === true ? { locked: true } : {}),
    when,
    ...requirementsOf(when),
    whenUnknown: whenUnknownOf(ownString(policy, 'when_unknown'), action),
  };
}

/** The mode that a policy, or the defaults of a file, name. */
export function modeOf(owner: JsonObject): Mode | undefined {
  const written = own(owner, 'mode');
  if (written === 'enforce' || written === 'monitor') return written;
  const canary = isJsonObject(written) ? ownObject(written, 'canary') : undefined;
  if (canary === undefined) return undefined;
  return {
    canary: {
      percent: Number(own(canary, 'percent')),
      by: own(canary, 'by') === 'repository' ? 'repository' : 'machine',
    },
  };
}

/** Fills in a `when_unknown` that is left out. */
function whenUnknownOf(written: string | undefined, action: Action): Rule['whenUnknown'] {
  if (written === 'match' || written === 'skip') return written;
  return restricts(action) ? 'match' : 'skip';
}

/** More needs than people write are not held against each other. */
const MAX_COMPARED = 500;

/** Drops each need that implies another one: the index looks at all of them for every call. */
function withoutImplied(needs: readonly CallNeeds[] | undefined): readonly CallNeeds[] | undefined {
  if (needs === undefined || needs.length > MAX_COMPARED) return needs;
  return needs.filter((each, index) => {
    const takesIn = (other: CallNeeds, at: number) =>
      at !== index && isPartOf(other, each) && (at < index || !isPartOf(each, other));
    return !needs.some(takesIn);
  });
}

/** True if a call that meets the second need meets the first. */
function isPartOf(one: CallNeeds, other: CallNeeds): boolean {
  // With the folders around them, paths ask for less.
  if (one.paths !== undefined && one.around !== other.around) return false;
  return Object.entries(one).every(([key, value]) =>
    deepEqual(value as Json, (other[key as keyof CallNeeds] ?? null) as Json),
  );
}

/** An event needs these to match; null if the index cannot use them. */
export function requirementsOf(when: JsonObject): Pick<Rule, 'literals' | 'needs' | 'reads'> {
  // The index asks for the tool of a whole policy on its own.
  const { tool: _, ...others } = when;
  const reads = whenReads(when, MATCHER_TABLE);
  return {
    literals: whenLiterals(when, MATCHER_TABLE) ?? null,
    needs: withoutImplied(whenNeeds(others, MATCHER_TABLE)) ?? null,
    ...(reads.length === 0 ? {} : { reads }),
  };
}

function specNamed(name: string): ActionSpec {
  const spec = ACTION_SPECS.find(({ action }) => action === name);
  if (spec === undefined) throw new Error(`Cannot use action "${name}": unknown`);
  return spec;
}

function paramsOf(policy: JsonObject, spec: ActionSpec): JsonObject {
  // A refusal without a reason gives the policy's description; so does one in place of a rewrite.
  const givesReason = Object.hasOwn(spec.params, 'reason') || spec.action === 'modify';
  return pickKeys(
    policy,
    (key) =>
      Object.hasOwn(spec.params, key) ||
      Object.hasOwn(COMMON_PARAMS, key) ||
      (givesReason && key === 'description'),
  );
}
