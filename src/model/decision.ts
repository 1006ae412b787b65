import type { JsonObject } from '../lib/json.ts';
import type { Action } from './action.ts';
import type { Subject } from './event.ts';

/** An answer instead of a tool's or the model's, with the field names of PicoClaw's tool result. */
export interface RespondResult {
  readonly for_llm: string;
  readonly for_user?: string;
  readonly silent?: boolean;
  readonly is_error?: boolean;
  readonly media?: readonly string[];
  readonly response_handled?: boolean;
}

/** A program that answers a plugin tool: arguments as JSON on stdin, the result on stdout. */
export interface RunSpec {
  /** Program and arguments; no shell is involved. */
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  readonly input: JsonObject;
}

/** The engine's decision for one event, before it is fitted to the host's abilities. */
export interface Decision {
  readonly action: Action;
  /** The policy that decided; undefined if none matched. */
  readonly policyId: string | undefined;
  /** For refusals: the text for the model, with the policy's name. */
  readonly reason: string | undefined;
  /** For refusals by earlier calls: those calls, for people. */
  readonly before?: () => readonly string[];
  /** For `modify`: the subject with all rewrites applied. */
  readonly subject: Subject | undefined;
  /** For `modify`: the rewrite forms with an effect, so that a host without one of them can refuse. */
  readonly rewrites: readonly string[];
  /** For `modify`: the first sentence of a refusal instead, if the policy has a description. */
  readonly denial?: string;
  /** Ids of the policies whose rewrites made the decided call; absent if there are none. */
  readonly rewrittenBy?: readonly string[];
  readonly result: RespondResult | undefined;
  /** For `respond`: true for the result of an earlier call, so that this one may count as done. */
  readonly kept?: true;
  /** For `respond` with a program: run it to get the result. */
  readonly run: RunSpec | undefined;
  /** For `respond`: the call to show instead of the original (PicoClaw). */
  readonly call: JsonObject | undefined;
  /** For `retry_feedback`: the text that sends the model back to work. */
  readonly feedback: string | undefined;
  /** With any action: shown to the user. */
  readonly messages: readonly string[];
  /** With any action: added to the model's context. */
  readonly contexts: readonly string[];
  readonly suppressOutput: boolean;
  /** What happens if the host cannot do the action: the closest refusal (default) or nothing. */
  readonly onUnsupported: 'refuse' | 'continue';
  /** For `onUnsupported: continue`: the decision without this action, for a host that cannot do it. */
  readonly otherwise?: Decision;
}

const NOTHING: Decision = {
  action: 'continue',
  policyId: undefined,
  reason: undefined,
  subject: undefined,
  rewrites: [],
  result: undefined,
  run: undefined,
  call: undefined,
  feedback: undefined,
  messages: [],
  contexts: [],
  suppressOutput: false,
  onUnsupported: 'refuse',
};

/** No opinion: the host's own checks decide. */
export function noOpinion(): Decision {
  return NOTHING;
}

/** A decision with the given parts, everything else absent. */
export function decide(parts: Partial<Decision> & Pick<Decision, 'action'>): Decision {
  return { ...NOTHING, ...parts };
}

/** A refusal with a reason: every failure on the hook path becomes one. */
export function refusal(reason: string, policyId?: string): Decision {
  return decide({ action: 'deny', reason, policyId });
}

/** The reason of a refusal instead of a failed decision, with the cause. */
export function reasonInPlace(
  { policyId, denial }: Pick<Decision, 'policyId' | 'denial'>,
  cause: string,
): string {
  return denial === undefined
    ? `Refused by ${policyId ?? 'policy'}: ${cause}.`
    : `${denial} ${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`;
}
