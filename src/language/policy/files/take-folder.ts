import { dirname, join, relative } from 'node:path';
import type { Steps } from '../../../lib/steps.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Layer } from '../../../model/policy.ts';
import type { Allowance } from '../parse/allowance.ts';
import { problem, startOf } from '../yaml/problem.ts';
import { displayPath, kindOf, realDirectory } from './folders.ts';
import { followLink, followLinks, type LinkRules } from './follow-link.ts';
import { DANGLING, listPolicyFiles } from './list-policy-files.ts';
import type { PolicyPlace } from './place.ts';
import type { PolicyText } from './policy-text.ts';
import { readAllowed } from './read-allowed.ts';
import type { FilePlace } from './read-file.ts';

export interface FoundPack {
  readonly pack: string;
  readonly layer: Layer;
}

export interface Collected {
  readonly place: PolicyPlace;
  readonly found: (PolicyText | FoundPack)[];
  readonly diagnostics: Diagnostic[];
  readonly warnings: Diagnostic[];
  isSynced: boolean;
  readonly allowance: Allowance;
  /** Paths taken so far: a file counts once. */
  readonly paths: Set<string>;
  readonly links: string[];
  /** The agent's workspace: the outermost repository, or the session's directory. */
  workspace: string | undefined;
}

export function* takeFolderIfThere(
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

/** Takes the files of a folder; returns how many there are, readable or not. */
export function* takeFolder(
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

export function take(
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

export function complain(
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
