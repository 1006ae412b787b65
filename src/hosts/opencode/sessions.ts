import { ownString } from '../../lib/json.ts';
import { callEntry, isoTime, type SessionCall, type Sessions } from '../sessions.ts';

const CALLS = `SELECT part.session_id AS session, session.directory AS cwd, session.parent_id AS parent,
    part.time_created AS time, part.data ->> '$.callID' AS id, part.data ->> '$.tool' AS tool,
    part.data -> '$.state.input' AS input, part.data ->> '$.state.status' AS status
  FROM part JOIN session ON session.id = part.session_id
  WHERE part.data ->> '$.type' = 'tool' ORDER BY part.time_created`;

/** `opencode.db`, with all sessions. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['XDG_DATA_HOME'] ?? `${home}/.local/share`}/opencode`],
  files: /^opencode[^/]*\.db$/,
  read({ rows }) {
    const calls = rows(CALLS).flatMap((row): readonly SessionCall[] => {
      const { session, time, id, tool, input, status, parent } = row;
      if (typeof session !== 'string') return [];
      const place = {
        session,
        cwd: ownString(row, 'cwd'),
        time: isoTime(time),
        // A call that the plugin has refused is an error, as one that has failed.
        ran: status === 'completed' ? true : undefined,
        ...(typeof parent === 'string' ? { bySubagent: true as const } : {}),
      };
      return callEntry(place, { tool, args: input, id });
    });
    if (calls.length > 0) return calls;
    return rows('SELECT count(part.data) AS count FROM part JOIN session').length > 0 ? [] : undefined;
  },
};
