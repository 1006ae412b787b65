import type { JsonObject } from '../../lib/json.ts';
import { CLEAN_ENVIRONMENT, type HookStart, isOfWindows } from '../clean-start.ts';

/** No shell starts it, so the folders are written out. */
export function hookConfiguration({
  program,
  home,
  variables = {},
  workspace,
  version,
  options = [],
}: HookStart): JsonObject {
  const named = version === undefined ? [] : ['--host-version', version];
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const hook = [program, 'hook', '--host', 'picoclaw', ...named];
  return {
    enabled: true,
    priority: -1000,
    transport: 'stdio',
    command: [
      // Windows has no program that takes the environment away.
      ...(isOfWindows({ program }) ? hook : [...CLEAN_ENVIRONMENT, `HOME=${home}`, ...set, ...hook]),
      ...['--workspace', workspace ?? `${home}/.picoclaw/workspace`],
      ...options,
    ],
  };
}
