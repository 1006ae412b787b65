import { asObject, ownObject, ownString } from '../../lib/json.ts';
import { callEntry, type Entry, endedCalls, isoTime, objectsIn, type Sessions } from '../sessions.ts';
import { HOOK_NAMES } from './tools.ts';

/** `session-state/<session>/events.jsonl`; an event a line. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['COPILOT_HOME'] ?? `${home}/.copilot`}/session-state`],
  files: /^[^/]+\/events\.jsonl$/,
  read({ text }) {
    const events = objectsIn(text).map(({ type, timestamp, data }) => ({
      type,
      time: isoTime(timestamp),
      data: asObject(data),
    }));
    const start = events.find(({ type }) => type === 'session.start')?.data;
    const session = ownString(start ?? {}, 'sessionId');
    if (start === undefined || session === undefined) return undefined;
    const cwd = ownString(ownObject(start, 'context') ?? {}, 'cwd');
    return endedCalls(
      events.flatMap(({ type, time, data }): readonly Entry[] => {
        const { toolCallId: id, toolName: name, arguments: args, success, error } = data;
        if (type === 'tool.execution_complete' && typeof id === 'string')
          return [{ session, ended: id, ran: success === true || hasRun(asObject(error)['code']) }];
        if (type !== 'tool.execution_start') return [];
        return callEntry({ session, cwd, time }, { tool: HOOK_NAMES[String(name)] ?? name, args, id });
      }),
    );
  },
};

/** A call that has failed may have done something before. */
function hasRun(code: unknown): false | undefined {
  return code === 'denied' || code === 'rejected' ? false : undefined;
}
