import type { JsonObject } from '../../lib/json.ts';
import text from './plugin.js.txt';

/**
 * The plugin of OpenCode: what it throws before a tool keeps it from running, and after it takes the place of its result.
 * It throws nothing while it is loaded, for OpenCode would do without it.
 *
 * @param hook `command`, a line for a shell, `timeout` in seconds, and `events`, the plugin's hooks that are sent on
 */
export function pluginText(hook: JsonObject): string {
  return text.replace('const HOOK = {};', () => `const HOOK = ${JSON.stringify(hook)};`);
}
