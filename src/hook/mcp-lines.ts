import { deserializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { CallToolResult, JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  own,
  ownObject,
  ownString,
  parseJson,
} from '../lib/json.ts';
import { hasTooManyValues } from '../lib/json-size.ts';

const INVALID_REQUEST = -32_600;

/** The server's own name, as a part of a name. */
export function ownName(initialised: JsonObject): string | undefined {
  return ownString(ownObject(initialised, 'serverInfo') ?? {}, 'name')?.replace(/[^\w.-]+/g, '_');
}

/** The answer to a request that cannot be met. */
export function errorMessage(id: RequestId, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } };
}

/** A message of the protocol; undefined if a line holds none, or more than a message may. */
export function read(line: string): JSONRPCMessage | undefined {
  if (hasTooManyValues(line)) return undefined;
  try {
    return deserializeMessage(line);
  } catch {
    return undefined;
  }
}

/** Finds the id of a request in lines that are too long to be read. */
const ID_IN_HEAD =
  /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[\w./]{1,64}"\s*,)*\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,64}")/;

/** The id of a line that looks like a request. */
export function idIn(line: string): RequestId | undefined {
  if (hasTooManyValues(line)) {
    const id = ID_IN_HEAD.exec(line.slice(0, 512))?.[1];
    return id === undefined ? undefined : (JSON.parse(id) as RequestId);
  }
  const value = parseJson(line);
  const id = isJsonObject(value) && Object.hasOwn(value, 'method') ? own(value, 'id') : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

export function textResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}

/** The verdict, as `hosts/mcp` writes it. */
export function verdictIn(text: string): JsonObject {
  const verdict: Json = JSON.parse(text);
  return isJsonObject(verdict) ? verdict : { refused: 'Refused by policy: there is no verdict' };
}
