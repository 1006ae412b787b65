import { ONE_CALL, passedOn } from '../../../hosts/clean-start.ts';
import type { Machine } from '../../../hosts/installation.ts';
import { isOfWorkspace } from '../doctor/start-problem.ts';
import type { OwnLine } from './own-line.ts';

/** These place policies and state: the hook starts in an empty environment and would look elsewhere. */
export const PLACING_VARIABLES: readonly string[] = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME'];

/** Between the hook and a judge: whoever sets these may read and change what both say. */
const BETWEEN = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

/**
 * The variables of a hook's line that an install leaves in it; `policy doctor` reports all others.
 *
 * @param keys the variables with the keys and passwords of judges
 */
export function keptVariables(
  { variables, passed }: Pick<OwnLine, 'variables' | 'passed'>,
  path: string,
  machine: Machine,
  keys: readonly string[],
): Readonly<Record<string, string>> {
  const isProjects = isOfWorkspace(path, machine);
  const isKept = ([name, value]: readonly [string, string]) => {
    if (name === 'HOME') return value === machine.home;
    if (value === ONE_CALL[name]) return true;
    if (value === machine.env[name] && (!isProjects || PLACING_VARIABLES.includes(name))) return true;
    return !isProjects && [...BETWEEN, ...keys].includes(name);
  };
  const passedKeys = passed.filter((name) => keys.includes(name)).map((name) => [name, passedOn(name)]);
  return {
    ...Object.fromEntries(Object.entries(variables).filter(isKept)),
    ...Object.fromEntries(passedKeys),
  };
}
