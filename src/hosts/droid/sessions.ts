import { ownString } from '../../lib/json.ts';
import { contentCalls, endedCalls, isoTime, objectsIn, type Sessions } from '../sessions.ts';

/** `sessions/<folder>/<session>.jsonl`; a message a line, behind one that says whose they are. */
export const sessions: Sessions = {
  folders: (_, home) => [`${home}/.factory/sessions`],
  files: /^[^/]+\/[^/]+\.jsonl$/,
  read({ text }) {
    const records = objectsIn(text);
    const start = records.find(({ type }) => type === 'session_start');
    const session = ownString(start ?? {}, 'id');
    if (start === undefined || session === undefined) return undefined;
    const cwd = ownString(start, 'cwd');
    return endedCalls(
      records.flatMap((record) =>
        contentCalls(
          record['message'],
          { session, cwd, time: isoTime(record['timestamp']) },
          ({ is_error, content = '' }) =>
            // A call that has failed may have done something before.
            is_error === true
              ? { ran: undefined }
              : { ran: true, result: { on: 'after_tool', value: content } },
        ),
      ),
    );
  },
};
