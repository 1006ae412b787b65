import { messageOf } from '../../../lib/message-of.ts';
import { type Io, UsageError } from '../io.ts';
import { agentAbove } from './agent-above.ts';

/**
 * Lets only a person go on: somebody at a terminal that no agent has opened.
 *
 * @param what as in `allow a call`
 * @throws UsageError for everybody else, and where it is unknown
 */
export function personOnly(what: string, { stdin, stdout, env }: Io): void {
  if (!stdin.isTTY || !stdout.isTTY)
    throw new UsageError(
      `Cannot ${what}: standard input and output must be a terminal, so that you are asked`,
    );
  const agent = agentOrCause(env);
  if (agent !== undefined) throw new UsageError(`Cannot ${what}: ${agent}; do it in a terminal of your own`);
}

/** True if codes of refused calls may be shown: a person reads along, and no agent does. */
export function maySeeCodes({ stdout, env }: Pick<Io, 'stdout' | 'env'>): boolean {
  return stdout.isTTY && agentOrCause(env) === undefined;
}

function agentOrCause(env: Io['env']): string | undefined {
  try {
    const agent = agentAbove(env);
    return agent === undefined ? undefined : `an agent has started this process (${agent})`;
  } catch (error) {
    return `it is not known which program started this process: ${messageOf(error)}`;
  }
}
