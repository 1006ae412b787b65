/** Where the documentation installs the program. */
export const INSTALLED_PROGRAM = '/usr/local/bin/policy';

/** Starts a program with nothing in its environment but what follows: what a project sets does not reach it. */
export const CLEAN_ENVIRONMENT = ['/usr/bin/env', '-i'] as const;

/**
 * A line for the shell of a host. What the host's environment holds reaches the shell of the host at most, and not the one
 * that reads the script.
 *
 * @param script a line for sh without single quotes
 */
export function cleanLine(script: string): string {
  return `${CLEAN_ENVIRONMENT.join(' ')} HOME="$HOME" sh -c '${script}'`;
}
