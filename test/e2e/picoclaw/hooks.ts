import { deepEqual } from '../../../src/lib/deep-equal.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { goDecode } from './go-json.ts';
import type { HookProcess } from './hook-process.ts';
import { ANSWERS, type Interceptor, toWire } from './messages.ts';

/** A mounted hook. */
export interface Hook {
  readonly name: string;
  readonly process: HookProcess;
  readonly modes: readonly Mode[];
  /** Names of notifications; `*` for all. */
  readonly observes: ReadonlySet<string>;
}
export type Mode = 'observe' | 'llm' | 'tool' | 'approve';

export interface Chain {
  readonly hooks: readonly Hook[];
  readonly interceptorMs: number;
  readonly approvalMs: number;
  readonly features: Features;
  readonly warn: (text: string) => void;
}

/** What a version of PicoClaw does. */
export interface Features {
  readonly topLevelChannel: boolean;
  readonly context: boolean;
  readonly respond: boolean;
  readonly promptGuard: boolean;
  readonly runtimeEvents: boolean;
}

export type Flow = 'continue' | 'respond' | 'deny_tool' | 'abort_turn' | 'hard_abort';

export interface Verdict {
  readonly flow: Flow;
  readonly reason: string;
  /** The parameters as the last hook left them. */
  readonly params: JsonObject;
}

const PAYLOAD = {
  'hook.before_llm': 'request',
  'hook.after_llm': 'response',
  'hook.before_tool': 'call',
  'hook.after_tool': 'result',
} as const;
type Asking = keyof typeof PAYLOAD;

/** Asks every hook in turn. A hook that fails in any way is passed over. */
export async function intercept(chain: Chain, method: Asking, params: JsonObject): Promise<Verdict> {
  const mode: Mode = method.endsWith('_llm') ? 'llm' : 'tool';
  let current = params;
  for (const hook of chain.hooks.filter(({ modes }) => modes.includes(mode))) {
    const answer = await ask(chain, hook, method, current, chain.interceptorMs);
    if (answer === undefined) continue;
    const flow = flowOf(chain, method, answer);
    if (flow === undefined) {
      chain.warn(`${hook.name}: unsupported action ${JSON.stringify(answer['action'])} for ${method}`);
      continue;
    }
    if (flow === 'respond' && resultOf(answer) === undefined) {
      chain.warn(`${hook.name}: respond without a result`);
      return { flow: 'continue', reason: '', params };
    }
    current = nextParams(method, answer, current);
    if (flow !== 'continue') return { flow, reason: String(answer['reason']), params: current };
  }
  return { flow: 'continue', reason: '', params: current };
}

/** Asks every hook for its approval; the first refusal wins, and a hook that fails refuses. */
export async function approve(
  chain: Chain,
  params: JsonObject,
): Promise<{ approved: boolean; reason: string }> {
  for (const hook of chain.hooks.filter(({ modes }) => modes.includes('approve'))) {
    try {
      const result = await hook.process.call('hook.approve_tool', toWire(params), chain.approvalMs);
      const answer = goDecode(ANSWERS['hook.approve_tool'], result);
      if (!isJsonObject(answer) || answer['approved'] !== true) {
        return { approved: false, reason: isJsonObject(answer) ? String(answer['reason']) : '' };
      }
    } catch (error) {
      const how = error instanceof Error && error.message === 'timed out' ? 'timed out' : 'failed';
      chain.warn(`${hook.name}: hook.approve_tool: ${error}`);
      return { approved: false, reason: `tool approval hook "${hook.name}" ${how}` };
    }
  }
  return { approved: true, reason: '' };
}

async function ask(
  chain: Chain,
  hook: Hook,
  method: Interceptor,
  params: JsonObject,
  timeoutMs: number,
): Promise<JsonObject | undefined> {
  try {
    const answer = goDecode(ANSWERS[method], await hook.process.call(method, toWire(params), timeoutMs));
    return isJsonObject(answer) ? answer : undefined;
  } catch (error) {
    chain.warn(`${hook.name}: ${method}: ${error}`);
    return undefined;
  }
}

function flowOf(chain: Chain, method: Asking, answer: JsonObject): Flow | undefined {
  switch (answer['action']) {
    case '':
    case 'continue':
    case 'modify':
      return 'continue';
    case 'abort_turn':
    case 'hard_abort':
      return answer['action'];
    case 'deny_tool':
      return method === 'hook.before_tool' ? 'deny_tool' : undefined;
    case 'respond':
      return method === 'hook.before_tool' && chain.features.respond ? 'respond' : undefined;
    default:
      return undefined;
  }
}

function resultOf(answer: JsonObject): JsonObject | undefined {
  if (isJsonObject(answer['result'])) return answer['result'];
  const call = answer['call'];
  return isJsonObject(call) && isJsonObject(call['hook_result']) ? call['hook_result'] : undefined;
}

/** A payload replaces the parameters whole, whatever the action is. */
function nextParams(method: Asking, answer: JsonObject, current: JsonObject): JsonObject {
  const payload = answer[PAYLOAD[method]];
  switch (method) {
    case 'hook.before_llm':
      return isJsonObject(payload) ? payload : current;
    case 'hook.after_llm':
      return isJsonObject(payload)
        ? { ...payload, response: payload['response'] ?? current['response'] ?? null }
        : current;
    case 'hook.before_tool': {
      const call = isJsonObject(payload) ? payload : current;
      const result = resultOf(answer);
      return result === undefined ? call : { ...call, hook_result: result };
    }
    case 'hook.after_tool':
      return isJsonObject(payload)
        ? { ...payload, result: payload['result'] ?? current['result'] ?? null }
        : current;
  }
}

/** Since 0.2.8: the request with the original tools, and the original messages if a system message is not as it was. */
export function guardPrompt(chain: Chain, original: JsonObject, changed: JsonObject): JsonObject {
  if (!chain.features.promptGuard || changed === original) return changed;
  if (!deepEqual(changed['tools'] ?? [], original['tools'] ?? []))
    chain.warn('tools changed by a hook: kept');
  const moved = !deepEqual(systemMessages(changed), systemMessages(original));
  if (moved) chain.warn('system messages changed by a hook: all messages kept');
  return {
    ...changed,
    tools: original['tools'] ?? [],
    ...(moved ? { messages: original['messages'] ?? [] } : {}),
  };
}

function systemMessages(request: JsonObject): Json {
  const messages = request['messages'];
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: Json, index) =>
    isJsonObject(message) && message['role'] === 'system' ? [[index, message]] : [],
  );
}
