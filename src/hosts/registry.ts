import type { JsonObject } from '../lib/json.ts';
import type { Host } from './host.ts';
import { HOST_LOADERS } from './host-loaders.ts';

export { hostNamed } from './host-loaders.ts';

/** Every host there is, all of them loaded. */
export const HOSTS: readonly Host[] = Object.values(HOST_LOADERS).map((load) => load());

/** The hosts that may have sent a message, the likeliest first: people show messages that they have shortened. */
export function sendersOf(message: JsonObject): readonly Host[] {
  return HOSTS.toSorted((a, b) => Number(b.recognise(message)) - Number(a.recognise(message)));
}
