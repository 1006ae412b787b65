import type { Reply } from '../../../hosts/host.ts';
import { type Json, parseJson } from '../../../lib/json.ts';

/** The answers to a host: one value, or one for each line that was answered. Text that is no JSON stays text. */
export function outputValue(replies: readonly Reply[], asList: boolean): Json {
  const values = replies
    .map(({ stdout }) => stdout.trim())
    .filter((text) => text !== '')
    .map((text) => parseJson(text) ?? text);
  return asList ? values : (values.at(-1) ?? '');
}
