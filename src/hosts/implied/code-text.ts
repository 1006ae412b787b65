import { runnerText } from '../../lib/command-argument.ts';
import { ownString } from '../../lib/json.ts';
import { type ImpliedBy, shellCall } from './implied-call.ts';

/** This runs JavaScript: tools of the agent that it calls have rows of their own in programs/code. */
export const JAVASCRIPT = 'node -e';

/** For tools that run the code in these arguments. */
export function codeIn(runner: string, ...names: readonly string[]): ImpliedBy {
  return (args) =>
    shellCall(
      names
        .map((name) => ownString(args, name) ?? '')
        .filter((code) => code.trim() !== '')
        .map((code) => runnerText(runner, code))
        .join('\n'),
    );
}
