import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { goDecode } from './go-json.ts';
import { type HookCommand, HookProcess } from './hook-process.ts';
import { approve, type Chain, type Features, guardPrompt, type Hook, intercept, type Mode } from './hooks.ts';
import { PARAMS, TOOL_RESULT } from './messages.ts';
import { KIND_INDEX, notification, observableNames } from './notifications.ts';

/**
 * A stand-in for PicoClaw, as strict as the real one where a hook could get it wrong. It starts hooks, runs turns whose
 * model answers are scripted, and reports which tools ran and what the model and the user were told.
 */
export interface PicoclawConfig {
  readonly version?: keyof typeof FEATURES;
  /** By name; started in the order of the names, asked in the order of priority, then name. */
  readonly processes: Readonly<Record<string, HookConfig>>;
  readonly interceptorMs?: number;
  readonly approvalMs?: number;
  /** The registered tools; a call of any other fails. By default every tool of a call exists and says `ran NAME`. */
  readonly tools?: Readonly<Record<string, (args: JsonObject) => JsonObject>>;
  /** False for the many providers whose tool calls reach after_llm without name and arguments. */
  readonly namedCalls?: boolean;
  readonly systemPrompt?: string;
}

export interface HookConfig extends HookCommand {
  readonly priority?: number;
  readonly intercept?: readonly string[];
  readonly observe?: readonly string[];
}

/** One answer of the scripted model. */
export interface ModelAnswer {
  readonly content?: string;
  readonly calls?: readonly { readonly tool: string; readonly arguments?: JsonObject }[];
}

export interface TurnScript {
  readonly user: string;
  readonly answers: readonly ModelAnswer[];
  readonly session?: string;
  readonly chatType?: string;
  readonly model?: string;
}

/** What a turn came to. */
export interface TurnReport {
  /** Tools that ran, with the arguments they ran with. */
  readonly ran: readonly { readonly tool: string; readonly arguments: JsonObject }[];
  /** Results and refusals as the model read them, in order. */
  readonly toldModel: readonly string[];
  /** What the user read, in order. */
  readonly toldUser: readonly string[];
  /** The requests as they went to the model. */
  readonly requests: readonly JsonObject[];
  readonly error: string | undefined;
}

const FEATURES = {
  '0.2.4': {
    topLevelChannel: true,
    context: false,
    respond: false,
    promptGuard: false,
    runtimeEvents: false,
  },
  '0.2.5': {
    topLevelChannel: true,
    context: false,
    respond: false,
    promptGuard: false,
    runtimeEvents: false,
  },
  '0.2.6': { topLevelChannel: true, context: false, respond: true, promptGuard: false, runtimeEvents: false },
  '0.2.7': { topLevelChannel: false, context: true, respond: true, promptGuard: false, runtimeEvents: false },
  '0.2.8': { topLevelChannel: false, context: true, respond: true, promptGuard: true, runtimeEvents: false },
  '0.2.9': { topLevelChannel: false, context: true, respond: true, promptGuard: true, runtimeEvents: true },
} as const satisfies Record<string, Features>;

const INTERCEPT_MODES: Readonly<Record<string, Mode>> = {
  before_llm: 'llm',
  after_llm: 'llm',
  before_tool: 'tool',
  after_tool: 'tool',
  approve_tool: 'approve',
};
const MODE_ORDER: readonly Mode[] = ['observe', 'llm', 'tool', 'approve'];
const MAX_ITERATIONS = 20;
const ABORTED = 'hook requested turn abort';

export interface Picoclaw {
  /** Runs one turn. Turns of different sessions may run at the same time. */
  readonly turn: (script: TurnScript) => Promise<TurnReport>;
  readonly hook: (name: string) => HookProcess;
  /** What the log would say. */
  readonly warnings: readonly string[];
  /** Why hooks could not be started; every turn fails then. */
  readonly initError: string | undefined;
  readonly close: () => Promise<void>;
}

