import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';

/**
 * The alternatives of a URL test as mappings. A text is a host with an optional port or range: `localhost:3000-3999`,
 * `[::1]:80`.
 */
export function urlAlternatives(spec: Json): readonly JsonObject[] {
  if (Array.isArray(spec)) return spec.flatMap(urlAlternatives);
  return isJsonObject(spec) ? [spec] : [placeIn(String(spec))];
}

function placeIn(text: string): JsonObject {
  // A bare IPv6 address has several colons, and no port.
  const [, host, port] = /^(\[[^\]]*\]|[^:]*):([^:]*)$/.exec(text) ?? [];
  return host === undefined || port === undefined ? { host: text } : { host, port };
}

/** A port, or the first and the last of a range: 22, `8000-8999`. Undefined for any other text. */
export function portRange(spec: Json): readonly [first: number, last: number] | undefined {
  const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(String(spec)) ?? [];
  const first = Number(from);
  const last = Number(to);
  return from !== '' && first >= 1 && first <= last && last <= 65_535 ? [first, last] : undefined;
}
