import { StateError } from '../../../hook/state/state-error.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';

/** The results for several agents. */
export interface Outcomes<T> {
  readonly done: readonly T[];
  /** Why it did not work out for others. */
  readonly failures: readonly string[];
}

/**
 * Does something for each agent. A file that cannot be used is a failure of its own agent alone, and of the command where
 * there is no other.
 *
 * @throws UsageError or StateError of an agent that is the only one
 */
export function forEachAgent<A, T>(agents: readonly A[], action: (agent: A) => readonly T[]): Outcomes<T> {
  const done: T[] = [];
  const failures: string[] = [];
  for (const agent of agents) {
    try {
      done.push(...action(agent));
    } catch (error) {
      if (agents.length === 1 || !(error instanceof UsageError || error instanceof StateError)) throw error;
      failures.push(error.message);
    }
  }
  return { done, failures };
}

/** Prints the failures at the end; returns the exit code. */
export function reportFailures(failures: readonly string[], command: string, io: Io): number {
  for (const failure of failures) io.stderr.write(`policy ${command}: ${failure}\n`);
  return failures.length === 0 ? EXIT_CODE.ok : EXIT_CODE.findings;
}
