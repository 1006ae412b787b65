import { ownObject, ownString } from '../../lib/json.ts';
import { argumentsOf, endedCalls, isoTime, objectsIn, type Sessions, type ToldCall } from '../sessions.ts';
import { HOOK_NAMES } from './tools.ts';

/** `session-state/<session>/events.jsonl`; an event a line. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['COPILOT_HOME'] ?? `${home}/.copilot`}/session-state`],
  files: /^[^/]+\/events\.jsonl$/,
  read({ text }) {
    const events = objectsIn(text).map(({ type, timestamp, data }) => ({
      type,
      time: isoTime(timestamp),
      data: ownObject({ data: data ?? null }, 'data') ?? {},
    }));
    const start = events.find(({ type }) => type === 'session.start')?.data;
    const session = ownString(start ?? {}, 'sessionId');
    if (start === undefined || session === undefined) return undefined;
    const cwd = ownString(ownObject(start, 'context') ?? {}, 'cwd');
    return endedCalls(
      events.flatMap(({ type, time, data }): readonly ToldCall[] => {
        const id = ownString(data, 'toolCallId');
        const name = ownString(data, 'toolName');
        if (type === 'tool.execution_complete' && id !== undefined)
          return [
            {
              session,
              ended: id,
              ran: data['success'] === true ? true : hasRun(ownObject(data, 'error')?.['code']),
            },
          ];
        if (type !== 'tool.execution_start' || name === undefined) return [];
        return [
          {
            tool: HOOK_NAMES[name] ?? name,
            arguments: argumentsOf(data['arguments']),
            session,
            cwd,
            time,
            id,
          },
        ];
      }),
    );
  },
};

/** A call that has failed may have done something before. */
function hasRun(code: unknown): false | undefined {
  return code === 'denied' || code === 'rejected' ? false : undefined;
}
