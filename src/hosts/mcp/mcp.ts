import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { RespondResult } from '../../model/decision.ts';
import type { Event, Subject } from '../../model/event.ts';
import type { CallResults } from '../call-results.ts';
import { classifyTool } from '../classify.ts';
import { ConfigurationProblem } from '../configuration-problem.ts';
import { createEvent } from '../create-event.ts';
import { refuseByBody } from '../dialect/answers.ts';
import { hostOf } from '../dialect/host-of.ts';
import { CALL_REWRITES } from '../dialect/support.ts';
import type { HostTool } from '../host.ts';
import { withKeys } from './structured-keys.ts';

const NAME = 'mcp';
const EVENTS = { 'tools/call': 'before_tool', result: 'after_tool' } as const;
const TOOLS: Readonly<Record<string, HostTool>> = { 'mcp__*': { classes: ['mcp'] } };

/** One connection of a client with a server. */
export interface McpSession {
  /** The name of the server in the names of its tools. */
  readonly server: string;
  readonly session: string;
  /** Absolute. */
  readonly cwd: string;
}

/** A server's notes on its tool in `tools/list`, as `readOnlyHint`; undefined if there are none. */
export type ToolAnnotations = JsonObject | undefined;

/** The message about a call. Texts of messages are in it as they came: the judge sees numbers that JavaScript would round. */
export function callMessage(session: McpSession, annotations: ToolAnnotations, callLine: string): string {
  return `{"event":"tools/call",${fieldsOf(session, annotations)},"call":${callLine}}`;
}

/** A line with a call of a tool, for a message without one. */
export function callLineOf(tool: string, args: Json = {}): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'tools/call',
    params: { name: tool, arguments: args },
  });
}

export function resultMessage(
  session: McpSession,
  annotations: ToolAnnotations,
  callLine: string,
  resultLine: string,
): string {
  return `{"event":"result",${fieldsOf(session, annotations)},"call":${callLine},"answer":${resultLine}}`;
}

function fieldsOf(session: McpSession, annotations: ToolAnnotations): string {
  return JSON.stringify(annotations === undefined ? session : { ...session, annotations }).slice(1, -1);
}

/** A call of a tool with arguments that nobody knows yet. */
export function listedTool(
  { server, session, cwd }: McpSession,
  tool: string,
  annotations: ToolAnnotations,
): Event {
  const name = toolName(server, tool);
  return createEvent({
    kind: 'before_tool',
    host: NAME,
    native: 'tools/list',
    requestId: undefined,
    raw: annotations === undefined ? {} : { annotations },
    subject: { tool: name },
    model: undefined,
    session,
    turn: undefined,
    context: () => ({ host: NAME, session, cwd }),
    textsOf: () => [],
    toolOf: () => ({
      name,
      arguments: undefined,
      ...classifyTool(TOOLS, name, undefined),
      extraArguments: { server, tool_name: tool },
    }),
  });
}

/** As other agents call the tools of their servers. */
function toolName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`;
}

/** By the protocol. */
const RESULTS: CallResults = {
  by: 'id',
  marks: [{ at: ['answer.error', 'answer.result.isError'], means: 'failed' }],
  unmarked: ['succeeded', 'failed'],
};

/** Answers are one text, so a result is kept that is no more than that. */
function resultOf(subject: Subject): RespondResult | undefined {
  const { content, isError, ...others } = ownObject(subject, 'result') ?? {};
  const [first, ...more] = Array.isArray(content) ? content : [];
  const isOnlyText =
    more.length === 0 &&
    isError !== true &&
    Object.keys(others).length === 0 &&
    isJsonObject(first ?? null) &&
    Object.keys(first as JsonObject).length === 2 &&
    own(first as JsonObject, 'type') === 'text';
  const text = isOnlyText ? ownString(first as JsonObject, 'text') : undefined;
  return text === undefined ? undefined : { for_llm: text };
}

/** An MCP client that talks to `policy mcp-proxy` instead of its server. It starts no hook: the proxy asks in its place. */
export const mcp = hostOf({
  name: NAME,
  title: 'an MCP client',
  facts: 'the protocol',
  // MCP clients give up a request after this time by default.
  timeoutS: 60,
  events: EVENTS,
  everywhere: { beside: [], context: ['cwd', 'session', 'host'] },
  supports: {
    before_tool: { can: ['modify', 'respond', 'deny'], rewrites: CALL_REWRITES },
    after_tool: { can: ['modify', 'deny'], rewrites: ['set', 'remove', 'replace', 'redact', 'truncate'] },
  },
  tools: TOOLS,
  results: RESULTS,
  resultOf,
  guards: { paths: [] },
  recognise: () => false,
  read: (message) => {
    const params = ownObject(ownObject(message, 'call') ?? {}, 'params') ?? {};
    const answer = ownObject(message, 'answer') ?? {};
    const tool = ownString(params, 'name');
    const id = own(ownObject(message, 'call') ?? {}, 'id') ?? null;
    const fields: JsonObject = {
      hook_event_name: own(message, 'event') ?? null,
      session_id: own(message, 'session') ?? null,
      cwd: own(message, 'cwd') ?? null,
      tool_input: own(params, 'arguments') ?? {},
      // The model reads the message of an error like a result, and so it does the server's questions and remarks.
      tool_response: withKeys(own(answer, 'result') ?? own(answer, 'error') ?? own(answer, 'params') ?? null),
    };
    return tool === undefined
      ? fields
      : {
          ...fields,
          tool_name: toolName(ownString(message, 'server') ?? '', tool),
          ...(id === null ? {} : { tool_use_id: JSON.stringify(id) }),
        };
  },
  answers: {
    deny: (_on, reason) => ({ refused: reason }),
    respond: (_on, text, isError) => ({ answered: text, is_error: isError }),
    rewrite: ({ kind }, subject) =>
      kind === 'before_tool'
        ? { arguments: own(subject, 'arguments') ?? {} }
        : { result: own(subject, 'result') ?? null },
  },
  exitStyle: refuseByBody,
  hook: ({ program }) => ({ command: program, args: ['mcp-proxy', '--', 'SERVER'] }),
  installation: async () => {
    throw new ConfigurationProblem('MCP clients start their servers by configurations of their own');
  },
});
