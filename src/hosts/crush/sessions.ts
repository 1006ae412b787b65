import { asObject, isJsonObject, ownObject, ownString, parseJson } from '../../lib/json.ts';
import { callEntry, type Entry, endedCalls, isoTime, type Sessions } from '../sessions.ts';

const MESSAGES = `SELECT parts, messages.created_at AS time, session_id AS session, parent_session_id AS parent
  FROM messages JOIN sessions ON sessions.id = session_id WHERE role IN ('assistant', 'tool') ORDER BY messages.rowid`;

/** `.crush/crush.db` of each project that it lists, with all sessions there. */
export const sessions: Sessions = {
  folders(env, home, textOf) {
    const list = textOf(`${env['XDG_DATA_HOME'] ?? `${home}/.local/share`}/crush/projects.json`) ?? '';
    const { projects } = asObject(parseJson(list));
    return (Array.isArray(projects) ? projects.filter(isJsonObject) : []).flatMap(
      (project) => ownString(project, 'data_dir') ?? [],
    );
  },
  files: /^crush\.db$/,
  read({ path, rows }) {
    const messages = rows(MESSAGES);
    if (messages.length === 0)
      return rows('SELECT count(parts) AS count FROM messages JOIN sessions').length > 0 ? [] : undefined;
    const cwd = path.replace(/\/[^/]+\/[^/]+$/, '');
    return endedCalls(
      messages.flatMap((row) => {
        const session = ownString(row, 'session') ?? '';
        const parts = parseJson(ownString(row, 'parts') ?? '');
        const seconds = row['time'];
        return (Array.isArray(parts) ? parts.filter(isJsonObject) : []).flatMap((part): readonly Entry[] => {
          const data = ownObject(part, 'data') ?? {};
          const ended = part['type'] === 'tool_result' ? ownString(data, 'tool_call_id') : undefined;
          // A call that has failed may have done something before.
          if (ended !== undefined)
            return [{ session, ended, ran: data['is_error'] === true ? undefined : true }];
          if (part['type'] !== 'tool_call') return [];
          const place = {
            session,
            cwd,
            time: typeof seconds === 'number' ? isoTime(seconds * 1_000) : undefined,
            ...(typeof row['parent'] === 'string' ? { bySubagent: true as const } : {}),
          };
          return callEntry(place, { tool: data['name'], args: data['input'], id: data['id'] });
        });
      }),
    );
  },
};
