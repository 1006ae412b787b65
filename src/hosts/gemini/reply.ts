import type { JsonObject } from '../../lib/json.ts';
import type { Reply } from '../host.ts';

/** Nothing at all: the host goes on as if there were no hook. */
export const SILENCE: Reply = { stdout: '', stderr: '', exitCode: 0 };

/** An answer. stderr stays empty: Gemini CLI would read it as the answer if stdout were lost. */
export function reply(body: JsonObject, exitCode: 0 | 2): Reply {
  return { stdout: JSON.stringify(body), stderr: '', exitCode };
}
