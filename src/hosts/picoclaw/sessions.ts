import { basename, dirname } from 'node:path';
import { asObject, isJsonObject, ownString, parseJson } from '../../lib/json.ts';
import { chatEntries, endedCalls, isoTime, objectsIn, type PastResult, type Sessions } from '../sessions.ts';

/** A file for each conversation in `sessions` of the workspace: a message a line, or one document until 0.2.0. */
export const sessions: Sessions = {
  tellsEnd: false,
  folders: (env, home) => [env['PICOCLAW_HOME'] ?? `${home}/.picoclaw`],
  files: /^workspace[^/]*\/sessions\/[^/]+(?<!\.meta)\.jsonl?$/,
  read({ path, text, beside }) {
    const file = basename(path).replace(/\.jsonl?$/, '');
    const whole = path.endsWith('.json') ? parseJson(text) : undefined;
    const document = isJsonObject(whole) ? whole : undefined;
    if (document !== undefined && 'sessionId' in document) return undefined;
    const kept = document?.['messages'];
    const messages = Array.isArray(kept) ? kept.filter(isJsonObject) : objectsIn(text);
    if (!messages.some((message) => typeof message['role'] === 'string' && !('type' in message)))
      return undefined;
    const meta = asObject(parseJson(beside(`${file}.meta.json`) ?? ''));
    const session = ownString(document ?? meta, 'key') ?? file;
    // Relative paths are those below the workspace.
    const cwd = dirname(dirname(path));
    return endedCalls(
      messages.flatMap((message) =>
        chatEntries(message, { session, cwd, time: isoTime(message['created_at']) }, resultOf),
      ),
    ).map((call) => ({ ...call, event: { meta: { TurnID: `turn-${call.turn ?? 0}` } } }));
  },
};

/** A failure shows only in the output of a command; of other tools nobody knows. */
function resultOf(shown: string): PastResult {
  const isError = FAILED.test(shown) || (CUT.test(shown) ? null : false);
  return { on: 'after_tool', value: { for_llm: shown, is_error: isError } };
}

const FAILED =
  /^(?:failed to start command|Command timed out)|\n\n\[Command (?:exited|failed).*\](?: \(killed by signal\))?$/;
const CUT = /\n\.\.\. \(truncated, \d+ more chars\)$/;
