import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Surroundings } from '../model/surroundings.ts';

/** Lookups for one event. A call that names more paths is judged by their names alone from there on. */
const MAX_LOOKUPS = 256;

/** What matchers may know of this machine, for one event. Nothing is looked up before it is asked for. */
export function machineSurroundings(
  env: Readonly<Record<string, string | undefined>>,
  workspace: string | undefined,
): Surroundings {
  let lookups = 0;
  const known = new Map<string, string>();
  const home = env['HOME'] ?? env['USERPROFILE'];
  return {
    home: home !== undefined && isAbsolute(home) ? home : undefined,
    workspace: workspace !== undefined && isAbsolute(workspace) ? workspace : undefined,
    realPath(path) {
      const seen = known.get(path);
      if (seen !== undefined) return seen;
      if (++lookups > MAX_LOOKUPS) return path;
      const real = resolveExisting(path);
      known.set(path, real);
      return real;
    },
  };
}

/** Resolves the part of a path that exists and keeps the rest as it is written. */
function resolveExisting(path: string): string {
  const missing: string[] = [];
  for (let current = path; ; current = dirname(current)) {
    try {
      return join(realpathSync(current), ...missing);
    } catch {
      if (current === dirname(current)) return path;
      missing.unshift(basename(current));
    }
  }
}
