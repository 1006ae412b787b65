import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, sep } from 'node:path';
import { checkTime } from '../lib/time-limit.ts';
import type { Surroundings } from '../model/surroundings.ts';

/** As many links behind each other as Linux follows. */
const MAX_LINKS = 40;

/**
 * What matchers may know of this machine, for one event. Nothing is looked up before it is asked for.
 *
 * @param policyFiles the files that are in force, without links: wherever they lie, they count as policy files
 */
export function machineSurroundings(
  env: Readonly<Record<string, string | undefined>>,
  workspace: string | undefined,
  policyFiles: ReadonlySet<string> = NO_FILES,
): Surroundings {
  const known = new Map<string, string>();
  const folders = new Map<string, string | undefined>();
  const named = env['HOME'] ?? env['USERPROFILE'];
  const home = named !== undefined && isAbsolute(named) ? named : undefined;
  let moved: readonly Moved[] | undefined;
  return {
    home,
    workspace: workspace !== undefined && isAbsolute(workspace) ? workspace : undefined,
    realPath(path) {
      const seen = known.get(path);
      if (seen !== undefined) return seen;
      // Lookups have no limit but time: whatever else were given up on, a link could hide behind.
      checkTime();
      const real =
        inRealFolder(path, folders) ?? resolveClimbing(path) ?? realPathOf(path) ?? resolveExisting(path);
      known.set(path, real);
      return real;
    },
    knownAs(path) {
      if (policyFiles.has(path)) return join(POLICY_FOLDER, basename(path));
      moved ??= movedFrom(env, home);
      for (const { at, usual } of moved) {
        if (path === at) return usual;
        if (path.startsWith(at + sep)) return usual + path.slice(at.length);
      }
      return path;
    },
  };
}

const NO_FILES: ReadonlySet<string> = new Set();
/** The places by which policies know a policy file and this program. */
const POLICY_FOLDER = '/.policy';
const USUAL_PROGRAM = '/usr/local/bin/policy';

/** A file or folder of ours that is elsewhere than where policies know it. */
interface Moved {
  /** Without links. */
  readonly at: string;
  readonly usual: string;
}

/** Where our own folders lie, by the variables that move them. */
const OWN_FOLDERS = [
  ['XDG_CONFIG_HOME', '.config/policy'],
  ['XDG_STATE_HOME', '.local/state/policy'],
] as const;

/** What runs now, without links: the compiled program, or what runs its source. */
let ownProgram: string | undefined;

function movedFrom(
  env: Readonly<Record<string, string | undefined>>,
  home: string | undefined,
): readonly Moved[] {
  ownProgram ??= realPathOf(process.execPath) ?? process.execPath;
  const program = { at: ownProgram, usual: USUAL_PROGRAM };
  if (home === undefined) return [program];
  const folders = OWN_FOLDERS.flatMap(([variable, place]): readonly Moved[] => {
    const around = env[variable];
    if (around === undefined || !isAbsolute(around)) return [];
    const folder = join(around, 'policy');
    return [{ at: realPathOf(folder) ?? resolveExisting(folder), usual: join(home, place) }];
  });
  return [program, ...folders];
}

/** The common case, where a call's paths stand side by side and some are not there yet; undefined for every other. */
function inRealFolder(path: string, folders: Map<string, string | undefined>): string | undefined {
  const name = basename(path);
  if (path.includes(`${sep}..`) || name === '' || name === '.') return undefined;
  const above = dirname(path);
  if (!folders.has(above)) folders.set(above, realPathOf(above));
  const folder = folders.get(above);
  if (folder === undefined) return undefined;
  const real = join(folder, name);
  const found = lookAt(real);
  return found === 'missing' || found === 'no link' ? real : undefined;
}

/** The runtime takes `name/..` away before it looks whether that name is a link. */
function resolveClimbing(path: string): string | undefined {
  return path.includes(`${sep}..`) ? resolveExisting(path) : undefined;
}

/** Undefined if nothing is there. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
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
