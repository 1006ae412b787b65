import type { JsonObject } from '../../lib/json.ts';
import { cleanLine, type HookStart, startText } from '../clean-start.ts';
import { generationOf, refusesByAbort } from './generation.ts';

/** jcli's own: the event, which tells A from C and what a broken message was about, and where its hooks lie. */
const KEPT = ['JCLI_HOOK_EVENT', 'J_DATA_PATH'];

/** What the line prints where the hook is gone depends on the generation, so the line names it. */
export function hookConfiguration(start: HookStart): JsonObject {
  const { variables, version } = start;
  const generation = generationOf({ version, env: {}, cwd: '/', interactive: false }, undefined);
  const refusal = refusesByAbort(generation) ? '{\\"abort\\":true}' : '{\\"action\\":\\"skip\\"}';
  const script = `${startText(start, 'jcli', ` --host-version ${generation}`)} | grep }$`;
  return { command: cleanLine(`${script} || echo ${refusal}`, variables, KEPT), timeout: 10 };
}
