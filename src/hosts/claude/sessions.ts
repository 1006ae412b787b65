import { isJsonObject, ownString } from '../../lib/json.ts';
import { argumentsOf, isoTime, objectsIn, type PastCall, type Sessions } from '../sessions.ts';

/** `projects/<folder>/<session>.jsonl`, those of subagents below it; a message or a part of one a line. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`}/projects`],
  files: /^[^/]+\/.+\.jsonl$/,
  read({ text }) {
    const records = objectsIn(text);
    if (!records.some((record) => typeof record['sessionId'] === 'string' && isJsonObject(record['message'])))
      return undefined;
    const calls = new Map<string, PastCall>();
    for (const record of records) {
      const { message } = record;
      const session = ownString(record, 'sessionId');
      if (session === undefined || !isJsonObject(message) || !Array.isArray(message['content'])) continue;
      for (const part of message['content']) {
        if (!isJsonObject(part) || part['type'] !== 'tool_use' || typeof part['name'] !== 'string') continue;
        // What is gone on with from an earlier session may be there twice.
        calls.set(ownString(part, 'id') ?? String(calls.size), {
          tool: part['name'],
          arguments: argumentsOf(part['input']),
          session,
          cwd: ownString(record, 'cwd'),
          time: isoTime(record['timestamp']),
        });
      }
    }
    return [...calls.values()];
  },
};
