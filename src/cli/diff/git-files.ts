import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MAX_FILE_BYTES } from '../../policy/source.ts';
import { UsageError } from '../usage-error.ts';

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
  // A revision that begins with a dash would be an option.
  const commit = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], cwd);
  if (commit === undefined) throw fail('there is no such revision here');
  const root = git(['rev-parse', '--show-toplevel'], cwd)?.toString().trim();
  const tree = git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit.toString().trim()], cwd);
  if (root === undefined || tree === undefined) throw fail('git cannot list its files');
  const blobs = blobsIn(tree.toString());
  if (blobs.length > MAX_FILES) throw fail(`it has more than ${MAX_FILES} YAML files`);
  if (blobs.reduce((sum, { size }) => sum + size, 0) > MAX_TOTAL_BYTES)
    throw fail('its YAML files are too large');
  const ids = blobs.map(({ id }) => `${id}\n`).join('');
  const contents = git(['cat-file', '--batch'], cwd, ids);
  if (contents === undefined) throw fail('git cannot read its files');
  writeAll(blobs, contents, folder);
  return root;
}

interface Blob {
  readonly id: string;
  readonly size: number;
  readonly path: string;
}

/** Regular files only: `<mode> blob <id> <size>\t<path>`. */
function blobsIn(listing: string): readonly Blob[] {
  return listing.split('\0').flatMap((line) => {
    const [, id, size, path] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    const isWanted = path !== undefined && /\.ya?ml$/.test(path) && !path.split('/').includes('..');
    return isWanted && id !== undefined && Number(size) <= MAX_FILE_BYTES
      ? [{ id, size: Number(size), path }]
      : [];
  });
}

/** Each object is `<id> blob <size>\n<contents>\n`, in the order in which they were asked for. */
function writeAll(blobs: readonly Blob[], contents: Buffer, folder: string): void {
  let at = 0;
  for (const { path, size } of blobs) {
    const start = contents.indexOf(10, at) + 1;
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, contents.subarray(start, start + size));
    at = start + size + 1;
  }
}

/** What git prints; undefined if it fails. */
function git(args: readonly string[], cwd: string, stdin?: string): Buffer | undefined {
  try {
    const child = Bun.spawnSync(['git', ...args], {
      cwd,
      stdin: stdin === undefined ? 'ignore' : Buffer.from(stdin),
      stdout: 'pipe',
      stderr: 'ignore',
    });
    return child.exitCode === 0 ? child.stdout : undefined;
  } catch {
    return undefined;
  }
}