/** Starts the hooks. There is no deadline: a hook that never answers hello is waited for for ever. */
export async function startPicoclaw(config: PicoclawConfig): Promise<Picoclaw> {
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const features = FEATURES[config.version ?? '0.2.9'];
  const mounted: (Hook & { readonly priority: number })[] = [];
  let initError: string | undefined;
  for (const name of Object.keys(config.processes).sort()) {
    const hook = config.processes[name];
    if (hook === undefined) continue;
    try {
      mounted.push({ ...(await mount(name, hook, features, warn)), priority: hook.priority ?? 0 });
    } catch (error) {
      initError = `hook "${name}": ${error instanceof Error ? error.message : error}`;
      await Promise.all(mounted.map(({ process }) => process.close()));
      mounted.length = 0;
      break;
    }
  }
  mounted.sort((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1));
  const chain: Chain = {
    hooks: mounted,
    interceptorMs: config.interceptorMs ?? 5000,
    approvalMs: config.approvalMs ?? 60_000,
    features,
    warn,
  };
  let turns = 0;
  const histories = new Map<string, Json[]>();
  return {
    warnings,
    initError,
    hook: (name) => {
      const found = mounted.find((hook) => hook.name === name);
      if (found === undefined) throw new Error(`no hook "${name}"`);
      return found.process;
    },
    turn: async (script) => {
      if (initError !== undefined) return failedTurn(initError);
      turns += 1;
      return runTurn(config, chain, script, `main-turn-${turns}`, histories);
    },
    close: async () => {
      await Promise.all(mounted.map(({ process }) => process.close()));
    },
  };
}

async function mount(
  name: string,
  config: HookConfig,
  features: Features,
  warn: (text: string) => void,
): Promise<Hook> {
  const observes = new Set(config.observe ?? []);
  for (const observed of observes) {
    const known = observed === '*' || observableNames(features).has(observed);
    if (!known) throw new Error(`unsupported observe "${observed}"`);
  }
  const modes = new Set<Mode>(observes.size > 0 ? ['observe'] : []);
  for (const stage of config.intercept ?? []) {
    const mode = INTERCEPT_MODES[stage];
    if (mode === undefined) throw new Error(`unsupported intercept "${stage}"`);
    modes.add(mode);
  }
  if (modes.size === 0) throw new Error('no hook modes enabled');
  const ordered = MODE_ORDER.filter((mode) => modes.has(mode));
  const process = new HookProcess(config, (text) => warn(`${name}: ${text}`));
  const greeting = await process.call('hook.hello', { name, version: 1, modes: ordered }, undefined);
  try {
    goDecode({ pointer: { map: 'any' } }, greeting);
  } catch (error) {
    await process.close();
    throw error;
  }
  return { name, process, modes: ordered, observes };
}

function failedTurn(error: string): TurnReport {
  return { ran: [], toldModel: [], toldUser: [`Error: ${error}`], requests: [], error };
}

interface Turn {
  readonly config: PicoclawConfig;
  readonly chain: Chain;
  readonly script: TurnScript;
  readonly id: string;
  readonly session: string;
  readonly ran: { tool: string; arguments: JsonObject }[];
  readonly toldModel: string[];
  readonly toldUser: string[];
  readonly requests: JsonObject[];
  iteration: number;
}

/** A verdict that ends the turn. */
class TurnEnd extends Error {
  readonly hard: boolean;

  constructor(hard: boolean) {
    super(ABORTED);
    this.hard = hard;
  }
}

async function runTurn(
  config: PicoclawConfig,
  chain: Chain,
  script: TurnScript,
  id: string,
  histories: Map<string, Json[]>,
): Promise<TurnReport> {
  const session = script.session ?? 'cli:direct';
  const turn: Turn = {
    config,
    chain,
    script,
    id,
    session,
    ran: [],
    toldModel: [],
    toldUser: [],
    requests: [],
    iteration: 0,
  };
  const before = histories.get(session) ?? [{ role: 'system', content: config.systemPrompt ?? 'You help.' }];
  const history = [...before, { role: 'user', content: script.user }];
  let error: string | undefined;
  observe(turn, 'turn_start', { UserMessage: script.user, MediaCount: 0 });
  let final = '';
  try {
    final = await converse(turn, history);
    if (final !== '') turn.toldUser.push(final);
    histories.set(session, history);
  } catch (cause) {
    if (!(cause instanceof TurnEnd)) throw cause;
    error = cause.message;
    // Nobody is told the reason; a hard abort takes back the whole turn and says nothing.
    if (cause.hard) histories.set(session, before);
    else {
      histories.set(session, history);
      turn.toldUser.push(`Error processing message: ${ABORTED}`);
    }
  }
  observe(turn, 'turn_end', {
    Status: error === undefined ? 'completed' : 'aborted',
    Workspace: '/home/agent/workspace',
    Iterations: turn.iteration,
    UserMessage: script.user,
    FinalContent: final,
  });
  const { ran, toldModel, toldUser, requests } = turn;
  return { ran, toldModel, toldUser, requests, error };
}

