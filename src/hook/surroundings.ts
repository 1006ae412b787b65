import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, join, parse, sep } from 'node:path';
import { checkTime } from '../lib/time-limit.ts';
import type { Surroundings } from '../model/surroundings.ts';

/** As many links behind each other as Linux follows. */
const MAX_LINKS = 40;

/** What matchers may know of this machine, for one event. Nothing is looked up before it is asked for. */
export function machineSurroundings(
  env: Readonly<Record<string, string | undefined>>,
  workspace: string | undefined,
): Surroundings {
  const known = new Map<string, string>();
  const home = env['HOME'] ?? env['USERPROFILE'];
  return {
    home: home !== undefined && isAbsolute(home) ? home : undefined,
    workspace: workspace !== undefined && isAbsolute(workspace) ? workspace : undefined,
    realPath(path) {
      const seen = known.get(path);
      if (seen !== undefined) return seen;
      // Lookups have no limit but time: whatever else were given up on, a link could hide behind.
      checkTime();
      const real = realPathOf(path);
      known.set(path, real);
      return real;
    },
  };
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolveExisting(path);
  }
}

/**
 * Resolves the links of a path that leads to nothing yet, and keeps what is not there as it is written. A link to
 * nothing is followed as well: who writes to it makes its target.
 */
function resolveExisting(path: string): string {
  const { root } = parse(path);
  let done: string[] = [];
  const open = partsOf(path, root).reverse();
  let links = 0;
  let isThere = true;
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part === '..') {
      done.pop();
      continue;
    }
    done.push(part);
    if (!isThere) continue;
    const found = lookAt(join(root, ...done));
    isThere = found !== 'missing';
    if (found === 'missing' || found === 'no link' || ++links > MAX_LINKS) continue;
    if (isAbsolute(found.target)) done = [];
    else done.pop();
    open.push(...partsOf(found.target, parse(found.target).root).reverse());
  }
  return root + done.join(sep);
}

function partsOf(path: string, root: string): string[] {
  return path
    .slice(root.length)
    .split(sep)
    .filter((part) => part !== '' && part !== '.');
}

function lookAt(path: string): 'missing' | 'no link' | { readonly target: string } {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'missing';
    return stats.isSymbolicLink() ? { target: readlinkSync(path) } : 'no link';
  } catch {
    return 'missing';
  }
}
