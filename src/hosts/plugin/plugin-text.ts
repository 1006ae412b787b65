import type { JsonObject } from '../../lib/json.ts';
import ask from './ask.js.txt';

/**
 * A plugin of ours, for agents that start no hooks: it starts the program for each event.
 *
 * @param own what is the agent's own in it; it may call `ask` with a message, which throws where the answer is a refusal
 * @param hook `command`, a line for a shell, `timeout` in seconds, and `events`, the plugin's hooks that are sent on
 */
export function pluginText(own: string, hook: JsonObject): string {
  return `${ask.replace('const HOOK = {};', () => `const HOOK = ${JSON.stringify(hook)};`)}${own}`;
}
