import { type JsonObject, own, ownString } from '../../lib/json.ts';
import { type InstalledHook, shellHook } from '../installation.ts';
import ask from './ask.js.txt';

/**
 * A plugin of ours, for agents that start no hooks: it starts the program for each event.
 *
 * @param own the agent's own part; it may call `ask` with a message, which throws where the answer is a refusal
 * @param hook `command`, a line for a shell, `timeout` in seconds, and `events`, the plugin's hooks that are sent on
 */
export function pluginText(own: string, hook: JsonObject): string {
  return `${ask.replace('const HOOK = {};', () => `const HOOK = ${JSON.stringify(hook)};`)}${own}`;
}

/** The hook that a plugin of ours starts. */
export function pluginHook(host: string, path: string, hook: JsonObject): InstalledHook {
  const line = ownString(hook, 'command') ?? '';
  const events = own(hook, 'events');
  return shellHook(host, line, {
    path,
    events: Array.isArray(events) ? events.map(String) : [],
    argv: ['/bin/sh', '-c', line],
    timeoutMs: Number(own(hook, 'timeout')) * 1_000,
  });
}
