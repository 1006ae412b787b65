import type { JsonObject } from '../../lib/json.ts';
import { cleanLine, type HookStart, scriptWord } from '../clean-start.ts';
import { generationOf, refusesByAbort } from './generation.ts';

/** The environment that would show the generation does not reach the program, so the line names it. */
export function hookConfiguration({ program, variables, version }: HookStart): JsonObject {
  const generation = generationOf({ version, env: {}, cwd: '/', interactive: false }, undefined);
  const refusal = refusesByAbort(generation) ? '{\\"abort\\":true}' : '{\\"action\\":\\"skip\\"}';
  const script = `${scriptWord(program)} hook --host jcli --host-version ${generation} | grep }$`;
  return { command: cleanLine(`${script} || echo ${refusal}`, variables), timeout: 10 };
}
