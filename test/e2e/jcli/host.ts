import type { Json, JsonObject } from '../../../src/lib/json.ts';
import { GENERATIONS, type Generation, type GenerationName } from './generations.ts';
import { type HookResult, NO_CHANGE } from './hook-result.ts';
import { type HookDefinition, type HookSurroundings, runHook } from './run-hook.ts';

/** A tool call as the model wrote it: the arguments are a text. */
export interface Call {
  readonly name: string;
  readonly arguments: string;
}

/** What became of the calls of one answer of the model. */
export interface Round {
  /** The calls that ran, with the arguments they ran with. */
  readonly ran: readonly Call[];
  /** What the model was told, in the order it was told. */
  readonly told: readonly { readonly name: string; readonly text: string }[];
}

export interface JcliOptions {
  readonly generation: GenerationName;
  readonly hooks: readonly HookDefinition[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly sessionId?: string;
  readonly model?: string;
  /** The result of a call that runs. */
  readonly execute?: (call: Call) => string;
  /** How long a chain of hooks may take before no further one is started. */
  readonly chainBudgetMs?: number;
}

export interface Jcli {
  /** Why hooks were counted as broken, in order. */
  readonly broken: readonly string[];
  sessionStarts(): Promise<void>;
  sessionEnds(): Promise<void>;
  /** The text that is sent, or undefined if it was stopped. */
  sendMessage(text: string, messages?: readonly Json[]): Promise<string | undefined>;
  /** The request that goes to the model, or undefined if the turn was stopped. */
  requestModel(request: Request): Promise<Request | undefined>;
  /** The gate of the terminal interface: every call asks first, then those that may run do. */
  callTools(calls: readonly Call[]): Promise<Round>;
  /** What follows the model's last words: nothing, an error, or another round with the feedback. */
  endTurn(reply: string): Promise<{ readonly error: boolean; readonly feedback: string | undefined }>;
  /** The reply that is kept, or undefined if it was dropped; with the feedback that is sent in its place. */
  finishReply(reply: string): Promise<{
    readonly reply: string | undefined;
    readonly feedback: string | undefined;
    readonly toast: string | undefined;
  }>;
  /** Any chain of hooks, as the host merges it. */
  runChain(event: string, fields: JsonObject): Promise<HookResult>;
}

export interface Request {
  readonly system_prompt?: string;
  readonly messages: readonly Json[];
}

const SKIPPED = '该工具调用被 hook 跳过';
const CHAIN_BUDGET_MS = 30_000;
/** What a hook hands on to the next one. */
const HANDED_ON = [
  'system_prompt',
  'user_input',
  'assistant_output',
  'tool_arguments',
  'tool_result',
] as const;

/** An emulation of jcli's hook host, from its documents and source. */
export function createJcli(options: JcliOptions): Jcli {
  const generation: Generation = GENERATIONS[options.generation];
  const surroundings: HookSurroundings = { cwd: options.cwd, env: options.env ?? {} };
  const session = generation.sendsSession ? { session_id: options.sessionId ?? 'session' } : {};
  const model = options.model ?? 'gpt-4o';
  const broken: string[] = [];

  async function runChain(event: string, fields: JsonObject): Promise<HookResult> {
    const startMs = performance.now();
    const budgetLeft = () => performance.now() - startMs < (options.chainBudgetMs ?? CHAIN_BUDGET_MS);
    let context: JsonObject = { event, ...fields, ...session, cwd: options.cwd };
    let merged = NO_CHANGE;
    for (const hook of options.hooks) {
      if (!hook.events.includes(event) || !fits(hook, context)) continue;
      if (!budgetLeft()) break;
      const result = await runWithRetries(hook, context, budgetLeft);
      if (result === 'broken') {
        const onError = options.generation === 'A' ? 'stop' : (hook.on_error ?? generation.onError);
        if (onError === 'stop') return { ...NO_CHANGE, halt: 'stop' };
        continue;
      }
      if (result.halt !== undefined) return halted(result);
      context = handOn(context, result);
      merged = merge(merged, result);
    }
    return merged;
  }

  async function runWithRetries(
    hook: HookDefinition,
    context: JsonObject,
    budgetLeft: () => boolean,
  ): Promise<HookResult | 'broken'> {
    const attempts = generation.retries ? 1 + (hook.retry ?? 0) : 1;
    for (let i = 0; i < attempts && (i === 0 || budgetLeft()); i++) {
      try {
        return await runHook(hook, context, generation, surroundings);
      } catch (error) {
        broken.push(error instanceof Error ? error.message : String(error));
      }
    }
    return 'broken';
  }

  /** Only `skip` keeps a call from running where there is an action; a stop lets it run. */
  function keepsFromRunning(result: HookResult): boolean {
    return generation.control === 'abort' ? result.halt === 'stop' : result.halt === 'skip';
  }

  async function callTools(calls: readonly Call[]): Promise<Round> {
    const asked: (Call & { readonly skipped: boolean })[] = [];
    for (const call of calls) {
      const fields = { tool_name: call.name, tool_arguments: call.arguments };
      const result = await runChain('pre_tool_execution', fields);
      const skipped = keepsFromRunning(result);
      asked.push({ name: call.name, arguments: result.texts.tool_arguments ?? call.arguments, skipped });
    }
    const results: { name: string; text: string }[] = [];
    for (const { name } of asked.filter(({ skipped }) => skipped)) {
      const failure = generation.failureEvent
        ? await runChain('post_tool_execution_failure', { tool_name: name, tool_error: SKIPPED })
        : NO_CHANGE;
      results.push({ name, text: failure.texts.tool_error ?? SKIPPED });
    }
    const ran = asked
      .filter(({ skipped }) => !skipped)
      .map((call) => ({ name: call.name, arguments: call.arguments }));
    for (const call of ran) results.push({ name: call.name, text: options.execute?.(call) ?? 'ok' });
    const told: { name: string; text: string }[] = [];
    for (const { name, text } of results) {
      const result = await runChain('post_tool_execution', { tool_name: name, tool_result: text });
      told.push({ name, text: result.texts.tool_result ?? text });
    }
    return { ran, told };
  }

  return {
    broken,
    runChain,
    callTools,
    async sessionStarts() {
      await runChain('session_start', { messages: [] });
    },
    async sessionEnds() {
      await runChain('session_end', { messages: [] });
    },
    async sendMessage(text, messages = []) {
      const result = await runChain('pre_send_message', { messages, user_input: text });
      if (result.halt === 'stop') return undefined;
      const sent = result.texts.user_input ?? text;
      await runChain('post_send_message', { messages, user_input: sent });
      return sent;
    },
    async requestModel(request) {
      const result = await runChain('pre_llm_request', { ...request, model });
      if (result.halt === 'stop') return undefined;
      const { system_prompt } = result.texts;
      return {
        ...request,
        ...(system_prompt === undefined ? {} : { system_prompt }),
        messages: [...(result.messages ?? request.messages), ...(result.inject_messages ?? [])],
      };
    },
    async endTurn(reply) {
      const fields = { messages: [], system_prompt: '', model, user_input: reply };
      const result = await runChain('stop', fields);
      const feedback = result.texts.retry_feedback;
      return { error: feedback === undefined && result.halt === 'stop', feedback };
    },
    async finishReply(reply) {
      const result = await runChain('post_llm_response', { messages: [], model, assistant_output: reply });
      const toast = result.texts.system_message;
      return result.halt === 'stop'
        ? { reply: undefined, feedback: result.texts.retry_feedback, toast }
        : { reply: result.texts.assistant_output ?? reply, feedback: undefined, toast };
    },
  };
}

/** A filter on something that the event does not carry never fits. */
function fits({ filter }: HookDefinition, context: JsonObject): boolean {
  if (filter === undefined) return true;
  const tool = context['tool_name'];
  if (filter.tool_name !== undefined) {
    if (tool !== filter.tool_name) return false;
  } else if (filter.tool_matcher !== undefined) {
    const names = filter.tool_matcher.split('|').map((name) => name.trim());
    if (typeof tool !== 'string' || !names.includes(tool)) return false;
  }
  const model = context['model'];
  return (
    filter.model_prefix === undefined || (typeof model === 'string' && model.startsWith(filter.model_prefix))
  );
}

/** A halt takes the edits of the hooks before it away. */
function halted({ halt, texts }: HookResult): HookResult {
  const { retry_feedback, system_message } = texts;
  return {
    ...NO_CHANGE,
    halt,
    texts: {
      ...(retry_feedback === undefined ? {} : { retry_feedback }),
      ...(system_message === undefined ? {} : { system_message }),
    },
  };
}

function handOn(context: JsonObject, result: HookResult): JsonObject {
  const texts = HANDED_ON.flatMap((field) => {
    const text = result.texts[field];
    return text === undefined ? [] : [[field, text] as const];
  });
  const messages = result.messages === undefined ? {} : { messages: result.messages };
  return { ...context, ...Object.fromEntries(texts), ...messages };
}

function merge(before: HookResult, result: HookResult): HookResult {
  const injected = [...(before.inject_messages ?? []), ...(result.inject_messages ?? [])];
  return {
    halt: undefined,
    texts: { ...before.texts, ...result.texts },
    messages: result.messages ?? before.messages,
    inject_messages: injected.length === 0 ? undefined : injected,
  };
}
