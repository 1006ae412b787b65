import { ownString, parseJson } from '../../lib/json.ts';
import { chatCalls, type Entry, endedCalls, isoTime, type Sessions } from '../sessions.ts';

const MESSAGES = `SELECT role, content, tool_call_id, tool_calls, timestamp, session_id AS session, cwd, parent_session_id AS parent
  FROM messages JOIN sessions ON sessions.id = session_id WHERE tool_calls IS NOT NULL OR tool_call_id IS NOT NULL
  ORDER BY messages.id`;

/** `state.db`, with all sessions. */
export const sessions: Sessions = {
  folders: (env, home) => [env['HERMES_HOME'] ?? `${home}/.hermes`],
  files: /^state\.db$/,
  read({ rows }) {
    const messages = rows(MESSAGES);
    if (messages.length === 0)
      return rows('SELECT count(tool_calls) AS count FROM messages JOIN sessions').length > 0
        ? []
        : undefined;
    return endedCalls(
      messages.flatMap((row): readonly Entry[] => {
        const session = ownString(row, 'session') ?? '';
        const ended = ownString(row, 'tool_call_id');
        if (ended !== undefined) return [{ session, ended, ran: hasRun(ownString(row, 'content') ?? '') }];
        const message = {
          role: row['role'] ?? null,
          tool_calls: parseJson(ownString(row, 'tool_calls') ?? '') ?? null,
        };
        const seconds = row['timestamp'];
        return chatCalls(message, {
          session,
          cwd: ownString(row, 'cwd'),
          time: typeof seconds === 'number' ? isoTime(seconds * 1_000) : undefined,
          ...(typeof row['parent'] === 'string' ? { bySubagent: true as const } : {}),
        });
      }),
    );
  },
};

/** A call that a hook has refused is an error, as one that failed before it began. */
function hasRun(content: string): true | undefined {
  return content.startsWith('{"error":') ? undefined : true;
}
