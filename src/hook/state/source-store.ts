import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { treeDigest } from '../../lib/tree-digest.ts';
import { stateError } from './state-error.ts';
import { findStateSubfolder, openStateSubfolder } from './state-folder.ts';

const SUBFOLDER = 'sources';
const ALGORITHM = 'sha256';
const DIGEST = /^sha256:([0-9a-f]{64})$/;
/** What one source may have. Whoever fetches it stays within as well. */
export const MAX_SOURCE_FILES = 20_000;
export const MAX_SOURCE_BYTES = 64 * 1024 * 1024;
/** A folder of an update that is older than this belongs to a process that died. */
const STALE_UPDATE_MS = 60 * 60 * 1000;

type Environment = Readonly<Record<string, string | undefined>>;

/** The files of a source as they were when it was locked. */
export interface StoredFiles {
  /** Where they lie, absolute and without links. */
  readonly folder: string;
  /** Their texts by path in the source, sorted. */
  readonly files: ReadonlyMap<string, string>;
}

/** The files of sources in the state folder, by digest. Throws `StateError` if the folder cannot be used. */
export interface FileStore {
  /** Reads all files of a source and verifies them. */
  open(digest: string): StoredFiles | 'missing' | 'altered';
  /** The digest under which files are kept. */
  digestOf(files: ReadonlyMap<string, Uint8Array>): string;
  /** Keeps the files of a source, all of them or none; returns their digest. */
  keep(files: ReadonlyMap<string, Uint8Array>): string;
}

/** The sources in the state folder, which is made when the first is kept. */
export function createSourceStore(env: Environment): FileStore {
  return {
    open: (digest) => {
      const name = DIGEST.exec(digest)?.[1];
      const folder = findStateSubfolder(env, SUBFOLDER);
      if (folder === undefined || name === undefined) return 'missing';
      return open(join(folder, ALGORITHM, name), name);
    },
    digestOf: (files) => `${ALGORITHM}:${treeDigest(files)}`,
    keep: (files) => {
      const name = treeDigest(files);
      const folder = openStateSubfolder(env, SUBFOLDER);
      try {
        keep(files, folder, name);
      } catch (error) {
        throw stateError(`Cannot keep the files of a source in "${folder}"`, error);
      }
      return `${ALGORITHM}:${name}`;
    },
  };
}

function open(folder: string, name: string): StoredFiles | 'missing' | 'altered' {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return 'missing';
  try {
    const files = new Map<string, Uint8Array>();
    const left = { bytes: MAX_SOURCE_BYTES };
    readTree(folder, '', files, left);
    if (treeDigest(files) !== name) return 'altered';
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const texts = [...files].map(([path, bytes]) => [path, decoder.decode(bytes)] as const);
    return { folder: realpathSync(folder), files: new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1))) };
  } catch {
    return 'altered';
  }
}

/** @throws if there is anything but files and folders, or more than fits */
function readTree(
  folder: string,
  path: string,
  files: Map<string, Uint8Array>,
  left: { bytes: number },
): void {
  for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
    const name = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) {
      readTree(folder, name, files, left);
      continue;
    }
    left.bytes -= lstatSync(join(folder, name)).size;
    if (!entry.isFile() || left.bytes < 0 || files.size >= MAX_SOURCE_FILES) throw new Error('it is altered');
    files.set(name, readFileSync(join(folder, name)));
  }
}

/** Readers see the whole of a source or nothing: a folder beside it takes its name when all is written. */
function keep(files: ReadonlyMap<string, Uint8Array>, folder: string, name: string): void {
  const target = join(folder, ALGORITHM, name);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  sweep(folder);
  if (isWhole(target, name)) return;
  const made = join(folder, `update-${process.pid}-${crypto.randomUUID()}`);
  try {
    mkdirSync(made, { mode: 0o700 });
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(made, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(made, path), bytes, { mode: 0o600, flag: 'wx' });
    }
    putInPlace(made, target, name);
  } catch (error) {
    // Another process may have been faster.
    if (!isWhole(target, name)) throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
    rmSync(`${made}-altered`, { recursive: true, force: true });
  }
}

/** A folder that is not empty keeps its name: what another process has put there meanwhile stays, unless it is altered. */
function putInPlace(made: string, target: string, name: string): void {
  try {
    renameSync(made, target);
  } catch (error) {
    if (isWhole(target, name)) return;
    if (lstatSync(target, { throwIfNoEntry: false }) === undefined) throw error;
    renameSync(target, `${made}-altered`);
    renameSync(made, target);
  }
}

function isWhole(target: string, name: string): boolean {
  return typeof open(target, name) === 'object';
}

/** Removes what processes have left behind that died in the middle of an update. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!name.startsWith('update-') || stats === undefined) continue;
    if (Date.now() - stats.mtimeMs > STALE_UPDATE_MS) rmSync(path, { recursive: true, force: true });
  }
}
