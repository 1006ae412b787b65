import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { goDecode } from './go-json.ts';
import { approve, type Chain, guardPrompt, intercept } from './hooks.ts';
import { PARAMS, TOOL_RESULT } from './messages.ts';
import { KIND_INDEX, notification } from './notifications.ts';

/** What an agent has beside its hooks. */
export interface AgentConfig {
  /** The registered tools; a call of any other fails. By default every tool of a call exists and says `ran NAME`. */
  readonly tools?: Readonly<Record<string, (args: JsonObject) => JsonObject>>;
  /** False for the many providers whose tool calls reach after_llm without name and arguments. */
  readonly namedCalls?: boolean;
  readonly systemPrompt?: string;
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

const MAX_ITERATIONS = 20;
const ABORTED = 'hook requested turn abort';

interface Turn {
  readonly config: AgentConfig;
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

/** One turn: the model is asked, its calls are made, until it answers without calls. */
export async function runTurn(
  config: AgentConfig,
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

/** In ordinary turns the user is shown only what a tool says to be an answer. */
function deliver(turn: Turn, result: Json): string {
  const { for_llm, for_user, silent, response_handled } = goDecode(TOOL_RESULT, result) as JsonObject;
  if (silent !== true && response_handled === true && for_user !== '') turn.toldUser.push(String(for_user));
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
