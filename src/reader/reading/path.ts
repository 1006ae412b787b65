import { driveAt, driveStart } from '../../lib/path/drive-path.ts';
import { LIMITS } from './bounds.ts';
import {
  EMPTY_WORD,
  isDetermined,
  joinWords,
  knownText,
  leadingText,
  textWord,
  unknownWord,
  type Word,
  type WordPart,
  wordEquals,
} from './word.ts';

/** The folders that a path is relative to. */
export interface PathBase {
  /** The directory, itself resolved; undefined if it is not known. */
  readonly cwd: Word | undefined;
  /** The home directory, absolute; undefined if it is not known. */
  readonly home: string | undefined;
}

export type PathAnchor = 'root' | 'home' | 'start' | 'unknown';

type Segment = Word;

/** Starts paths at the root of the script's repository, like a variable from outside: judges of paths know that folder. */
export const REPOSITORY_ROOT = 'git rev-parse --show-toplevel';

/**
 * Normalises a path without looking at the disk: relative ones are joined to cwd, `.`, `..`, `//` and a `/` at the end go,
 * a home directory that is known is filled in. Where the directory or the home is on a drive, it is a path of Windows.
 *
 * The result starts with `/`; with `~` if it lies in the home directory and that is not known; with a name or `..` if
 * it is relative to a start directory that is not known (`.` is that directory, `./~` a file with that name); or with
 * an unknown part. A `..` after an unknown part leaves the unknown part: `$X/..` can be anything. An unknown part is
 * taken not to climb: `/tmp/$X` starts with `/tmp/`.
 */
export function resolvePath(written: Word, base: PathBase): Word {
  if (written.length === 0) return EMPTY_WORD;
  const drive = driveAt(base.cwd === undefined ? '' : leadingText(base.cwd), base.home);
  const path = onDrive(written, drive);
  const simple = knownText(path);
  if (simple !== undefined && isNormal(simple)) return path;
  const cwd = base.cwd === undefined ? undefined : knownText(base.cwd);
  // The usual case once more: a plain name in a folder that is known.
  if (simple !== undefined && cwd !== undefined && cwd.length > 1 && isPlain(simple))
    return onDrive(textWord(`${cwd}/${simple}`), drive);
  const full = onDrive(toAbsolute(path, base), drive);
  if (isTooLong(full)) return unknownWord('a long path');
  const lead = leadingText(full);
  const root = lead.startsWith('/') || DRIVE.test(lead);
  const segments: Segment[] = [];
  for (const segment of split(full)) push(segments, segment, root);
  const resolved = withStart(join(segments), full, root);
  const known = knownText(full);
  if (known === undefined) return resolved;
  const text = knownText(resolved) ?? '';
  if (text === simple) return path;
  return root && CLIMBS.test(known) ? [{ type: 'text', text, roundabout: known }] : resolved;
}

/** On Windows, where shells and tools take either slash, and names below `/` may be drives: `c/work`. */
function onDrive(path: Word, drive: string | undefined): Word {
  if (drive === undefined) return path;
  return path.map((part, index) => {
    if (part.type !== 'text') return part;
    const text = index === 0 ? driveStart(part.text, drive) : part.text.replaceAll('\\', '/');
    return text === part.text ? part : { ...part, text };
  });
}

/** A path that was joined again, starting where it did. */
function withStart(joined: Word, full: Word, root: boolean): Word {
  if (root && leadingText(full).startsWith('/')) return joinWords(textWord('/'), joined);
  if (root) return knownText(joined)?.length === 2 ? joinWords(joined, textWord('/')) : joined;
  if (joined.length === 0) return textWord('.');
  const tildeIsName = leadingText(full).startsWith('./~') && leadingText(joined).startsWith('~');
  return tildeIsName ? joinWords(textWord('./'), joined) : joined;
}

/** A `..` after a name. */
const CLIMBS = /(?:^|\/)(?!\.{1,2}\/)[^/]+\/\.\.(?:\/|$)/;

export function pathAnchor(path: Word): PathAnchor {
  const first = path[0];
  if (first?.type === 'unknown') return 'unknown';
  const text = leadingText(path);
  if (text.startsWith('/') || DRIVE.test(text)) return 'root';
  return text === '~' || text.startsWith('~/') ? 'home' : 'start';
}

/** The last segment of a path: the part after the last known `/`. */
export function baseName(path: Word): Word {
  return segmentsOf(path).at(-1) ?? EMPTY_WORD;
}

export function inFolder(folder: Word, name: Word): Word {
  return joinWords(folder, joinWords(textWord('/'), name));
}

/** The folder that a resolved path lies in; undefined if it is a name without one. */
export function parentOf(path: Word): Word | undefined {
  const segments = segmentsOf(path);
  if (segments.length < 2) return undefined;
  const folder = join(segments.slice(0, -1));
  return folder.length === 0 ? textWord('/') : folder;
}

/** A path with the names of a place for its wildcards, as far down as both go; undefined if a name does not fit. */
export function withNames(path: Word, place: readonly string[]): Word | undefined {
  const segments = segmentsOf(path);
  const depth = Math.min(segments.length, place.length);
  for (let index = 0; index < depth; index++)
    if (!mayBeCalled(segments[index] ?? EMPTY_WORD, place[index] ?? '')) return undefined;
  return join([...place.slice(0, depth).map(textWord), ...segments.slice(depth)]);
}

