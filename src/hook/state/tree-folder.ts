import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { treeDigest } from '../../lib/tree-digest.ts';

const ALGORITHM = 'sha256';
/** A folder of an update that is older than this belongs to a process that died. */
const STALE_UPDATE_MS = 60 * 60 * 1000;

/** The bounds of one tree; one with more is not read. */
export interface TreeLimits {
  readonly files: number;
  readonly bytes: number;
}

/** How trees are kept in a folder. */
export interface TreeFolder extends TreeLimits {
  readonly folder: string;
  readonly folderMode: number;
  readonly fileMode: number;
}

export function treePath(folder: string, digest: string): string {
  return join(folder, ALGORITHM, digest);
}

/**
 * The files of a tree; undefined if they do not have the digest by which it is called.
 *
 * @throws if there is anything but files and folders, or more than may be
 */
export function readTree(
  folder: string,
  digest: string,
  limits: TreeLimits,
): Map<string, Uint8Array> | undefined {
  const files = new Map<string, Uint8Array>();
  let left = limits.bytes;
  const visit = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        visit(name);
        continue;
      }
      left -= lstatSync(join(folder, name)).size;
      if (!entry.isFile() || left < 0 || files.size >= limits.files) throw new Error('it is altered');
      files.set(name, readFileSync(join(folder, name)));
    }
  };
  visit('');
  return treeDigest(files) === digest ? files : undefined;
}

/** Keeps a tree of files under its digest, all of it or nothing: a folder beside it takes its name when all is written. */
export function keepTree(at: TreeFolder, files: ReadonlyMap<string, Uint8Array>): string {
  const digest = treeDigest(files);
  const target = treePath(at.folder, digest);
  mkdirSync(dirname(target), { recursive: true, mode: at.folderMode });
  sweep(at.folder);
  if (isWhole(target, digest, at)) return digest;
  const made = join(at.folder, `update-${process.pid}-${crypto.randomUUID()}`);
  try {
    mkdirSync(made, { recursive: true, mode: at.folderMode });
    for (const [path, content] of files) {
      mkdirSync(dirname(join(made, path)), { recursive: true, mode: at.folderMode });
      writeFileSync(join(made, path), content, { mode: at.fileMode, flag: 'wx' });
    }
    putInPlace(made, target, () => isWhole(target, digest, at));
  } catch (error) {
    // Another process may have been faster.
    if (!isWhole(target, digest, at)) throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
    rmSync(`${made}-altered`, { recursive: true, force: true });
  }
  return digest;
}

/** A folder that is not empty keeps its name: files that another process has put there meanwhile stay, unless they are altered. */
function putInPlace(made: string, target: string, isThere: () => boolean): void {
  try {
    renameSync(made, target);
  } catch (error) {
    if (isThere()) return;
    if (lstatSync(target, { throwIfNoEntry: false }) === undefined) throw error;
    renameSync(target, `${made}-altered`);
    renameSync(made, target);
  }
}

function isWhole(target: string, digest: string, limits: TreeLimits): boolean {
  try {
    return existsSync(target) && readTree(target, digest, limits) !== undefined;
  } catch {
    return false;
  }
}

/** Removes files that processes have left behind that died in the middle of an update. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!name.startsWith('update-') || stats === undefined) continue;
    if (Date.now() - stats.mtimeMs > STALE_UPDATE_MS) rmSync(path, { recursive: true, force: true });
  }
}
