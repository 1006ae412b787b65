import { takeChars } from '../../reading/bounds.ts';
import { baseName, inFolder } from '../../reading/path.ts';
import type { Span } from '../../reading/reading.ts';
import { readRemotePath } from '../../reading/url.ts';
import { knownText, type Word } from '../../reading/word.ts';
import type { Call } from '../../shell/scope/interpreter.ts';
import { filesOf } from '../../shell/scope/scope.ts';

/** How a program puts files somewhere. */
export interface FilePlacement {
  /** The files and folders that it takes, as they are named. */
  readonly sources: readonly Word[];
  /** `name`: the target replaces the file that is there; `folder`: things are put into it; `either` of the two. */
  readonly target: 'name' | 'folder' | 'either';
  /** True if folders are taken with all that is in them. */
  readonly recursive: boolean;
  /** True if it does not show where below the target things are put. */
  readonly spreads: boolean;
  readonly span: Span;
}

/** Of more things that are put into a folder the names are not looked at. */
const MAX_NAMES = 64;

/** Adds the files that a program such as cp writes: its target, or its sources' names there; else everything below. */
export function addPuts(call: Call, target: Word, putting: FilePlacement): void {
  const { sources, recursive, spreads, span } = putting;
  if (target.length === 0) return;
  const write = (path: Word, all: boolean, name?: Word) =>
    call.interpreter.path(call.command, 'write', path, { recursive: all, name, span });
  if (sources.length === 0 || sources.length > MAX_NAMES || putting.target === 'name') {
    write(target, recursive || sources.length > MAX_NAMES);
    return;
  }
  const isFolder = sources.length > 1 || putting.target === 'folder' || isFolderHere(target, call);
  for (const source of sources) {
    if (spreads || isContents(source)) {
      write(target, true);
      continue;
    }
    const inside = inFolder(target, nameOf(source));
    if (!isFolder) write(target, recursive, nameOf(source));
    if (isFolder || isMade(target, call)) write(inside, recursive);
  }
}

/** True if the script has made this, so that it is a folder by then, even if the disk has none now. */
function isMade(target: Word, call: Call): boolean {
  const path = knownText(call.interpreter.resolve(target, call.command));
  const { writers } = filesOf(call.frame.scope);
  if (path === undefined || !takeChars(call.interpreter.budget, writers.size)) return false;
  for (const written of writers.keys()) if (written === path || written.startsWith(`${path}/`)) return true;
  return false;
}

function nameOf(source: Word): Word {
  return baseName(readRemotePath(source)?.path ?? source);
}

/** `a/`, `a/.`, `.`: the contents of a folder, whatever their names are. */
function isContents(word: Word): boolean {
  const last = word.at(-1);
  return last?.type === 'text' && /(?:^|\/)\.{0,2}$/.test(last.text);
}

/** Nobody doubts that this is a folder: it is written as one, or it is the home directory, or the command runs in it. */
export function isFolderHere(target: Word, call: Call): boolean {
  if (isContents(target)) return true;
  const path = knownText(call.interpreter.resolve(target, call.command));
  if (path === undefined) return false;
  const cwd = knownText(call.command.cwd) ?? '';
  return ['/', '~', call.interpreter.context.home, cwd].includes(path) || cwd.startsWith(`${path}/`);
}
