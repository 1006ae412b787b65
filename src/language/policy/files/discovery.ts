import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Steps } from '../../../lib/steps.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { type Allowance, createAllowance } from '../parse/allowance.ts';
import { displayPath, isInside, kindOf, realDirectory, repositoryRoots } from './folders.ts';
import { linksTo } from './follow-link.ts';
import { MANAGED_FOLDER, ORGANISATION_FOLDERS, ownerProblem } from './organisation.ts';
import { packIn, splitPolicyPath } from './pack-names.ts';
import type { PolicyPlace } from './place.ts';
import type { PolicyText } from './policy-text.ts';
import { PROJECT_FOLDER } from './read-allowed.ts';
import { findPolicyFile, REPLACEMENT } from './read-file.ts';
import {
  type Collected,
  complain,
  type FoundPack,
  take,
  takeFolder,
  takeFolderIfThere,
} from './take-folder.ts';
import { takeManaged } from './take-managed.ts';

/** Files and packs in the order of their layers, and the problems of those that could not be read. */
export interface Discovered {
  readonly found: readonly (PolicyText | FoundPack)[];
  readonly diagnostics: readonly Diagnostic[];
  /** Findings that keep nothing from being loaded. */
  readonly warnings: readonly Diagnostic[];
  /** True if `policy sync` has left anything here, if only that it had no success. */
  readonly isSynced: boolean;
  /** The allowance that is left for the rest of the loading. */
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
  // A workspace that is the whole system says nothing.
  collected.workspace = workspace === dirname(workspace) ? undefined : workspace;
  yield* takeOrganisation(collected);
  const config = userConfigFolder(place.env);
  if (config !== undefined) yield* takeFolderIfThere(join(config, 'policy'), 'user', undefined, collected);
  yield* takeProject(directory, roots, collected);
  return collected;
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
  if (realDirectory(path) !== path) collected.links.push(...linksTo(path));
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

/** The directory of the session, without links. */
function sessionDirectoryOf(collected: Collected): string {
  const given = resolve(collected.place.cwd, collected.place.sessionDirectory);
  if (given.includes(REPLACEMENT) && kindOf(given) !== 'folder')
    complain(collected, given, 'folder', 'its name is not UTF-8', 'rename it, or name the policies');
  return realDirectory(given);
}

/** The repositories around a directory, innermost first, then the session's start folder if it is around all of them. */
function rootsAround(directory: string, { place }: Collected): readonly string[] {
  const roots = repositoryRoots(directory);
  const outermost = roots.at(-1) ?? directory;
  const start = realDirectory(resolve(place.cwd, place.startDirectory ?? place.sessionDirectory));
  return start !== outermost && isInside(outermost, start) ? [...roots, start] : roots;
}

/** Adds the `.policy` folders from the outermost repository down to the session's directory; an inner repository removes none. */
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
