import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, sep } from 'node:path';
import { INSTALLED_PROGRAM } from '../hosts/clean-start.ts';
import { OWN } from '../hosts/guards.ts';
import { MOVED_GUARDS } from '../language/generated/guards.ts';
import { kindOf } from '../language/policy/files/folders.ts';
import { driveOf, fromDrive } from '../lib/path/drive-path.ts';
import { foldPath } from '../lib/path/fold-path.ts';
import { checkTime } from '../lib/time-limit.ts';
import type { Surroundings } from '../model/surroundings.ts';
import { isSameFile, letterCase } from './letter-case.ts';

/** As many links behind each other as Linux follows. */
const MAX_LINKS = 40;
/** As long as a path may be for Linux; a longer one is looked at part by part. */
const MAX_PATH = 4_096;

/**
 * The machine as matchers may know it, for one event. Nothing is looked up before it is asked for.
 *
 * @param isIn the folder that the agent is in now
 * @param files the policy files that are in force, without links: wherever they lie, they count as policy files
 */
export function machineSurroundings(
  env: Readonly<Record<string, string | undefined>>,
  worksIn: string | undefined,
  files: ReadonlySet<string> = NO_FILES,
  isIn = worksIn,
): Surroundings {
  const guarded = new Map<string, readonly string[]>();
  const named = env['HOME'] ?? env['USERPROFILE'];
  const home = folderAt(named);
  const workspace = folderAt(worksIn);
  const directory = folderAt(isIn);
  let spelled: ReadonlySet<string> | undefined;
  const policyFiles = () => (spelled ??= new Set([...files].map((file) => fromDrive(file) ?? file)));
  const realPath = (path: string): string => {
    const { paths, folders } = now();
    const seen = paths.get(path);
    if (seen !== undefined) return seen;
    // Lookups have no limit but time: whatever else were given up on, a link could hide behind.
    checkTime();
    const at = native(path);
    const there = inRealFolder(at, folders) ?? resolveWhole(at);
    const real = fromDrive(there) ?? there;
    paths.set(path, real);
    return real;
  };
  return {
    home,
    workspace,
    ...(directory !== undefined && directory !== workspace ? { directory } : {}),
    realPath,
    repository: (folder = directory) => {
      if (folder === undefined || folderAt(folder) === undefined) return undefined;
      return repositoryNow(folder);
    },
    machine: () => {
      const { machineId } = require('./state/machine-id.ts') as typeof import('./state/machine-id.ts');
      return machineId();
    },
    isThere: (path) => lookAt(path) !== 'missing',
    isFile: (path) => kindOf(path) === 'file',
    namedBelow: (folder, ending) => {
      const { filesBelow } = require('./files-below.ts') as typeof import('./files-below.ts');
      return filesBelow(folder, (path) => path.endsWith(`/${ending}`));
    },
    guardedBelow: (folder, depth) => {
      const key = `${depth} ${folder}`;
      const before = guarded.get(key);
      if (before !== undefined) return before;
      const { guardsBelow } = require('./guards-below.ts') as typeof import('./guards-below.ts');
      const inForce = [...policyFiles(), ...movedNow(env, home, realPath).map(({ at }) => at)];
      const found = guardsBelow(folder, depth, { home, workspace, inForce });
      guarded.set(key, found);
      return found;
    },
    knownAs(path, below, folded) {
      const read = folded ? foldPath : (same: string) => same;
      const asked = read(path);
      const found: string[] = [];
      if (folded || below || policyFiles().has(path))
        for (const file of policyFiles()) {
          const at = read(file);
          if (at === asked || (below && isAtOrBelow(at, asked))) found.push(file);
        }
      return [
        ...found.map((file) => `${POLICY_FOLDER}/${basename(file)}`),
        ...movedNow(env, home, realPath).flatMap(({ at, usual }) => {
          const there = read(at);
          if (isAtOrBelow(asked, there)) return [usual + asked.slice(there.length)];
          return below && isAtOrBelow(there, asked) ? [usual] : [];
        }),
      ];
    },
    foldsNames: (path) => {
      // Whatever a folder of it may be set to, Windows finds a name in any letter case.
      if (driveOf(path ?? workspace ?? home ?? '') !== undefined) return true;
      return now().cases(path ?? workspace ?? home ?? '/');
    },
    isSame: isSameFile,
  };
}

/** An absolute folder in the spelling that the program knows. */
function folderAt(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  return fromDrive(path) ?? (isAbsolute(path) ? path : undefined);
}

/** A path as the system itself spells it. */
function native(path: string): string {
  return sep === '/' ? path : path.replaceAll('/', sep);
}

const NO_FILES: ReadonlySet<string> = new Set();
/** The place by which policies know a policy file. */
const POLICY_FOLDER = '/.policy';