/** The names between the known slashes of a path. */
export function pathSegments(path: Word): readonly Word[] {
  return segmentsOf(path);
}

/** Kept, because a path is held against hundreds of places. */
const SEGMENTS = new WeakMap<Word, readonly Segment[]>();

function segmentsOf(path: Word): readonly Segment[] {
  const known = SEGMENTS.get(path);
  if (known !== undefined) return known;
  const segments = split(path);
  SEGMENTS.set(path, segments);
  return segments;
}

/** True if this is the name, or its wildcards match it. None matches the dot that hides a name. */
export function mayBeCalled(segment: Word, name: string): boolean {
  const known = knownText(segment);
  if (known !== undefined || !isDetermined(segment)) return known === name;
  return name.startsWith('.') === leadingText(segment).startsWith('.') && wordEquals(segment, name) !== false;
}

/** Relative, without anything to normalise. */
function isPlain(path: string): boolean {
  if (/^[./~]|\/$/.test(path) || path.includes('//') || path.includes('/.') || path.length > LIMITS.pathChars)
    return false;
  return !path.includes(':') && !path.includes('\\');
}

function isTooLong(path: Word): boolean {
  let chars = 0;
  for (const part of path) if (part.type === 'text') chars += part.text.length;
  return chars > LIMITS.pathChars || path.length > LIMITS.wordParts;
}

/** Absolute, without anything to normalise: the usual case. */
function isNormal(path: string): boolean {
  if (!path.startsWith('/') || (path.length > 1 && path.endsWith('/'))) return false;
  return !path.includes('//') && !path.includes('/.');
}

/** From the root, or from a drive. */
const ABSOLUTE = /^\/|^[A-Za-z]:[\\/]/;
const DRIVE = /^[A-Za-z]:(?:\/|$)/;

function toAbsolute(path: Word, base: PathBase): Word {
  const first = path[0];
  if (first?.type === 'unknown' && first.variable === 'HOME') {
    const home = base.home ?? '~';
    const rest = path.slice(1);
    const next = leadingText(rest);
    if (rest.length === 0 || next.startsWith('/')) return joinWords(textWord(home), rest);
    return path;
  }
  const lead = leadingText(path);
  if (first?.type === 'unknown' || lead.startsWith('/')) return path;
  if (ABSOLUTE.test(lead) && !(isOffDrives(base) && leavesDrive(path))) return path;
  const cwd = base.cwd;
  if (cwd !== undefined && !isStart(cwd))
    return joinWords(knownText(cwd) === '/' ? EMPTY_WORD : cwd, joinWords(textWord('/'), path));
  return leadingText(path).startsWith('~') ? joinWords(textWord('./'), path) : path;
}

function isOffDrives({ cwd = EMPTY_WORD, home = '' }: PathBase): boolean {
  return leadingText(cwd).startsWith('/') && driveAt(undefined, home) === undefined;
}

/** True for `C:/../x`, which is beside a folder named `C:` where there are no drives. */
function leavesDrive(path: Word): boolean {
  let depth = 0;
  return split(path).some((segment) => {
    const name = knownText(segment);
    if (name !== '' && name !== '.') depth += name === '..' ? -1 : 1;
    return depth < 1;
  });
}

function isStart(cwd: Word): boolean {
  return knownText(cwd) === '.' || cwd.length === 0;
}

/** The pieces between slashes; an unknown part stays in the piece it is in. */
function split(path: Word): readonly Segment[] {
  const segments: Segment[] = [];
  let current: WordPart[] = [];
  for (const part of path) {
    if (part.type !== 'text' || !part.text.includes('/')) {
      current.push(part);
      continue;
    }
    const pieces = part.text.split('/');
    pieces.forEach((piece, index) => {
      if (index > 0) {
        segments.push(current);
        current = [];
      }
      if (piece !== '') current.push({ type: 'text', text: piece });
    });
  }
  segments.push(current);
  return segments;
}

function push(segments: Segment[], segment: Segment, root: boolean): void {
  const name = knownText(segment);
  if (name === '' || name === '.') return;
  if (name !== '..') {
    segments.push(segment);
    return;
  }
  const last = segments.at(-1);
  if (last === undefined) {
    if (!root) segments.push(segment);
    return;
  }
  const lastName = knownText(last);
  if (root && segments.length === 1 && DRIVE.test(lastName ?? '')) return;
  if (lastName === '..' || (lastName === '~' && segments.length === 1)) segments.push(segment);
  else if (last.every((part) => part.type !== 'unknown')) segments.pop();
  else segments[segments.length - 1] = last.flatMap(outsideOf).slice(0, 1);
}

/** The folder around an unknown part, which is no longer below the variable that the part came from. */
function outsideOf(part: WordPart): readonly WordPart[] {
  return part.type === 'unknown' ? [{ ...part, source: `${part.source}/..`, variable: undefined }] : [];
}

function join(segments: readonly Segment[]): Word {
  const parts: WordPart[] = [];
  let text = '';
  segments.forEach((segment, index) => {
    if (index > 0) text += '/';
    for (const part of segment) {
      if (part.type === 'text') {
        text += part.text;
        continue;
      }
      if (text !== '') parts.push({ type: 'text', text });
      text = '';
      parts.push(part);
    }
  });
  if (text !== '') parts.push({ type: 'text', text });
  return parts;
}
