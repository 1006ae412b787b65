import type { HostSetting } from '../host.ts';

/**
 * jcli's protocol changed four times without a number on the wire. A and B refuse with `abort`, which D and E do not
 * know; from C on it is `action`. C took both, but there `abort` means a stop, which lets a tool run.
 */
export const GENERATIONS = ['A', 'B', 'C', 'D', 'E'] as const;
export type Generation = (typeof GENERATIONS)[number];

/** The generation that the setting names or the environment shows; the newest if neither does. */
export function generationOf(setting: HostSetting): Generation {
  const named = GENERATIONS.find((generation) => generation === setting.version);
  // Only D and E set this variable; a setting that says otherwise is out of date.
  if (setting.env['JCLI_HOOK_DIR'] !== undefined) return named === 'D' ? 'D' : 'E';
  return named ?? 'E';
}

/** True for the generations that refuse with `abort`. */
export function refusesByAbort(generation: Generation): boolean {
  return generation === 'A' || generation === 'B';
}