async function converse(turn: Turn, history: Json[]): Promise<string> {
  for (const answer of turn.script.answers.slice(0, MAX_ITERATIONS)) {
    turn.iteration += 1;
    await askModel(turn, history);
    const { content, calls } = await hear(turn, answer);
    if (calls.length === 0) {
      history.push({ role: 'assistant', content });
      return content;
    }
    history.push({ role: 'assistant', content, tool_calls: calls.map(historyCall) });
    for (const call of calls) {
      const told = await useTool(turn, call);
      turn.toldModel.push(told);
      history.push({ role: 'tool', content: told, tool_call_id: call.id });
    }
  }
  return '';
}

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

function historyCall({ id, tool, arguments: args }: Call): JsonObject {
  return { id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
}

async function askModel(turn: Turn, history: readonly Json[]): Promise<void> {
  const names = Object.keys(turn.config.tools ?? { exec: null, read_file: null });
  const params = normal('hook.before_llm', {
    ...common(turn, 'turn.llm.request'),
    model: turn.script.model ?? 'claude-sonnet',
    messages: [...history],
    tools: names.map((name) => ({
      type: 'function',
      function: { name, description: name, parameters: { type: 'object' } },
    })),
    options: { max_tokens: 4096, temperature: 0.7 },
  });
  const verdict = await intercept(turn.chain, 'hook.before_llm', params);
  endIf(verdict.flow);
  const { model, messages, tools, options } = guardPrompt(turn.chain, params, verdict.params);
  turn.requests.push({
    model: model ?? '',
    messages: messages ?? [],
    tools: tools ?? [],
    options: options ?? {},
  });
  observe(turn, 'llm_request', { Model: model ?? '' });
}

async function hear(turn: Turn, answer: ModelAnswer): Promise<{ content: string; calls: Call[] }> {
  const calls: Call[] = (answer.calls ?? []).map((call, index) => ({
    id: `c${turn.iteration}-${index}`,
    tool: call.tool,
    arguments: call.arguments ?? {},
  }));
  const named = turn.config.namedCalls ?? false;
  const params = normal('hook.after_llm', {
    ...common(turn, 'turn.llm.response'),
    model: turn.script.model ?? 'claude-sonnet',
    response: {
      content: answer.content ?? '',
      tool_calls: calls.map((call) => (named ? historyCall(call) : { id: call.id })),
      finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
    },
  });
  const verdict = await intercept(turn.chain, 'hook.after_llm', params);
  endIf(verdict.flow);
  observe(turn, 'llm_response', { ToolCalls: calls.length });
  if (verdict.params === params) return { content: answer.content ?? '', calls };
  // What came back over the wire has lost the internal names.
  const response = verdict.params['response'];
  if (!isJsonObject(response)) return { content: '', calls: [] };
  const returned = response['tool_calls'];
  return {
    content: String(response['content']),
    calls: (Array.isArray(returned) ? returned : []).map(callFromWire),
  };
}

function callFromWire(call: Json): Call {
  const object = isJsonObject(call) ? call : {};
  const called = isJsonObject(object['function'] ?? null) ? (object['function'] as JsonObject) : undefined;
  return {
    id: String(object['id'] ?? ''),
    tool: called === undefined ? '' : String(called['name']),
    arguments: called === undefined ? {} : (JSON.parse(String(called['arguments'])) as JsonObject),
  };
}

/** Runs one call and returns what the model reads. */
async function useTool(turn: Turn, call: Call): Promise<string> {
  const params = normal('hook.before_tool', {
    ...common(turn, 'turn.tool.before'),
    tool: call.tool,
    arguments: call.arguments,
  });
  const verdict = await intercept(turn.chain, 'hook.before_tool', params);
  endIf(verdict.flow);
  if (verdict.flow === 'deny_tool')
    return denied(turn, call.tool, 'Tool execution denied by hook', verdict.reason);
  const tool = String(verdict.params['tool']);
  const args = isJsonObject(verdict.params['arguments']) ? verdict.params['arguments'] : {};
  if (verdict.flow === 'respond') {
    observe(turn, 'tool_exec_start', { Tool: tool, Arguments: args });
    return deliver(turn, verdict.params['hook_result'] ?? null);
  }
  const final = normal('hook.approve_tool', { ...common(turn, 'turn.tool.approve'), tool, arguments: args });
  const approval = await approve(turn.chain, final);
  if (!approval.approved)
    return denied(turn, tool, 'Tool execution denied by approval hook', approval.reason);
  return deliver(turn, await execute(turn, tool, args));
}

async function execute(turn: Turn, tool: string, args: JsonObject): Promise<Json> {
  observe(turn, 'tool_exec_start', { Tool: tool, Arguments: args });
  const result = runTool(turn, tool, args);
  const params = normal('hook.after_tool', {
    ...common(turn, 'turn.tool.after'),
    tool,
    arguments: args,
    result,
    duration: 15_000_000,
  });
  const verdict = await intercept(turn.chain, 'hook.after_tool', params);
  endIf(verdict.flow);
  observe(turn, 'tool_exec_end', { Tool: tool, IsError: false });
  return verdict.params['result'] ?? null;
}

function runTool(turn: Turn, tool: string, args: JsonObject): JsonObject {
  const { tools } = turn.config;
  const run = tools === undefined ? () => ({ for_llm: `ran ${tool}` }) : tools[tool];
  if (tool === '' || run === undefined) return { for_llm: `tool "${tool}" not found`, is_error: true };
  turn.ran.push({ tool, arguments: args });
  return run(args);
}

function deliver(turn: Turn, result: Json): string {
  const { for_llm, for_user, silent } = goDecode(TOOL_RESULT, result) as JsonObject;
  if (silent !== true && for_user !== '') turn.toldUser.push(String(for_user));
  return String(for_llm);
}

function denied(turn: Turn, tool: string, prefix: string, reason: string): string {
  const text = reason === '' ? prefix : `${prefix}: ${reason}`;
  observe(turn, 'tool_exec_skipped', { Tool: tool, Reason: text });
  return text;
}

function endIf(flow: string): void {
  if (flow === 'abort_turn' || flow === 'hard_abort') throw new TurnEnd(flow === 'hard_abort');
}

function meta(turn: Turn, tracePath: string): JsonObject {
  return {
    AgentID: 'main',
    TurnID: turn.id,
    ParentTurnID: '',
    SessionKey: turn.session,
    Iteration: turn.iteration,
    TracePath: tracePath,
    Source: 'runTurn',
  };
}

function common(turn: Turn, tracePath: string): JsonObject {
  const { topLevelChannel, context } = turn.chain.features;
  return {
    meta: meta(turn, tracePath),
    ...(topLevelChannel ? { channel: 'telegram', chat_id: '42' } : {}),
    ...(context ? { context: { inbound: inbound(turn) } } : {}),
  };
}

function inbound(turn: Turn): JsonObject {
  return { channel: 'telegram', chat_id: '42', chat_type: turn.script.chatType ?? 'direct', sender_id: '7' };
}

/** The parameters with every field the real one would have, empty where it is not given. */
function normal(method: keyof typeof PARAMS, params: JsonObject): JsonObject {
  return goDecode(PARAMS[method], params) as JsonObject;
}

function observe(turn: Turn, kind: keyof typeof KIND_INDEX, payload: JsonObject): void {
  const { hooks, features } = turn.chain;
  for (const { process, observes } of hooks) {
    if (!observes.has('*') && !observes.has(kind) && !observes.has(KIND_INDEX[kind][1])) continue;
    const { method, params } = notification(features, kind, meta(turn, 'turn'), inbound(turn), payload);
    process.notify(method, params);
  }
}
