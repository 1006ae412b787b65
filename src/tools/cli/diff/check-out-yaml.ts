import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Blob, batchOf, blobsIn, contentsIn } from '../../../fleet/sources/fetch-git.ts';
import { MAX_FILE_BYTES } from '../../../language/policy/files/read-file.ts';
import { git } from '../git.ts';
import { UsageError } from '../io.ts';

const WANTED = /\.ya?ml$|(?:^|\/)policy\.lock$/;
const MAX_FILES = 20_000;
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;

/**
 * Writes the YAML files of a git revision below a folder, as they were: policies may extend files anywhere in their
 * repository.
 *
 * @param cwd a directory of the repository
 * @returns the repository's root
 * @throws UsageError if git cannot tell
 */
export function checkOutYaml(revision: string, cwd: string, folder: string): string {
  const fail = (cause: string) => new UsageError(`Cannot use git revision "${revision}": ${cause}`);
  const commit = commitOf(revision, cwd);
  if (commit === undefined) throw fail('there is no such revision here');
  const root = git(['rev-parse', '--show-toplevel'], cwd);
  const tree = git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit], cwd);
  if ('cause' in root || 'cause' in tree) throw fail('git cannot list its files');
  const blobs = blobsIn(tree.toString()).filter(isWanted);
  if (blobs.length > MAX_FILES) throw fail(`it has more than ${MAX_FILES} YAML files`);
  if (blobs.reduce((sum, { size }) => sum + size, 0) > MAX_TOTAL_BYTES)
    throw fail('its YAML files are too large');
  const answer = git(['cat-file', '--batch'], cwd, batchOf(blobs));
  if ('cause' in answer) throw fail('git cannot read its files');
  const contents = contentsIn(blobs, answer);
  for (const [index, { path }] of blobs.entries()) {
    const at = join(folder, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, contents[index] ?? new Uint8Array());
  }
  return root.toString().trim();
}

/** The commit that a name means in the repository here; undefined if there is none. */
export function commitOf(revision: string, cwd: string): string | undefined {
  // A revision that begins with a dash would be an option.
  const commit = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], cwd);
  return 'cause' in commit ? undefined : commit.toString().trim();
}

/** Policies, tests, and the locks of sources; regular files only. */
function isWanted({ path, size, isLink }: Blob): boolean {
  return !isLink && WANTED.test(path) && !path.split('/').includes('..') && size <= MAX_FILE_BYTES;
}
