import { join, posix, sep } from 'node:path';
import { child } from '../../../lib/child.ts';
import { compileGlob } from '../../../lib/glob/glob.ts';
import { displayPath, isInside, kindOf } from '../files/folders.ts';
import { isHidden, isPassedOver, saysItIsOurs } from '../files/hidden-files.ts';
import { isPolicyName } from '../files/list-policy-files.ts';
import type { PolicyPlace, Reader } from '../files/place.ts';
import type { PolicyText } from '../files/policy-text.ts';
import { dataState, type FileText, readDataFile } from '../files/read-file.ts';
import type { Named } from '../parse/file-draft.ts';
import {
  LOCK_HINT,
  LOCK_NAME,
  type Lock,
  lockPath,
  lockText,
  parseLock,
  type UnusableLock,
  unusableLock,
} from '../sources/lock.ts';
import { fileInSource, isSourceName, parseSourceName, type SourceName } from '../sources/source-name.ts';
import type { StoredSource } from '../sources/source-store.ts';
import type { TextSource } from '../sources/text-source.ts';
import type { FoundExtended } from './found-extended.ts';
import type { DataFile } from './program-text.ts';

/** Wildcards of a glob. */
export const WILD = /[*?[{]/;

export interface SourceUse {
  readonly name: SourceName;
  /** The lock in which it is, or belongs. */
  readonly lock: string;
  /** Its files, if it can be used. */
  readonly stored: StoredSource | undefined;
}

export interface ReadLock {
  readonly file: DataFile;
  /** Undefined if there is none. */
  readonly content: Lock | UnusableLock | undefined;
}

/** The state of the set that a search for sources needs. */
export interface SourceReader extends Reader {
  readonly uses: SourceUse[];
  /** By path. */
  readonly locks: Map<string, ReadLock>;
  /** The verified files, by digest. */
  readonly opened: Map<string, StoredSource | 'missing' | 'altered'>;
}

/** The policy files that an entry of `extends` names in a source, or in that of the file itself. */
export function findInSource(entry: Named, by: PolicyText, reader: SourceReader): FoundExtended {
  if (by.source !== undefined) return findFromInside(entry.text, by, by.source);
  const name = parseSourceName(entry.text);
  if ('cause' in name) return name;
  const lock = lockPath(by.path);
  const found = findLocked(name, lock, by, reader);
  const stored = 'folder' in found ? found : undefined;
  reader.uses.push({ name, lock, stored });
  return 'folder' in found ? textsIn({ name, stored: found }, name.path, by) : found;
}

/** Why a source cannot be used, and what to do. */
interface Unusable {
  readonly code: 'source';
  readonly cause: string;
  readonly hint: string;
}

function findLocked(
  { source }: SourceName,
  at: string,
  by: PolicyText,
  reader: SourceReader,
): StoredSource | Unusable {
  const { content } = child(reader.locks, at, () => readLock(at, by.root, reader.place));
  if (content === undefined) return unusable(`there is no ${LOCK_NAME} beside the policies`, LOCK_HINT);
  if ('cause' in content) {
    const lock = displayPath(at, reader.place.cwd);
    return unusable(`"${lock}" cannot be used: ${content.cause}`, content.hint);
  }
  const locked = content.get(source);
  if (locked === undefined) return unusable(`it is not in ${LOCK_NAME}`, LOCK_HINT);
  const { digest } = locked;
  const stored = child(reader.opened, digest, () => reader.place.sources?.open(digest) ?? 'missing');
  if (stored === 'missing') return unusable('it has not been fetched to this machine', LOCK_HINT);
  return stored === 'altered'
    ? unusable('its files on this machine differ from the locked ones', LOCK_HINT)
    : stored;
}

function unusable(cause: string, hint: string): Unusable {
  return { code: 'source', cause, hint };
}

function findFromInside(entry: string, by: PolicyText, source: TextSource): FoundExtended {
  if (isSourceName(entry))
    return {
      cause: 'a source can extend only its own files; extend the other one where you extend this one',
    };
  const path = posix.join(posix.dirname(nameIn(source.stored, by.path)), entry);
  if (path.startsWith('/') || path.startsWith('..')) return { cause: 'it leads out of the source' };
  return textsIn(source, path === '.' ? '' : path, by);
}

/** The texts that a path, folder or glob names among the files of a source, which are sorted. */
function textsIn(source: TextSource, path: string, { layer, root }: PolicyText): FoundExtended {
  const { name, stored } = source;
  const names = stored.files.has(path) ? [path] : fittingNames(stored, path.replace(/\/$/, ''));
  const policies = names.filter(isPolicyName);
  if (policies.length === 0)
    return { cause: names.length === 0 ? 'there is no such file in it' : 'it has no policy files there' };
  const places = policies.map(
    (each): PolicyText => ({
      path: join(stored.folder, each),
      file: fileInSource(name, each),
      layer,
      root,
      source,
      text: stored.files.get(each) ?? '',
    }),
  );
  return { places };
}

/** @throws RegexError if the path is a glob that does not compile */
function fittingNames({ files }: StoredSource, path: string): readonly string[] {
  const seen = (from: number) =>
    [...files].flatMap(([name, text]) => {
      const parts = name.slice(from).split('/');
      return parts.some(isPassedOver) || (parts.some(isHidden) && !saysItIsOurs(text, name)) ? [] : [name];
    });
  const folder = path === '' ? '' : `${path}/`;
  const inFolder = seen(folder.length).filter((name) => name.startsWith(folder));
  if (inFolder.length > 0) return inFolder;
  const glob = compileGlob(path);
  // What is written in the glob itself is meant.
  const written = path.slice(0, path.search(WILD) + 1).lastIndexOf('/') + 1;
  return seen(written).filter((name) => glob.test(name) === true);
}

function readLock(at: string, root: string | undefined, { sources }: PolicyPlace): ReadLock {
  const instead = sources?.locks?.get(at);
  const read =
    instead === undefined
      ? readDataFile(at, root)
      : ({ ok: true, path: at, text: lockText(instead) } as const);
  const file = { at, root: root ?? null, state: dataState(read) };
  if (instead !== undefined) return { file, content: instead };
  if (read.ok) return { file, content: parseLock(read.text) };
  return { file, content: kindOf(at) === 'missing' ? undefined : unusableLock(read.cause) };
}

export function readDataInSource(at: string, { stored }: TextSource): FileText {
  const text = isInside(at, stored.folder) ? stored.files.get(nameIn(stored, at)) : undefined;
  return text === undefined
    ? { ok: false, cause: 'there is no such file in its source' }
    : { ok: true, path: at, text };
}

function nameIn({ folder }: StoredSource, path: string): string {
  return path.slice(folder.length + 1).replaceAll(sep, '/');
}