/** The variables that move files that guard an agent of any host. */
const MOVED: readonly (readonly [string, string])[] = [
  ...Object.entries(OWN.policies.moved),
  ...Object.entries(OWN.state.moved),
  ...MOVED_GUARDS,
];

/** A file or folder that guards the agent and is elsewhere than where policies know it. */
interface Moved {
  /** Without links. */
  readonly at: string;
  readonly usual: string;
}

/** Lookups of this turn of the event loop. Its events share them, because they have arrived together. */
class Now {
  readonly repositories = new Map<string, ReturnType<typeof repositoryNow>>();
  readonly cases = letterCase();
  /** Paths without links. */
  readonly paths = new Map<string, string>();
  readonly folders = new Map<string, RealFolder>();
  moved?: { readonly env: object; readonly home: string | undefined; readonly all: readonly Moved[] };
}

let looked: Now | undefined;

function now(): Now {
  if (looked === undefined) {
    looked = new Now();
    setImmediate(forget);
  }
  return looked;
}

function forget(): void {
  looked = undefined;
}

function repositoryNow(folder: string): ReturnType<NonNullable<Surroundings['repository']>> {
  const { repositories } = now();
  if (repositories.has(folder)) return repositories.get(folder);
  const { repositoryAt } = require('./repository.ts') as typeof import('./repository.ts');
  const found = repositoryAt(folder);
  repositories.set(folder, found);
  return found;
}

function isAtOrBelow(path: string, folder: string): boolean {
  const end = folder.endsWith('/') ? folder.length - 1 : folder.length;
  return path.startsWith(folder) && (path.length === folder.length || path[end] === '/');
}

/** The running program, without links: the compiled one, or the one that runs the source. */
let ownProgram: string | undefined;

/** Hosts hand over the same environment for every event. */
function movedNow(
  env: Readonly<Record<string, string | undefined>>,
  home: string | undefined,
  realPath: Surroundings['realPath'],
): readonly Moved[] {
  const { moved } = now();
  if (moved?.env === env && moved.home === home) return moved.all;
  const all = movedFrom(env, home, realPath);
  now().moved = { env, home, all };
  return all;
}

/** By variables, or by links. */
function movedFrom(
  env: Readonly<Record<string, string | undefined>>,
  home: string | undefined,
  realPath: Surroundings['realPath'],
): readonly Moved[] {
  ownProgram ??= realPath(process.execPath);
  const found: Moved[] = [{ at: ownProgram, usual: INSTALLED_PROGRAM }];
  const looked = new Set<string>();
  for (const [place, written] of MOVED) {
    const usual = written.startsWith('~') ? home && home + written.slice(1) : written;
    if (usual === undefined) continue;
    const [, name = '', rest = ''] = /^\$(\w+)(.*)$/.exec(place) ?? [];
    const value = env[name];
    const moved = folderAt(value);
    const paths = moved === undefined ? [usual] : [usual, moved + rest];
    for (const path of paths) {
      if (looked.has(path)) continue;
      looked.add(path);
      const at = realPath(path);
      if (at !== usual) found.push({ at, usual });
    }
  }
  return found;
}

/** A folder's path without links. Nothing below one that is not there can be a link. */
interface RealFolder {
  readonly real: string;
  readonly isThere: boolean;
}

/** The common case: a call's paths are side by side and some are not there yet; undefined for every other. */
function inRealFolder(path: string, folders: Map<string, RealFolder>): string | undefined {
  const name = basename(path);
  if (climbs(path) || path.length > MAX_PATH || name === '' || name === '.') return undefined;
  const folder = realFolder(dirname(path), folders);
  const real = inFolder(folder.real, name);
  if (!folder.isThere) return real;
  const found = lookAt(real);
  return found === 'missing' || found === 'no link' ? real : undefined;
}

function realFolder(path: string, folders: Map<string, RealFolder>): RealFolder {
  const seen = folders.get(path);
  if (seen !== undefined) return seen;
  // Looking for a missing folder costs most, and many may be side by side.
  const isHopeless = folders.get(dirname(path))?.isThere === false;
  const there = isHopeless ? undefined : realPathOf(path);
  const folder =
    there === undefined
      ? { real: inRealFolder(path, folders) ?? resolveExisting(path), isThere: false }
      : { real: there, isThere: true };
  folders.set(path, folder);
  return folder;
}

function inFolder(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/** The runtime takes `name/..` away before it looks whether that name is a link. */
function resolveWhole(path: string): string {
  return (climbs(path) ? undefined : realPathOf(path)) ?? resolveExisting(path);
}

function climbs(path: string): boolean {
  return path.includes(`${sep}..`);
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
 * Resolves the links of a path that does not exist; the missing part stays. A dangling link is followed, as a write creates its
 * target.
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
