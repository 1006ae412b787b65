import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import {
  type CallToolResult,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type JSONRPCResultResponse,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Reply } from '../hosts/host.ts';
import {
  callLineOf,
  callMessage,
  type McpSession,
  resultMessage,
  type ToolAnnotations,
} from '../hosts/mcp/mcp.ts';
import { withoutKeys } from '../hosts/mcp/structured-keys.ts';
import { isJsonObject, type JsonObject, own, ownObject, ownString } from '../lib/json.ts';
import { callsInAnswer, clientAmbiguity, declaredArguments, serverAmbiguity } from './mcp-ambiguity.ts';
import { errorMessage, idIn, ownName, read, textResult, verdictIn } from './mcp-lines.ts';

export interface McpProxyOptions {
  readonly session: Omit<McpSession, 'server'>;
  /** The name of the server; by default, its own name. */
  readonly server: string | undefined;
  /** Judges a message of `hosts/mcp`. Never throws and never rejects. */
  readonly judge: (text: string) => Reply | Promise<Reply>;
  /** True if a tool is refused whatever its arguments are. May throw. */
  readonly isHidden: (session: McpSession, tool: string, annotations: ToolAnnotations) => boolean;
  readonly toServer: (line: string) => void;
  readonly toClient: (line: string) => void;
  /** Receives the problems of lines that are not passed on. */
  readonly tell: (problem: string) => void;
}

/** Takes lines from either side, without their ends. Never throws. */
export interface McpProxy {
  readonly fromClient: (line: string) => void;
  readonly fromServer: (line: string) => void;
}

/** A request of the client that has no answer yet. */
interface Asked {
  readonly request: JSONRPCRequest;
  readonly line: string;
}

/** So many tasks are remembered with their calls; the results of others are judged as an unknown tool's. */
const MAX_TASKS = 1_024;
/** The model reads these messages, which a server sends unasked. */
const SPOKEN: readonly string[] = [
  'sampling/createMessage',
  'elicitation/create',
  'notifications/tasks/status',
];

/**
 * A proxy between an MCP client and server. It judges calls, results and the server's messages; ambiguous or invalid lines do
 * not pass.
 */
