import { asObject, isJsonObject, type Json, type JsonObject, ownString, parseJson } from '../../lib/json.ts';
import { argumentsOf, isoTime, objectsIn, type SessionCall, type Sessions } from '../sessions.ts';

/** `tmp/<project>/chats/session-*.jsonl`, those of subagents one folder below; one document in older versions. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['GEMINI_CLI_HOME'] ?? home}/.gemini/tmp`],
  files: /^[^/]+\/chats\/(?:[^/]+\/)?[^/]+\.jsonl?$/,
  read({ path, text, beside }) {
    const whole = path.endsWith('.json') ? parseJson(text) : undefined;
    const records = isJsonObject(whole) ? documentRecords(whole) : objectsIn(text);
    const [head] = records;
    if (head === undefined || !('projectHash' in head) || typeof head['sessionId'] !== 'string')
      return undefined;
    const session = head['sessionId'];
    const cwd = (beside('../.project_root') ?? beside('../../.project_root'))?.trim() || undefined;
    const calls = new Map<string, SessionCall>();
    const prompts = new Set<Json | undefined>();
    for (const record of records) {
      if (record['type'] === 'user' && !hasResults(record)) prompts.add(record['id']);
      for (const call of listOf(record['toolCalls'])) {
        const { id, name } = call;
        if (typeof name !== 'string') continue;
        const time = isoTime(call['timestamp']) ?? isoTime(record['timestamp']);
        // A message is written again each time that something of it changes.
        const key = typeof id === 'string' ? id : `${ownString(record, 'id')} ${JSON.stringify(call)}`;
        const ran = call['status'] === 'success' ? true : undefined;
        const turn = calls.get(key)?.turn ?? prompts.size;
        const made = { tool: name, arguments: argumentsOf(call['args']), session, cwd, time, ran };
        calls.set(key, { ...made, ...(turn === 0 ? {} : { turn }), ...resultOf(call) });
      }
    }
    return [...calls.values()];
  },
};

/** Results are sent as a user's message. */
function hasResults({ content }: JsonObject): boolean {
  return listOf(content).some((part) => 'functionResponse' in part);
}

function resultOf({ status, result }: JsonObject): Pick<SessionCall, 'result'> {
  const [part] = listOf(result);
  const { response } = asObject(part?.['functionResponse']);
  const { output, error } = asObject(response);
  if (status === 'success') return { result: { on: 'after_tool', value: { llmContent: output ?? '' } } };
  if (status !== 'error' || /^Tool execution (?:blocked|stopped|denied)/.test(String(error))) return {};
  return { result: { on: 'after_tool', value: { error: { message: String(error) } } } };
}

function documentRecords(document: JsonObject): readonly JsonObject[] {
  return [document, ...listOf(document['messages'])];
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
