import { isJsonObject, type Json } from '../../lib/json.ts';
import type { HostSetting } from '../host.ts';

/**
 * The generations of jcli's protocol, which has no version. A and B refuse with `abort`, later ones with `action`; in C `abort`
 * only stops, which lets a tool run.
 */
export const GENERATIONS = ['A', 'B', 'C', 'D', 'E'] as const;
export type Generation = (typeof GENERATIONS)[number];

/** The generation by the message and the setting; by default the newest. */
export function generationOf({ version, env }: HostSetting, message: Json | undefined): Generation {
  const named = GENERATIONS.find((generation) => generation === version);
  // Only D and E set this variable; a setting that says otherwise is out of date.
  if (env['JCLI_HOOK_DIR'] !== undefined) return named === 'D' ? 'D' : 'E';
  // Without it, and started by the host, it is one of the first three, of which A alone never sends the session.
  if (env['JCLI_HOOK_EVENT'] === undefined || !isJsonObject(message)) return named ?? 'E';
  if (Object.hasOwn(message, 'session_id')) return named === undefined || named === 'A' ? 'C' : named;
  return named === undefined || named === 'B' ? 'A' : named;
}

export function refusesByAbort(generation: Generation): boolean {
  return generation === 'A' || generation === 'B';
}
