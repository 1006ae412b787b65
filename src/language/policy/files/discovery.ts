import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Steps } from '../../../lib/steps.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Layer } from '../../../model/policy.ts';
import { type Allowance, createAllowance } from '../parse/allowance.ts';
import type { FileDraft } from '../parse/file-draft.ts';
import type { OnStale } from '../schema/managed-schema.ts';
import { problem, startOf, warning } from '../yaml/problem.ts';
import { followLink, followLinks, type LinkRules, wayTo } from './follow-link.ts';
import type { ManagedRecord } from './managed-record.ts';
import {
  isPast,
  MANAGED_FOLDER,
  MANAGED_RECORD,
  ORGANISATION_FOLDERS,
  ownerProblem,
} from './organisation.ts';
import type { PolicyPlace, Reader } from './place.ts';
import type { PolicyText } from './policy-text.ts';
import {
  DANGLING,
  displayPath,
  type FilePlace,
  type FileText,
  findPolicyFile,
  isInside,
  kindOf,
  listPolicyFiles,
  REPLACEMENT,
  readDataFile,
  readRealFile,
  realDirectory,
  repositoryRoots,
} from './source.ts';

/** A pack to load as it is. */
export interface FoundPack {
  readonly pack: string;
  readonly layer: Layer;
}

/** Files and packs in the order of their layers, and what could not be read. */
export interface Discovered {
  readonly found: readonly (PolicyText | FoundPack)[];
  readonly diagnostics: readonly Diagnostic[];
  /** What there is to know that keeps nothing from being loaded. */
  readonly warnings: readonly Diagnostic[];
  /** Whether `policy sync` has left anything here, if only that it had no success. */
  readonly isSynced: boolean;
  /** What is left for the rest of the loading. */
  readonly allowance: Allowance;
  /** The links by whose way files of the user, the organisation and `--policies` were found, without links to them. */
  readonly links: readonly string[];
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

const PROJECT_FOLDER = '.policy';
const PACK_PREFIX = 'builtin:';

/** Finds and reads the policy files that apply to a session, in the order of their layers, one in a step. */
export function* discover(place: PolicyPlace): Steps<Discovered> {
  const collected: Collected = {
    place,
    found: [],
    diagnostics: [],
    warnings: [],
    isSynced: false,
    allowance: createAllowance(),
    paths: new Set(),
    links: [],
    workspace: undefined,
  };
  const named = place.named.length > 0 ? place.named : splitPolicyPath(place.env['POLICY_PATH'] ?? '');
  if (named.length > 0) {
    for (const name of named) yield* takeNamed(name, collected);
    return collected;
  }
  for (const pack of ALWAYS_LOADED) collected.found.push({ pack, layer: 'builtin' });
  const directory = sessionDirectoryOf(collected);
  const roots = rootsAround(directory, collected);
  const workspace = roots.at(-1) ?? directory;
  // Where that is all of the system, it says nothing.
  collected.workspace = workspace === dirname(workspace) ? undefined : workspace;
  yield* takeOrganisation(collected);
  const config = userConfigFolder(place.env);
  if (config !== undefined) yield* takeFolderIfThere(join(config, 'policy'), 'user', undefined, collected);
  yield* takeProject(directory, roots, collected);
  return collected;
}

interface Collected {
  readonly place: PolicyPlace;
  readonly found: (PolicyText | FoundPack)[];
  readonly diagnostics: Diagnostic[];
  readonly warnings: Diagnostic[];
  isSynced: boolean;
  readonly allowance: Allowance;
  /** Paths taken so far: a file counts once. */
  readonly paths: Set<string>;
  readonly links: string[];
  /** Where the agent works: the outermost repository, or the session's directory. */
  workspace: string | undefined;
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

/** The user's folder of configurations. Relative values do not count: they would lead into the project, whose files are not the user's. */
export function userConfigFolder(env: PolicyPlace['env']): string | undefined {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  if (isAbsolute(config)) return config;
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  return isAbsolute(home) ? join(home, '.config') : undefined;
}

function* takeNamed(name: string, collected: Collected): Steps<void> {
  const pack = packIn(name);
  if (pack !== undefined) {
    collected.found.push({ pack, layer: 'named' });
    return;
  }
  const path = resolve(collected.place.cwd, name);
  const file = displayPath(path, collected.place.cwd);
  if (realDirectory(path) !== path) collected.links.push(...wayTo(path));
  switch (kindOf(path)) {
    case 'folder':
      if ((yield* takeFolder(path, 'named', undefined, collected)) === 0) {
        complain(collected, file, 'folder', 'it has no policy files', 'policies are *.yaml and *.yml files');
      }
      return;
    case 'missing':
      complain(collected, file, 'file', 'there is no such file or folder');
      return;
    default:
      if (/\.test\.ya?ml$/.test(path))
        complain(collected, file, 'file', 'it is a test', 'run it with policy test');
      else take(file, findPolicyFile(path, undefined), 'named', undefined, collected);
  }
}

function* takeOrganisation(collected: Collected): Steps<void> {
  const { organisationFolder } = collected.place;
  for (const folder of organisationFolder === undefined ? ORGANISATION_FOLDERS : [organisationFolder]) {
    yield* takeFolderIfThere(folder, 'organisation', undefined, collected);
    const isOwned = organisationFolder !== undefined || kindOf(folder) !== 'folder';
    const problem = isOwned ? undefined : ownerProblem(folder);
    if (problem !== undefined) collected.diagnostics.push(problem);
  }
  const isOfSystem = organisationFolder === undefined;
  const managed = collected.place.managedFolder ?? (isOfSystem ? MANAGED_FOLDER : undefined);
  if (managed !== undefined) yield* takeManaged(managed, isOfSystem, collected);
}

/** Takes the bundle that `policy sync` has left last, if one is managed. Nothing is fetched here. */
function* takeManaged(folder: string, isOfSystem: boolean, collected: Collected): Steps<void> {
  const path = join(folder, MANAGED_RECORD);
  if (kindOf(folder) === 'missing' || kindOf(path) === 'missing') return;
  const { parseManagedRecord, treeFolder } =
    require('./managed-record.ts') as typeof import('./managed-record.ts');
  collected.isSynced = true;
  const open = isOfSystem ? ownerProblem(folder) : undefined;
  if (open !== undefined) collected.diagnostics.push(open);
  const read = (collected.place.readFile ?? readRealFile)(path);
  const file = displayPath(path, collected.place.cwd);
  const record = read.ok ? parseManagedRecord(read.text) : undefined;
  if (record === undefined) {
    complain(collected, file, 'file', read.ok ? 'it is damaged' : read.cause, SYNC);
    return;
  }
  const stale = staleProblem(record, file);
  if (stale !== undefined)
    (record.onStale === 'warn' ? collected.warnings : collected.diagnostics).push(stale);
  if (record.bundle !== undefined)
    yield* takeFolder(
      join(folder, ...treeFolder(record.bundle.digest)),
      'organisation',
      undefined,
      collected,
    );
}

const SYNC = 'run "sudo policy sync"';

/** What is wrong with a set of which the organisation wants a part to be managed, as long as nobody has fetched that part. */
export function neverSynced({ isSynced }: Discovered, files: readonly ManagingFile[]): readonly Diagnostic[] {
  if (isSynced) return [];
  return files.flatMap(({ draft: { managed }, layer }) => {
    if (managed === undefined || layer !== 'organisation') return [];
    const message = 'Cannot rely on the managed policies: they were never fetched';
    return [ofStale(managed.onStale)('stale', managed.position, message, SYNC)];
  });
}

interface ManagingFile {
  readonly draft: Pick<FileDraft, 'managed'>;
  readonly layer: Layer;
}

function ofStale(onStale: OnStale): typeof problem {
  return onStale === 'warn' ? warning : problem;
}

function staleProblem(
  { bundle, checked, staleAt, onStale }: ManagedRecord,
  file: string,
): Diagnostic | undefined {
  if (staleAt === undefined || !isPast(staleAt)) return undefined;
  const what =
    bundle === undefined ? 'the managed policies' : `the managed policies "${bundle.name} ${bundle.version}"`;
  const isExpired = bundle?.expires !== undefined && isPast(bundle.expires);
  const when = isExpired
    ? `they expired at ${bundle.expires}`
    : checked === undefined
      ? 'they could never be fetched'
      : `they were last fetched at ${checked}`;
  return ofStale(onStale)('stale', startOf(file), `Cannot rely on ${what}: ${when}`, SYNC);
}

function* takeFolderIfThere(
  path: string,
  layer: Layer,
  root: string | undefined,
  collected: Collected,
): Steps<void> {
  const kind = kindOf(path);
  if (kind === 'missing') return;
  if (kind === 'folder') {
    followFolder(path, layer, collected);
    yield* takeFolder(path, layer, root, collected);
    return;
  }
  complain(collected, displayPath(path, collected.place.cwd), 'folder', NO_FOLDER[kind]);
}

/** The folder itself may be a link, or lie in one, such as `~/.config`. */
function followFolder(path: string, layer: Layer, collected: Collected): void {
  const rules = linkRules(layer, collected);
  if (rules === undefined) return;
  const above = dirname(dirname(path));
  const named = join(realDirectory(above), relative(above, path));
  if (realDirectory(named) === named) return;
  const followed = followLink(named, named, rules);
  if (followed.ok) collected.links.push(...followed.links);
  else complain(collected, displayPath(path, collected.place.cwd), 'folder', followed.cause, followed.hint);
}

/** How links are followed out of the folders of a layer; undefined where they are not. */
function linkRules(layer: Layer, { workspace }: Collected): LinkRules | undefined {
  if (layer === 'user') return { owner: 'user', workspace };
  return layer === 'organisation' ? { owner: 'root', workspace } : undefined;
}

const NO_FOLDER = {
  unreadable: 'reading it is not permitted',
  dangling: DANGLING,
  file: 'it is not a folder',
  other: 'it is not a folder',
} as const;

/** The directory of the session, without links. */
function sessionDirectoryOf(collected: Collected): string {
  const given = resolve(collected.place.cwd, collected.place.sessionDirectory);
  if (given.includes(REPLACEMENT) && kindOf(given) !== 'folder')
    complain(collected, given, 'folder', 'its name is not UTF-8', 'rename it, or name the policies');
  return realDirectory(given);
}

/**
 * The repositories around a directory, innermost first. Where the session was started around all of them, that folder is
 * the last: whoever goes from one repository to the next keeps its policies.
 */
function rootsAround(directory: string, { place }: Collected): readonly string[] {
  const roots = repositoryRoots(directory);
  const outermost = roots.at(-1) ?? directory;
  const start = realDirectory(resolve(place.cwd, place.startDirectory ?? place.sessionDirectory));
  return start !== outermost && isInside(outermost, start) ? [...roots, start] : roots;
}

/**
 * Takes the `.policy` folders from the outermost repository's root down to the session's directory: a repository inside
 * of another, which an agent makes with one command, takes no policy away. Each folder belongs to its own repository.
 */
function* takeProject(directory: string, roots: readonly string[], collected: Collected): Steps<void> {
  const outermost = roots.at(-1) ?? directory;
  const folders: string[] = [];
  for (let folder = directory; isInside(folder, outermost); folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === outermost) break;
  }
  for (const folder of folders) {
    const root = roots.find((each) => isInside(folder, each)) ?? directory;
    yield* takeFolderIfThere(join(folder, PROJECT_FOLDER), 'project', root, collected);
  }
}

/** Takes the files of a folder; returns how many there are, readable or not. */
function* takeFolder(
  path: string,
  layer: Layer,
  root: string | undefined,
  collected: Collected,
): Steps<number> {
  const rules = linkRules(layer, collected);
  const { files, entries, problems, links } = listPolicyFiles(path, root, undefined, followLinks(rules));
  collected.links.push(...links);
  yield;
  const folder = displayPath(path, collected.place.cwd);
  const { allowance, diagnostics } = collected;
  if (root !== undefined && !allowance.take('entries', entries, startOf(folder), diagnostics)) return entries;
  for (const file of files) {
    const name = folder === '.' ? file.path.slice(path.length + 1) : folder + file.path.slice(path.length);
    take(name, { ok: true, real: file.real }, layer, root, collected);
    yield;
  }
  for (const problem of problems)
    complain(collected, displayPath(problem.path, collected.place.cwd), 'file', problem.cause, problem.hint);
  return files.length + problems.length;
}

/** Takes a file, once. */
function take(
  file: string,
  place: FilePlace,
  layer: Layer,
  root: string | undefined,
  collected: Collected,
): void {
  if (place.ok && collected.paths.has(place.real)) return;
  const read = place.ok ? readAllowed(place.real, file, root, collected) : place;
  if (read?.ok === true) {
    collected.paths.add(read.path);
    collected.found.push({ path: read.path, file, layer, root, text: read.text });
  } else if (read !== undefined) complain(collected, file, 'file', read.cause);
}

/** Reads a file; undefined if the allowance does not suffice, which has been said then. */
export function readAllowed(
  path: string,
  file: string,
  root: string | undefined,
  { place, allowance, diagnostics }: Pick<Reader, 'place' | 'allowance' | 'diagnostics'>,
): FileText | undefined {
  const { readFile = readRealFile } = place;
  if (root === undefined) return readFile(path);
  const takes = (limit: 'files' | 'bytes', amount: number) =>
    allowance.take(limit, amount, startOf(file), diagnostics);
  let isAllowed = takes('files', 1);
  if (!isAllowed) return undefined;
  const read = readFile(path, (bytes) => {
    isAllowed = takes('bytes', bytes);
    return isAllowed;
  });
  return isAllowed ? read : undefined;
}

/** Reads a data file of a policy; undefined if the allowance does not suffice, which has been said then. */
export function readData(at: string, { root }: PolicyText, reader: Reader): FileText | undefined {
  const file = displayPath(at, reader.place.cwd);
  let isAllowed = true;
  const takes = (limit: 'files' | 'bytes', amount: number) =>
    reader.allowance.take(limit, amount, startOf(file), reader.diagnostics);
  const mayRead = (bytes: number) => {
    isAllowed = root === undefined || (takes('files', 1) && takes('bytes', bytes));
    return isAllowed;
  };
  const read = readDataFile(at, root, mayRead, reader.place.readFile);
  return isAllowed ? read : undefined;
}

/** The folder from which a policy file names data files: the one that holds `.policy`, else its own. */
export function dataFolder(path: string): string {
  const end = path.lastIndexOf(`${sep}${PROJECT_FOLDER}${sep}`);
  return end < 0 ? dirname(path) : path.slice(0, end) || sep;
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
