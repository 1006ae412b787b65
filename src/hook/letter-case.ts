import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { checkTime } from '../lib/time-limit.ts';

/** If nothing on the way to a path tells, it is as on volumes that this system makes. */
const FOLDS_BY_DEFAULT = process.platform === 'darwin' || process.platform === 'win32';
/** Nearly every name has a letter. */
const MAX_NAMES = 16;
/** To read the names of a larger folder takes too long. */
const MAX_FOLDER_BYTES = 256 * 1024;
/** No folder has a longer path. */
const MAX_PATH = 4_096;

/**
 * Whether names at a path ignore letter case: the name in the other case leads to the same file, or to none. Writes nothing.
 * Kept by folder.
 */
export function letterCase(): (path: string) => boolean {
  const known = new Map<string, boolean | 'missing' | undefined>();
  const folderFolds = (folder: string, name: string): boolean | 'missing' | undefined => {
    const before = known.get(folder);
    if (before !== undefined || known.has(folder)) return before;
    checkTime();
    const answer = ignoresCaseOf(folder, name) ?? ignoresCaseWithin(folder);
    known.set(folder, answer);
    return answer;
  };
  return (path) => {
    const steps: [folder: string, name: string][] = [];
    for (let at = path.slice(0, MAX_PATH), above = dirname(at); above !== at; at = above, above = dirname(at))
      steps.push([above, basename(at)]);
    let isTold = false;
    // From the root on: below a folder that is missing there is nothing to look at.
    for (const [folder, name] of steps.reverse()) {
      const answer = folderFolds(folder, name);
      if (answer === true) return true;
      if (answer === 'missing') break;
      isTold ||= answer === false;
    }
    return !isTold && FOLDS_BY_DEFAULT;
  };
}

/** True if two paths lead to the same file or folder. Links at their ends are not followed. */
export function isSameFile(path: string, other: string): boolean {
  const one = statOf(path);
  return one !== undefined && areSame(one, statOf(other));
}

/** Undefined if there is no letter in the name, or nothing of this name. */
function ignoresCaseOf(folder: string, name: string): boolean | undefined {
  const swapped = withCaseSwapped(name);
  if (swapped === name) return undefined;
  const there = statOf(inFolder(folder, name));
  return there && areSame(there, statOf(inFolder(folder, swapped)));
}

/** The names in the folder may tell if the name itself does not, as it is not there yet. */
function ignoresCaseWithin(folder: string): boolean | 'missing' | undefined {
  const stats = statOf(folder);
  if (stats === undefined) return 'missing';
  if (stats.size > MAX_FOLDER_BYTES) return undefined;
  try {
    for (const name of readdirSync(folder).slice(0, MAX_NAMES)) {
      const answer = ignoresCaseOf(folder, name);
      if (answer !== undefined) return answer;
    }
  } catch {
    // A file, or a folder that cannot be read, tells nothing.
  }
  return undefined;
}

/** Plain letters only: of all others volumes differ in which are the same. */
function withCaseSwapped(name: string): string {
  let swapped = '';
  for (const char of name) {
    const small = char >= 'A' && char <= 'Z' ? char.toLowerCase() : char;
    swapped += small === char && char >= 'a' && char <= 'z' ? char.toUpperCase() : small;
  }
  return swapped;
}

function inFolder(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`;
}

function areSame(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev;
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
