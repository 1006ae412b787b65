import type { JsonObject } from '../../lib/json.ts';
import { CLEAN_ENVIRONMENT, INSTALLED_PROGRAM } from '../clean-start.ts';

/** No shell starts it, so the folders are written out. */
export function hookConfiguration(version: string | undefined): JsonObject {
  const named = version === undefined ? [] : ['--host-version', version];
  const hook = [INSTALLED_PROGRAM, 'hook', '--host', 'picoclaw', ...named];
  return {
    enabled: true,
    priority: -1000,
    transport: 'stdio',
    command: [...CLEAN_ENVIRONMENT, 'HOME=/home/me', ...hook, '--workspace', '/home/me/.picoclaw/workspace'],
  };
}
