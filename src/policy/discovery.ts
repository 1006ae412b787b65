import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Layer } from '../model/policy.ts';
import type { PolicyText } from './policy-text.ts';
import { problem, startOf } from './problem.ts';
import {
  DANGLING,
  displayPath,
  type FileText,
  isInside,
  isPolicyName,
  kindOf,
  listPolicyFiles,
  REPLACEMENT,
  readListedFile,
  readPolicyFile,
  realDirectory,
  repositoryRoots,
} from './source.ts';

/** Where policies are looked for. */
export interface Place {
  /** What `--policies` names: files, folders or `builtin:NAME`. */
  readonly named: readonly string[];
  /** The process's working directory, absolute: names are relative to it. */
  readonly cwd: string;
  /** The directory of the agent's session: projects are looked for at and above it. */
  readonly sessionDirectory: string;
  /** `POLICY_PATH`, `POLICY_SESSION`, `XDG_CONFIG_HOME` and `HOME` are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The organisation's folder, `/etc/policy` unless given. */
  readonly organisationFolder?: string;
  /** Asked between files; true ends the search with an error. */
  readonly overdue?: () => boolean;
}

/** A pack to load as it is. */
export interface FoundPack {
  readonly pack: string;
  readonly layer: Layer;
}

/** Files and packs in the order of their layers, and what could not be read. */
export interface Discovered {
  readonly found: readonly (PolicyText | FoundPack)[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Every file of a set: those that were discovered and those that they extend. */
export function pathsOf(
  { found }: Discovered,
  extended: Iterable<{ readonly path: string }>,
): readonly string[] {
  const paths = found.flatMap((item) => ('pack' in item ? [] : [item.path]));
  for (const { path } of extended) paths.push(path);
  return paths;
}

/** Packs that discovery always loads; only the user and the organisation can disable them. */
export const ALWAYS_LOADED = ['baseline', 'self-protection'] as const;

const ORGANISATION_FOLDER = '/etc/policy';
const PROJECT_FOLDER = '.policy';
const PACK_PREFIX = 'builtin:';

/** Finds and reads the policy files that apply to a session, in the order of their layers. */
export function discover(place: Place): Discovered {
  const collected: Collected = { place, found: [], diagnostics: [], paths: new Set() };
  const named = place.named.length > 0 ? place.named : splitPolicyPath(place.env['POLICY_PATH'] ?? '');
  if (named.length > 0) {
    for (const name of named) takeNamed(name, 'named', undefined, collected);
    return collected;
  }
  for (const pack of ALWAYS_LOADED) collected.found.push({ pack, layer: 'builtin' });
  takeFolderIfThere(place.organisationFolder ?? ORGANISATION_FOLDER, 'organisation', undefined, collected);
  const config = userConfigFolder(place);
  if (config !== undefined) takeFolderIfThere(join(config, 'policy'), 'user', undefined, collected);
  takeProject(collected);
  const session = place.env['POLICY_SESSION'] ?? '';
  if (session !== '') takeNamed(session, 'session', sessionRoot(resolve(place.cwd, session)), collected);
  return collected;
}

interface Collected {
  readonly place: Place;
  readonly found: (PolicyText | FoundPack)[];
  readonly diagnostics: Diagnostic[];
  /** Paths taken so far: a file counts once. */
  readonly paths: Set<string>;
}

/** Splits `POLICY_PATH` at the system's path delimiter, which may be the colon of `builtin:NAME`. */
export function splitPolicyPath(text: string): readonly string[] {
  const names: string[] = [];
  for (const part of text.split(delimiter)) {
    if (names.at(-1) === 'builtin') names.splice(-1, 1, PACK_PREFIX + part);
    else names.push(part);
  }
  return names.filter((name) => name !== '');
}

/** The pack that a name such as `builtin:baseline` means; undefined if it is a path. */
export function packIn(name: string): string | undefined {
  return name.startsWith(PACK_PREFIX) ? name.slice(PACK_PREFIX.length) : undefined;
}

/** Relative values do not count: they would lead into the project, whose files are not the user's. */
function userConfigFolder({ env }: Place): string | undefined {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  if (isAbsolute(config)) return config;
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  return isAbsolute(home) ? join(home, '.config') : undefined;
}

function sessionRoot(path: string): string {
  return kindOf(path) === 'folder' ? path : dirname(path);
}

function takeNamed(name: string, layer: Layer, root: string | undefined, collected: Collected): void {
  const pack = packIn(name);
  if (pack !== undefined) {
    collected.found.push({ pack, layer });
    return;
  }
  const path = resolve(collected.place.cwd, name);
  const file = displayPath(path, collected.place.cwd);
  switch (kindOf(path)) {
    case 'folder':
      if (takeFolder(path, layer, root, collected) === 0) {
        complain(collected, file, 'folder', 'it has no policy files', 'policies are *.yaml and *.yml files');
      }
      return;
    case 'missing':
      complain(collected, file, 'file', 'there is no such file or folder');
      return;
    default:
      if (/\.test\.ya?ml$/.test(path))
        complain(collected, file, 'file', 'it is a test', 'run it with policy test');
      else take(file, () => readPolicyFile(path, root), layer, root, collected);
  }
}

function takeFolderIfThere(path: string, layer: Layer, root: string | undefined, collected: Collected): void {
  const kind = kindOf(path);
  if (kind === 'missing') return;
  if (kind === 'folder') {
    takeFolder(path, layer, root, collected);
    return;
  }
  complain(collected, displayPath(path, collected.place.cwd), 'folder', NO_FOLDER[kind]);
}

const NO_FOLDER = {
  unreadable: 'reading it is not permitted',
  dangling: DANGLING,
  file: 'it is not a folder',
  other: 'it is not a folder',
} as const;

/**
 * Takes the `.policy` folders from the outermost repository's root down to the session's directory: a repository inside
 * of another, which an agent makes with one command, takes no policy away. Each folder belongs to its own repository.
 */
function takeProject(collected: Collected): void {
  const given = resolve(collected.place.cwd, collected.place.sessionDirectory);
  if (given.includes(REPLACEMENT) && kindOf(given) !== 'folder')
    complain(collected, given, 'folder', 'its name is not UTF-8', 'rename it, or name the policies');
  const directory = realDirectory(given);
  const roots = repositoryRoots(directory);
  const outermost = roots.at(-1) ?? directory;
  const folders: string[] = [];
  for (let folder = directory; isInside(folder, outermost); folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === outermost) break;
  }
  for (const folder of folders) {
    const root = roots.find((each) => isInside(folder, each)) ?? directory;
    takeFolderIfThere(join(folder, PROJECT_FOLDER), 'project', root, collected);
  }
}

/** Takes the files of a folder; returns how many there are, readable or not. */
function takeFolder(path: string, layer: Layer, root: string | undefined, collected: Collected): number {
  const { files, problems } = listPolicyFiles(path, root, () => isOverdue(collected.place));
  const folder = displayPath(path, collected.place.cwd);
  for (const file of files) {
    const name = folder === '.' ? file.path.slice(path.length + 1) : folder + file.path.slice(path.length);
    take(name, () => readListedFile(file), layer, root, collected);
  }
  for (const problem of problems)
    complain(collected, displayPath(problem.path, collected.place.cwd), 'file', problem.cause);
  return files.length + problems.length;
}

/** Takes what `read` gives, once. */
function take(
  file: string,
  read: () => FileText,
  layer: Layer,
  root: string | undefined,
  collected: Collected,
): void {
  const found: FileText = isOverdue(collected.place) ? { ok: false, cause: 'there is no time left' } : read();
  if (!found.ok) complain(collected, file, 'file', found.cause);
  else if (!collected.paths.has(found.path)) {
    collected.paths.add(found.path);
    collected.found.push({ path: found.path, file, layer, root, text: found.text });
  }
}

function isOverdue({ overdue }: Place): boolean {
  return overdue?.() === true;
}

function complain(
  collected: Collected,
  file: string,
  what: 'file' | 'folder',
  cause: string,
  hint?: string,
): void {
  collected.diagnostics.push(
    problem('file', startOf(file), `Cannot read policy ${what} "${file}": ${cause}`, hint),
  );
}

/** The text of a file that another extends, or why it cannot be had. */
export type Extended =
  | {
      readonly text: PolicyText;
      /** Where it was looked for, before links were followed. */
      readonly at: string;
    }
  | { readonly cause: string };

/** Reads a file that another extends: relative to it, and inside its project if it has one. */
export function readExtended(name: string, by: PolicyText, place: Place): Extended {
  if (isOverdue(place)) return { cause: 'there is no time left' };
  const path = resolve(dirname(by.path), name);
  if (!isPolicyName(path)) return { cause: 'it is not a policy file: *.yaml or *.yml' };
  const read = readPolicyFile(path, by.root);
  if (!read.ok) return { cause: read.cause };
  const file = displayPath(path, place.cwd);
  return { text: { path: read.path, file, layer: by.layer, root: by.root, text: read.text }, at: path };
}
