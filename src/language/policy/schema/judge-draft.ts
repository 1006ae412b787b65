import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import type { Action } from '../../../model/action.ts';
import type { Position } from '../../../model/diagnostic.ts';
import { type JudgeSpec, VERDICTS, type VerdictAction, type VerdictName } from '../../../model/judge.ts';
import { ENDPOINT_SETTINGS, JUDGE_SETTINGS, TRUSTED_SETTINGS } from './judge-schema.ts';

/** A policy's judge as its file has it, before it is known which settings count. */
export interface JudgeDraft {
  /** The judge it names among `judges`, or null. */
  readonly judge: string | null;
  readonly prompt: string;
  readonly format: JudgeSpec['format'];
  readonly verdicts: JudgeSpec['verdicts'];
  /** As written. */
  readonly settings: JsonObject;
  /** The places of settings that only some files may give. */
  readonly places: Readonly<Record<string, Position>>;
}

export interface NamedJudge {
  readonly name: string;
  readonly settings: JsonObject;
  readonly position: Position;
}

/** The type of policies that ask a model. */
export const JUDGE_TYPE = 'llm_judge';

/** True for a policy that asks a model. */
export function isJudgePolicy(policy: JsonObject): boolean {
  return own(policy, 'type') === JUDGE_TYPE;
}

/** Reads the judge of a policy that has passed all checks. */
export function judgeDraft(policy: JsonObject, positionOf: (key: string) => Position): JudgeDraft {
  const format = own(policy, 'format') === 'jcli' ? 'jcli' : 'verdict';
  const settings: Record<string, Json> = {};
  const places: Record<string, Position> = {};
  for (const key of Object.keys(JUDGE_SETTINGS)) {
    const value = own(policy, key);
    if (value === undefined) continue;
    settings[key] = value;
    if (isTrustedSetting(key) || namesStore(key, value)) places[key] = positionOf(key);
  }
  return {
    judge: ownString(policy, 'judge') ?? null,
    prompt: ownString(policy, 'prompt') ?? '',
    format,
    verdicts: Object.fromEntries(verdictEntries(policy)),
    settings,
    places,
  };
}

/** True for a setting that only files of the user, the organisation or `--policies` have a say in. */
export function isTrustedSetting(key: string): boolean {
  return Object.hasOwn(ENDPOINT_SETTINGS, key) || Object.hasOwn(TRUSTED_SETTINGS, key);
}

/** True for a `cache` that says where verdicts are kept, which is an endpoint like the judge's own. */
export function namesStore(key: string, value: Json): boolean {
  if (key !== 'cache') return false;
  return typeof value === 'string' || (isJsonObject(value) && Object.hasOwn(value, 'store'));
}

/** The effect of each verdict of a policy; jcli's answers have a meaning of their own for each. */
export function verdictEntries(policy: JsonObject): readonly (readonly [VerdictName, VerdictAction])[] {
  const written = own(policy, 'verdicts');
  const defaults = own(policy, 'format') === 'jcli' ? JCLI_VERDICTS : DEFAULT_VERDICTS;
  if (written === undefined) return defaults.map((name) => [name, { action: name, params: {} }]);
  return VERDICTS.flatMap((name) => {
    if (Array.isArray(written)) {
      return written.includes(name) ? [[name, { action: name, params: {} }] as const] : [];
    }
    const spec = isJsonObject(written) ? own(written, name) : undefined;
    return spec === undefined ? [] : [[name, verdictAction(name, spec)] as const];
  });
}

const DEFAULT_VERDICTS: readonly VerdictName[] = ['approve', 'deny'];
const JCLI_VERDICTS: readonly VerdictName[] = ['approve', 'retry_feedback', 'deny', 'abort_turn'];

function verdictAction(name: VerdictName, spec: Json): VerdictAction {
  if (!isJsonObject(spec)) return { action: spec as Action, params: {} };
  const { action, ...params } = spec;
  return { action: (action ?? name) as Action, params };
}
