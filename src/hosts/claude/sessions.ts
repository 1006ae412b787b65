import { isJsonObject, type JsonObject, ownObject, ownString } from '../../lib/json.ts';
import { contentCalls, type Ending, endedCalls, isoTime, objectsIn, type Sessions } from '../sessions.ts';

/** `projects/<folder>/<session>.jsonl`, those of subagents below it; a message or a part of one a line. */
export const sessions: Sessions = {
  folders: (env, home) => [`${env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`}/projects`],
  files: /^[^/]+\/.+\.jsonl$/,
  read({ path, text }) {
    const all = objectsIn(text);
    const records = all.filter(isMessage);
    if (records.length === 0)
      return all.length > 0 && all.every(({ type }) => ASIDE.has(String(type))) ? [] : undefined;
    return endedCalls(
      records.flatMap((record) => {
        const bySubagent = record['isSidechain'] === true || path.includes('/subagents/');
        const call = {
          session: ownString(record, 'sessionId') ?? '',
          cwd: ownString(record, 'cwd'),
          time: isoTime(record['timestamp']),
          ...(bySubagent ? { bySubagent } : {}),
        };
        const entries = contentCalls(record['message'], call, (result) => endOf(result, record));
        // The program's words in a person's name belong to the turn before.
        return record['isMeta'] === true ? entries.filter((each) => !('prompt' in each)) : entries;
      }),
    );
  },
};

/** These may be alone in a file in which nobody has said anything. */
const ASIDE: ReadonlySet<string> = new Set(['summary', 'file-history-snapshot', 'queue-operation']);

/** Messages of kin have other parts. */
function isMessage(record: JsonObject): boolean {
  const message = ownObject(record, 'message');
  return (
    typeof record['sessionId'] === 'string' && message !== undefined && Object.hasOwn(message, 'content')
  );
}

/** Whether a call ran, and with which result: the tool's own answer is beside the text that the model reads. */
function endOf(part: JsonObject, record: JsonObject): Ending {
  const { content = '', is_error: isError } = part;
  if (isError === true && NOT_RUN.test(textOf(part))) return { ran: false };
  if (isError === true && CUT_OFF.test(textOf(part))) return { ran: undefined };
  return {
    ran: true,
    result:
      isError === true
        ? { on: 'tool_failure', value: content }
        : { on: 'after_tool', value: record['toolUseResult'] ?? content },
  };
}

/** How the results begin of calls that have not run. */
const NOT_RUN =
  /^(?:The user doesn't want to |Permission to use \S+ (?:with command .* )?has been denied|Claude requested permissions to |<tool_use_error>|(?:Hook )?PreToolUse(?::\S+)? (?:hook )?(?:denied|blocked|error))/is;
/** A person has stopped it, perhaps while it ran. */
const CUT_OFF = /^\[Request interrupted/;

function textOf(result: JsonObject): string {
  const { content } = result;
  const [first] = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const text = typeof content === 'string' ? content : (ownString(first ?? {}, 'text') ?? '');
  return text.trimStart();
}
