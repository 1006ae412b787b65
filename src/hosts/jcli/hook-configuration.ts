import type { JsonObject } from '../../lib/json.ts';
import { cleanLine, INSTALLED_PROGRAM } from '../clean-start.ts';
import { generationOf, refusesByAbort } from './generation.ts';

/** The environment that would show the generation does not reach the program, so the line names it. */
export function hookConfiguration(version: string | undefined): JsonObject {
  const generation = generationOf({ version, env: {}, cwd: '/', interactive: false }, undefined);
  const refusal = refusesByAbort(generation) ? '{\\"abort\\":true}' : '{\\"action\\":\\"skip\\"}';
  const script = `${INSTALLED_PROGRAM} hook --host jcli --host-version ${generation} | grep }$`;
  return { command: cleanLine(`${script} || echo ${refusal}`), timeout: 10 };
}
