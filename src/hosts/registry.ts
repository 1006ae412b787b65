import type { JsonObject } from '../lib/json.ts';
import { claude } from './claude/claude.ts';
import { codex } from './codex/codex.ts';
import { gemini } from './gemini/gemini.ts';
import type { Host } from './host.ts';
import { jcli } from './jcli/jcli.ts';
import { picoclaw } from './picoclaw/picoclaw.ts';

/** Every host there is. A new one is a row here. */
export const HOSTS: readonly Host[] = [picoclaw, gemini, jcli, claude, codex];

/** The host of this name. */
export function hostNamed(name: string): Host | undefined {
  return HOSTS.find((host) => host.name === name);
}

/** The hosts that may have sent a message, the likeliest first: people show messages that they have shortened. */
export function sendersOf(message: JsonObject): readonly Host[] {
  return HOSTS.toSorted((a, b) => Number(b.recognise(message)) - Number(a.recognise(message)));
}
