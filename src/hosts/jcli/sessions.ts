import { basename, dirname } from 'node:path';
import { chatEntries, endedCalls, isoTime, objectsIn, type Sessions } from '../sessions.ts';

/** `sessions/<id>/transcript.jsonl`, those of teammates and subagents below it; an event a line. */
export const sessions: Sessions = {
  tellsEnd: false,
  folders: (env, home) => [`${env['J_DATA_PATH'] ?? `${home}/.jdata`}/agent/data/sessions`],
  files: /^(?:[^/]+\.jsonl|(?:.+\/)?transcript\.jsonl)$/,
  read({ path, text }) {
    const events = objectsIn(text).filter(({ type }) => type === 'msg');
    if (!events.some(({ role }) => typeof role === 'string')) return undefined;
    const session = /\/sessions\/([^/]+?)(?:\.jsonl)?(?:\/|$)/.exec(path)?.[1] ?? basename(dirname(path));
    return endedCalls(
      events.flatMap((event) =>
        // Nothing in it says where jcli worked.
        chatEntries(event, { session, cwd: undefined, time: isoTime(event['timestamp_ms']) }, (value) => ({
          on: 'after_tool',
          value,
        })),
      ),
    );
  },
};