export function createMcpProxy(options: McpProxyOptions): McpProxy {
  const { judge, isHidden, toServer, toClient, tell } = options;
  const pending = new Map<RequestId, Asked>();
  /** The calls that go on as tasks, by the task. */
  const tasks = new Map<string, string>();
  /** The server's last annotations of its tools, by their names. */
  const annotations = new Map<string, ToolAnnotations>();
  const declared = new Map<string, ReadonlySet<string> | undefined>();
  let server = options.server;
  const session = (): McpSession => ({ ...options.session, server: server ?? 'server' });
  const answer = (id: RequestId, result: CallToolResult) => {
    pending.delete(id);
    toClient(serializeMessage({ jsonrpc: '2.0', id, result }));
  };

  function fromClient(line: string): void {
    const message = read(line);
    const problem = message === undefined ? undefined : ambiguityOf(message, line);
    if (message === undefined) notRead(line);
    else if (problem !== undefined) notClear(message, problem);
    else if (isJSONRPCRequest(message)) requested(message, line);
    else if (isJSONRPCNotification(message)) notified(message, line);
    else if (isJSONRPCResultResponse(message)) replied(message, line);
    else toServer(`${line}\n`);
  }

  function ambiguityOf(message: JSONRPCMessage, line: string): string | undefined {
    const tool = isJSONRPCRequest(message) ? String(message.params?.['name']) : '';
    return clientAmbiguity(line, message as JsonObject, declared.get(tool));
  }

  function notClear(message: JSONRPCMessage, problem: string): void {
    tell(`a line of the client is not passed on: ${problem}`);
    if (!isJSONRPCRequest(message)) return;
    const { id, method } = message;
    const text = `Refused by policy: ${problem}, so servers read it in different ways. Instead: write each key once.`;
    if (pending.has(id) || method !== 'tools/call') fail(id, text);
    else answer(id, textResult(text, true));
  }

  /** An answer to a request of the server: it may ask the model for calls of tools, and make them itself. */
  function replied(message: JSONRPCResultResponse, line: string): void {
    const calls = callsInAnswer(message.result as JsonObject);
    const next = (index: number): void => {
      const call = calls[index];
      if (call === undefined) {
        toServer(`${line}\n`);
        return;
      }
      const name = ownString(call, 'name') ?? '';
      const text = callLineOf(name, own(call, 'input') ?? {});
      judged(callMessage(session(), annotations.get(name), text), (verdict) => {
        const why = ownString(verdict, 'refused') ?? 'Refused by policy: the call would have to be changed';
        if (Object.keys(verdict).length === 0) next(index + 1);
        else toServer(serializeMessage(errorMessage(message.id, why)));
      });
    };
    next(0);
  }

  function notRead(line: string): void {
    tell('a line of the client is no message of MCP, and is not passed on');
    const id = idIn(line);
    if (id !== undefined) fail(id, 'Refused by policy: this is no message of MCP');
  }

  function notified({ method, params }: JSONRPCNotification, line: string): void {
    if (method === 'tools/call') tell('a call without an id is not passed on: nobody could be told why');
    else {
      // A call that is still being judged is then forgotten.
      if (method === 'notifications/cancelled') pending.delete(params?.['requestId'] as RequestId);
      toServer(`${line}\n`);
    }
  }

  function requested(request: JSONRPCRequest, line: string): void {
    const { id, method } = request;
    if (pending.has(id)) {
      // Two answers to one id would look alike.
      fail(id, `Refused by policy: the request ${id} has no answer yet`);
      return;
    }
    const asked = { request, line };
    pending.set(id, asked);
    if (method !== 'tools/call') toServer(`${line}\n`);
    else
      judged(callMessage(session(), annotationsIn(line), line), (verdict) => {
        if (pending.get(id) === asked) carryOut(asked, verdict);
      });
  }

  function carryOut({ request, line }: Asked, verdict: JsonObject): void {
    const refused = ownString(verdict, 'refused');
    const answered = ownString(verdict, 'answered');
    const changed = ownObject(verdict, 'arguments');
    if (refused !== undefined) answer(request.id, textResult(refused, true));
    else if (answered !== undefined)
      answer(request.id, textResult(answered, own(verdict, 'is_error') === true));
    else if (changed === undefined) toServer(`${line}\n`);
    else toServer(serializeMessage({ ...request, params: { ...request.params, arguments: changed } }));
  }

  function fromServer(line: string): void {
    const message = read(line);
    const problem = message === undefined ? 'it is no message of MCP' : serverAmbiguity(line);
    if (message === undefined || problem !== undefined) {
      tell(`a line of the server is not passed on: ${problem}`);
      if (message !== undefined && 'id' in message && !('method' in message)) giveUp(message.id);
    } else if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) responded(message, line);
    else if (SPOKEN.includes(message.method)) spoken(message, line);
    else toClient(`${line}\n`);
  }

  /** Answers the request of a line that is not passed on. */
  function giveUp(id: RequestId | undefined): void {
    if (id === undefined || !pending.delete(id)) return;
    fail(id, 'Refused by policy: the answer of the server can be read in different ways');
  }

  /** Judges an unasked message as the result of a tool with the name of its method. */
  function spoken(message: JSONRPCRequest | JSONRPCNotification, line: string): void {
    const { method, params = {} } = message;
    const task = ownString(params as JsonObject, 'taskId');
    const callLine = (task === undefined ? undefined : tasks.get(task)) ?? callLineOf(method);
    judged(resultMessage(session(), annotationsIn(callLine), callLine, line), (verdict) => {
      const refused = ownString(verdict, 'refused');
      const changed = own(verdict, 'result');
      if (refused === undefined && changed === undefined) toClient(`${line}\n`);
      else if (refused === undefined)
        toClient(serializeMessage({ ...message, params: changed } as JSONRPCMessage));
      else if ('id' in message) toServer(serializeMessage(errorMessage(message.id, refused)));
      else tell(`a notification of the server is not passed on: ${refused}`);
    });
  }

  function responded(message: JSONRPCResponse, line: string): void {
    const { id } = message;
    const asked = id === undefined ? undefined : pending.get(id);
    if (id === undefined || asked === undefined) {
      tell('an answer that nobody waits for is not passed on');
      return;
    }
    const result = 'result' in message ? (message.result as JsonObject) : {};
    const { method, params } = asked.request;
    const isTask = method.startsWith('tasks/');
    const callLine =
      method === 'tools/call'
        ? asked.line
        : isTask && (method === 'tasks/result' || line.includes('"statusMessage"'))
          ? (tasks.get(String(params?.['taskId'])) ?? callLineOf(method))
          : undefined;
    if (callLine === undefined) {
      pending.delete(id);
      if (method === 'initialize') server ??= ownName(result);
      toClient(method === 'tools/list' ? listed(message, result, line) : `${line}\n`);
      return;
    }
    const task = ownString(ownObject(result, 'task') ?? {}, 'taskId');
    if (task !== undefined) remember(task, callLine);
    judged(resultMessage(session(), annotationsIn(callLine), callLine, line), (verdict) => {
      if (!pending.delete(id)) return;
      const refused = ownString(verdict, 'refused');
      const rewritten = own(verdict, 'result');
      const part = 'result' in message ? 'result' : 'error';
      const changed =
        rewritten === undefined ? undefined : withoutKeys(own(message as JsonObject, part), rewritten);
      const isOther = isTask && method !== 'tasks/result';
      if (refused !== undefined && isOther) fail(id, refused);
      else if (refused !== undefined) answer(id, textResult(refused, true));
      else if (rewritten === undefined) toClient(`${line}\n`);
      else if (changed === undefined) giveUpRewrite(id);
      else toClient(serializeMessage({ ...message, [part]: changed } as JSONRPCMessage));
    });
  }

  function giveUpRewrite(id: RequestId): void {
    answer(id, textResult('Refused by policy: the result cannot be rewritten with its keys', true));
  }

  function remember(task: string, callLine: string): void {
    tasks.set(task, callLine);
    const [oldest = ''] = tasks.keys();
    if (tasks.size > MAX_TASKS) tasks.delete(oldest);
  }

  function annotationsIn(callLine: string): ToolAnnotations {
    const call = read(callLine);
    const name = call !== undefined && isJSONRPCRequest(call) ? call.params?.['name'] : undefined;
    return annotations.get(String(name));
  }

  /** Goes on with the verdict, at once where it is there at once: messages keep their order. */
  function judged(text: string, next: (verdict: JsonObject) => void): void {
    const goOn = ({ stdout }: Reply) => next(verdictIn(stdout));
    const reply = judge(text);
    if (reply instanceof Promise) void reply.then(goOn);
    else goOn(reply);
  }

  function fail(id: RequestId, message: string): void {
    toClient(serializeMessage(errorMessage(id, message)));
  }

  /** The answer to `tools/list` without the tools that are refused anyway. */
  function listed(message: JSONRPCMessage, result: JsonObject, line: string): string {
    const tools = own(result, 'tools');
    if (!Array.isArray(tools)) return `${line}\n`;
    const shown = tools.filter((tool) => {
      if (!isJsonObject(tool)) return true;
      const name = ownString(tool, 'name');
      if (name === undefined) return true;
      const said = ownObject(tool, 'annotations');
      annotations.set(name, said);
      declared.set(name, declaredArguments(tool));
      return !isHidden(session(), name, said);
    });
    if (shown.length === tools.length) return `${line}\n`;
    return serializeMessage({ ...message, result: { ...result, tools: shown } } as JSONRPCMessage);
  }

  return { fromClient, fromServer };
}
