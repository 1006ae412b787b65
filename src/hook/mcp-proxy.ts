import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
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
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Reply } from '../hosts/host.ts';
import { callMessage, type McpSession, resultMessage, type ToolAnnotations } from '../hosts/mcp/mcp.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../lib/json.ts';

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
  /** Receives what is not passed on. */
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

const INVALID_REQUEST = -32_600;

/**
 * Stands between an MCP client and its server. Calls of tools and their results are judged; everything else passes as the
 * bytes that it came in. What is no message of the protocol, and an answer that nobody waits for, does not pass.
 */
export function createMcpProxy(options: McpProxyOptions): McpProxy {
  const { judge, isHidden, toServer, toClient, tell } = options;
  const pending = new Map<RequestId, Asked>();
  /** The calls that go on as tasks, by the task. */
  const tasks = new Map<string, string>();
  /** What the server said last of its tools, by their names. */
  const annotations = new Map<string, ToolAnnotations>();
  let server = options.server;
  const session = (): McpSession => ({ ...options.session, server: server ?? 'server' });
  const answer = (id: RequestId, result: CallToolResult) => {
    pending.delete(id);
    toClient(serializeMessage({ jsonrpc: '2.0', id, result }));
  };

  function fromClient(line: string): void {
    const message = read(line);
    if (message === undefined) notRead(line);
    else if (isJSONRPCRequest(message)) requested(message, line);
    else if (isJSONRPCNotification(message)) notified(message, line);
    else toServer(`${line}\n`);
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
      // Two answers to one id could not be told apart.
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
    else if (answered !== undefined) answer(request.id, textResult(answered, false));
    else if (changed === undefined) toServer(`${line}\n`);
    else toServer(serializeMessage({ ...request, params: { ...request.params, arguments: changed } }));
  }

  function fromServer(line: string): void {
    const message = read(line);
    if (message === undefined) tell('a line of the server is no message of MCP, and is not passed on');
    else if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) responded(message, line);
    else toClient(`${line}\n`);
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
    const callLine =
      method === 'tools/call'
        ? asked.line
        : method === 'tasks/result'
          ? tasks.get(String(params?.['taskId']))
          : undefined;
    if (callLine === undefined) {
      pending.delete(id);
      if (method === 'initialize') server ??= ownName(result);
      toClient(method === 'tools/list' ? listed(message, result, line) : `${line}\n`);
      return;
    }
    const task = ownString(ownObject(result, 'task') ?? {}, 'taskId');
    if (task !== undefined) tasks.set(task, callLine);
    judged(resultMessage(session(), annotationsIn(callLine), callLine, line), (verdict) => {
      if (!pending.delete(id)) return;
      const refused = ownString(verdict, 'refused');
      const changed = own(verdict, 'result');
      const part = 'result' in message ? 'result' : 'error';
      if (refused !== undefined) answer(id, textResult(refused, true));
      else if (changed === undefined) toClient(`${line}\n`);
      else toClient(serializeMessage({ ...message, [part]: changed } as JSONRPCMessage));
    });
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
    toClient(serializeMessage({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } }));
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
      return !isHidden(session(), name, said);
    });
    if (shown.length === tools.length) return `${line}\n`;
    return serializeMessage({ ...message, result: { ...result, tools: shown } } as JSONRPCMessage);
  }

  return { fromClient, fromServer };
}

/** What the server calls itself, as a part of a name. */
function ownName(initialised: JsonObject): string | undefined {
  return ownString(ownObject(initialised, 'serverInfo') ?? {}, 'name')?.replace(/[^\w.-]+/g, '_');
}

/** A message of the protocol; undefined if a line holds none. */
function read(line: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(line);
  } catch {
    return undefined;
  }
}

/** The id of what looks like a request. */
function idIn(line: string): RequestId | undefined {
  try {
    const value: Json = JSON.parse(line);
    const id = isJsonObject(value) && Object.hasOwn(value, 'method') ? own(value, 'id') : undefined;
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}

function textResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}

function verdictIn(text: string): JsonObject {
  const verdict: Json = JSON.parse(text);
  return isJsonObject(verdict) ? verdict : { refused: 'Refused by policy: there is no verdict' };
}
