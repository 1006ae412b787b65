import { gemini } from './gemini/gemini.ts';
import type { Host } from './host.ts';
import { jcli } from './jcli/jcli.ts';
import { picoclaw } from './picoclaw/picoclaw.ts';

/** Every host there is. A new one is a row here. */
export const HOSTS: readonly Host[] = [picoclaw, gemini, jcli];

/** The host of this name. */
export function hostNamed(name: string): Host | undefined {
  return HOSTS.find((host) => host.name === name);
}
