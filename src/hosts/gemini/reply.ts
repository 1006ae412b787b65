import type { JsonObject } from '../../lib/json.ts';
import type { Reply } from '../host.ts';

/**
 * The host goes on as if there were no hook: JSON that is no object is no answer to it. Silence would be none either, but
 * the command line takes that for a hook that has failed.
 */
export const NO_OPINION: Reply = { stdout: 'null', stderr: '', exitCode: 0 };

/** An answer. stderr stays empty: Gemini CLI would read it as the answer if stdout were lost. */
export function reply(body: JsonObject, exitCode: 0 | 2): Reply {
  return { stdout: JSON.stringify(body), stderr: '', exitCode };
}
