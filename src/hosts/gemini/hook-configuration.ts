import type { JsonObject } from '../../lib/json.ts';
import { cleanLine, INSTALLED_PROGRAM } from '../clean-start.ts';

/**
 * Text with exit code 2 refuses; silence lets the call run whatever the exit code is. Gemini CLI puts the values of variables
 * into this line before a shell sees it, so it uses none that a project can set.
 */
export function hookConfiguration(): JsonObject {
  const script = `${INSTALLED_PROGRAM} hook --host gemini | grep -e }$ -e ^null$`;
  return {
    type: 'command',
    command: cleanLine(`${script} || { echo the policy hook has failed; exit 2; }`),
    // The shell that reads the line listens to these two.
    env: { BASH_ENV: '', SHELLOPTS: '' },
    timeout: 60_000,
  };
}
