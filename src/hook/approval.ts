import type { JsonObject } from '../lib/json.ts';
import type { CallToAllow, RefusingPolicy } from '../model/grant.ts';
import { redactValue } from '../reader/secrets/redact-value.ts';
import type { FoundGrant } from './allow-port.ts';
import { runProgram } from './run-program.ts';

/** Version of the request that a program gets. */
const VERSION = 1;
const LOOK_EVERY_MS = 200;
/** The share of the remaining time, and the minimum, reserved for saying that nobody answered. */
const KEPT_SHARE = 0.1;
const MIN_KEPT_MS = 400;

/** The question for a person. */
export interface ApprovalRequest {
  readonly call: CallToAllow;
  readonly policies: readonly RefusingPolicy[];
  readonly reason: string;
  /** The code that a person types to let the call through; undefined if it could not be stored. */
  readonly code: string | undefined;
  /** Looks for a grant that a person has made meanwhile. May throw. */
  readonly look: () => FoundGrant;
}

/** The answer to a call: it may run, or the reason why not. */
export type Approval = { readonly yes: true } | { readonly yes: false; readonly why: string };

/** Asks a person, in the way that `--approve-with` names. May reject. */
export async function askPerson(means: string, request: ApprovalRequest, leftMs: number): Promise<Approval> {
  const waitMs = Math.max(0, leftMs - Math.max(leftMs * KEPT_SHARE, MIN_KEPT_MS));
  return means === 'terminal' ? waitForGrant(request, waitMs) : askProgram(means, request, waitMs);
}

/** Waits until somebody runs `policy allow` with the code of the call. */
async function waitForGrant({ code, look }: ApprovalRequest, waitMs: number): Promise<Approval> {
  if (code === undefined) return { yes: false, why: 'the call could not be shown to anybody' };
  const endMs = performance.now() + waitMs;
  while (performance.now() < endMs) {
    if (look().grant?.use() === true) return { yes: true };
    await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_EVERY_MS, endMs - performance.now())));
  }
  return { yes: false, why: 'nobody has answered in time' };
}

/** Only the word `allow` means yes. A program may keep or send its input, so that has no secrets. */
async function askProgram(
  program: string,
  { call, policies, reason, code }: ApprovalRequest,
  waitMs: number,
): Promise<Approval> {
  const { host, tool, directory, session, arguments: args } = call;
  const told = redactValue({ host, tool, directory, session: session ?? null, arguments: args });
  const request = {
    version: VERSION,
    code: code ?? null,
    ...(told as JsonObject),
    policies: policies.map(({ id }) => id),
    reason: redactValue(reason),
    wait_ms: Math.floor(waitMs),
  };
  const printed = await runProgram([program], `${JSON.stringify(request)}\n`, waitMs);
  if ('cause' in printed) return { yes: false, why: printed.cause };
  return printed.text.trim() === 'allow' ? { yes: true } : { yes: false, why: 'the answer was no' };
}
