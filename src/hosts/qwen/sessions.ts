import { isJsonObject, type JsonObject, ownObject, ownString } from '../../lib/json.ts';
import { callEntry, type Entry, endedCalls, isoTime, objectsIn, type Sessions } from '../sessions.ts';

/** `projects/<folder>/chats/<session>.jsonl`; a message a line, whose parts are Gemini's. */
export const sessions: Sessions = {
  folders: (_, home) => [`${home}/.qwen/projects`],
  files: /^[^/]+\/chats\/(?:.+\/)?[^/]+\.jsonl$/,
  read({ text }) {
    const records = objectsIn(text).filter(
      (record) => typeof record['sessionId'] === 'string' && partsOf(record).length > 0,
    );
    if (records.length === 0) return undefined;
    return endedCalls(
      records.flatMap((record) => {
        const session = ownString(record, 'sessionId') ?? '';
        const place = { session, cwd: ownString(record, 'cwd'), time: isoTime(record['timestamp']) };
        return partsOf(record).flatMap((part): readonly Entry[] => {
          const answer = ownString(ownObject(part, 'functionResponse') ?? {}, 'id');
          if (answer !== undefined) return [{ session, ended: answer, ran: hasRun(record) }];
          const { id, name: tool, args } = ownObject(part, 'functionCall') ?? {};
          return callEntry(place, { tool, args, id });
        });
      }),
    );
  },
};

function partsOf(record: JsonObject): readonly JsonObject[] {
  const parts = ownObject(record, 'message')?.['parts'];
  return Array.isArray(parts) ? parts.filter(isJsonObject) : [];
}

/** A call that has failed may have done something before. */
function hasRun(record: JsonObject): boolean | undefined {
  const { status, executionStatus } = ownObject(record, 'toolCallResult') ?? {};
  if (status === 'success') return true;
  return executionStatus === 'not_started' ? false : undefined;
}
