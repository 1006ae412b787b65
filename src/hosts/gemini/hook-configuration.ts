import type { JsonObject } from '../../lib/json.ts';
import { cleanLine, type HookStart, isOfWindows, plainLine, startText } from '../clean-start.ts';

/**
 * Exit code 2 refuses whatever the text is, so that a refusal holds where something else has printed before it; silence lets
 * the call run whatever the exit code is. Gemini CLI puts the values of variables into the line before a shell sees it, so
 * there is none but HOME in it.
 */
export function hookConfiguration(start: HookStart): JsonObject {
  const cases = [
    '{*deny*}) printf %s "$*"; exit 2;;',
    '{*}|null) printf %s "$*";;',
    '*) echo the policy hook has failed; exit 2;',
  ];
  const script = `set -- "$(${startText(start, 'gemini')})"; case "$*" in ${cases.join(' ')} esac`;
  return {
    type: 'command',
    command: isOfWindows(start) ? plainLine(start, 'gemini') : cleanLine(script, start.variables),
    // The shell that reads the line listens to these two.
    env: { BASH_ENV: '', SHELLOPTS: '' },
    timeout: 60_000,
  };
}
