import { isJsonObject, type JsonObject, ownString } from '../../lib/json.ts';
import { argumentsOf, isoTime, objectsIn, type PastCall, type Sessions } from '../sessions.ts';

/** `projects/<folder>/<session>.jsonl`, those of subagents below it; a message or a part of one a line. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`}/projects`],
  files: /^[^/]+\/.+\.jsonl$/,
  read({ path, text }) {
    const records = objectsIn(text);
    if (!records.some((record) => typeof record['sessionId'] === 'string' && isJsonObject(record['message'])))
      return undefined;
    const calls = new Map<string, PastCall>();
    for (const record of records) {
      const session = ownString(record, 'sessionId');
      if (session === undefined) continue;
      const bySubagent = record['isSidechain'] === true || path.includes('/subagents/');
      for (const part of partsOf(record)) {
        const made = part['type'] === 'tool_result' ? ownString(part, 'tool_use_id') : undefined;
        const call = made === undefined ? undefined : calls.get(made);
        if (made !== undefined && call !== undefined) calls.set(made, { ...call, ran: !isRefused(part) });
        if (part['type'] !== 'tool_use' || typeof part['name'] !== 'string') continue;
        const id = ownString(part, 'id');
        // What is gone on with from an earlier session may be there twice.
        calls.set(id ?? String(calls.size), {
          tool: part['name'],
          arguments: argumentsOf(part['input']),
          session,
          cwd: ownString(record, 'cwd'),
          time: isoTime(record['timestamp']),
          id,
          ...(bySubagent ? { bySubagent } : {}),
        });
      }
    }
    return [...calls.values()];
  },
};

function partsOf({ message }: JsonObject): readonly JsonObject[] {
  const content = isJsonObject(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

/** How the results begin of calls that have not run. */
const NOT_RUN =
  /^(?:The user doesn't want|Permission to use|Claude requested permissions|\[Request interrupted|<tool_use_error>|PreToolUse|.{0,40}hook (?:denied|blocked|error))/i;

function isRefused(result: JsonObject): boolean {
  const { content } = result;
  const [first] = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const text = typeof content === 'string' ? content : (ownString(first ?? {}, 'text') ?? '');
  return result['is_error'] === true && NOT_RUN.test(text.trimStart());
}
