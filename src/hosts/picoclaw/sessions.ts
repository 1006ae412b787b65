import { basename, dirname } from 'node:path';
import { isJsonObject, ownString } from '../../lib/json.ts';
import { chatCalls, isoTime, objectsIn, parsed, type Sessions } from '../sessions.ts';

/** A file for each conversation in `sessions` of the workspace: a message a line, or one document until 0.2.0. */
export const sessions: Sessions = {
  folders: (env, home) => [env['PICOCLAW_HOME'] ?? `${home}/.picoclaw`],
  files: /^workspace[^/]*\/sessions\/[^/]+(?<!\.meta)\.jsonl?$/,
  read({ path, text, beside }) {
    const file = basename(path).replace(/\.jsonl?$/, '');
    const whole = path.endsWith('.json') ? parsed(text) : undefined;
    const document = isJsonObject(whole) ? whole : undefined;
    const kept = document?.['messages'];
    const messages = Array.isArray(kept) ? kept.filter(isJsonObject) : objectsIn(text);
    if (!messages.some((message) => typeof message['role'] === 'string' && !('type' in message)))
      return undefined;
    const meta = parsed(beside(`${file}.meta.json`) ?? '');
    const session = ownString(document ?? (isJsonObject(meta) ? meta : {}), 'key') ?? file;
    // Relative paths are those below the workspace.
    const cwd = dirname(dirname(path));
    return messages.flatMap((message) =>
      chatCalls(message).map((call) => ({ ...call, session, cwd, time: isoTime(message['created_at']) })),
    );
  },
};
