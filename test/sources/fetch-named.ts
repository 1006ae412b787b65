import { fetchSource } from '../../src/fleet/sources/fetch-source.ts';
import type { Fetched, FetchOptions } from '../../src/fleet/sources/fetched.ts';
import { parseSourceName } from '../../src/language/policy/sources/source-name.ts';

/** Fetches a source by its name, apart from the settings of this user. */
export function fetchNamed(
  name: string,
  pinned?: string,
  { env, ...options }: Partial<FetchOptions> = {},
): Promise<Fetched> {
  const parsed = parseSourceName(name);
  if ('cause' in parsed) throw new Error(parsed.cause);
  const own = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...env };
  return fetchSource(parsed, pinned, { timeoutMs: 30_000, ...options, env: own });
}

/** Its files as texts, by path. */
export function textsOf({ files }: Fetched): Readonly<Record<string, string>> {
  return Object.fromEntries([...files].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
}
