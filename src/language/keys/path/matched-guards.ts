import { isRooted } from '../../../lib/path/drive-path.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import { globPieces } from '../../../reader/reading/glob-pieces.ts';
import { inFolder, mayBeCalled, pathSegments } from '../../../reader/reading/path.ts';
import {
  FOUND_FILES,
  isDetermined,
  joinWords,
  knownText,
  leadingText,
  textWord,
  type Word,
  wordEquals,
} from '../../../reader/reading/word.ts';
import type { UsedPath } from '../call/used-path.ts';

/** The key that signs grants: of all files that guard the agent, only this may not even be read. Nobody looks whether it is there. */
const KEY = '.local/state/policy/allow/key';

/** Guards of the agent that the wildcards of a change, or find, may reach, each as a path. Empty if the guards are unknown. */
export function matchedGuards(used: UsedPath, { guardedBelow, home }: Surroundings): readonly UsedPath[] {
  const { use, path, name, only } = used;
  const changes = use === 'write' || use === 'empty' || use === 'delete';
  const key = use === 'read' && home !== undefined ? `${home}/${KEY}` : undefined;
  const below = (start: string, depth: number) =>
    changes
      ? (guardedBelow?.(start || '/', depth) ?? [])
      : key?.startsWith(`${start}/`) === true
        ? [key]
        : [];
  if (!changes && key === undefined) return [];
  if (only === undefined && knownText(path) !== undefined) return [];
  const pattern = patternOf(used);
  const start = leadingText(pattern).replace(/\/[^/]*$/, '');
  if (!isRooted(leadingText(path))) return [];
  const segments = pathSegments(pattern).slice(start.split('/').length);
  if (segments.length === 0 || segments.every(isSomewhere)) return [];
  if (!segments.every((segment) => isSomewhere(segment) || isDetermined(segment))) return [];
  if (isSomewhere(segments.at(-1))) return [];
  // Putting something into a folder leaves the files that lie there.
  const takesAll = used.recursive && only === undefined && (use !== 'write' || name === undefined);
  const isDeep =
    takesAll || name !== undefined || segments.some((each) => isSomewhere(each) || isEverything(each));
  // `find -path '*.policy*'`: its last wildcard stands for names below a folder as well.
  const isOpen = only !== undefined && knownText(only)?.endsWith('*') === true;
  const taken: Word[] = [];
  for (const file of below(start, isDeep ? Number.POSITIVE_INFINITY : segments.length)) {
    const names = file.slice(start.length + 1).split('/');
    const ends = endsOf(segments, names);
    if (ends.has(names.length) || ((takesAll || isOpen) && ends.size > 0)) taken.push(textWord(file));
    if (name === undefined) continue;
    for (const end of ends) taken.push(inFolder(textWord([start, ...names.slice(0, end)].join('/')), name));
  }
  return taken.map((each) => ({
    ...used,
    path: each,
    name: undefined,
    only: undefined,
    recursive: false,
    bars: false,
  }));
}

/** The path with its wildcards; where a test of find chooses, with the names that pass it, at any depth. */
function patternOf({ path, only }: UsedPath): Word {
  const written = only && knownText(only);
  if (only === undefined || written === undefined) return only === undefined ? path : joinWords(path, only);
  return inFolder(
    inFolder(path, SOMEWHERE_BELOW),
    globPieces(written, { escapes: true, stopsAtSlash: true }),
  );
}

const SOMEWHERE_BELOW: Word = [
  { type: 'unknown', source: FOUND_FILES, variable: undefined, splits: false, origins: [] },
];

function isSomewhere(segment: Word | undefined): boolean {
  const [part, ...others] = segment ?? [];
  return part?.type === 'unknown' && part.source === FOUND_FILES && others.length === 0;
}

function isEverything(segment: Word): boolean {
  const [part, ...others] = segment;
  return part?.type === 'glob' && part.pattern === '**' && others.length === 0;
}

/** How many of the names a pattern can match, from the first on. */
function endsOf(segments: readonly Word[], names: readonly string[]): ReadonlySet<number> {
  let ends = new Set([0]);
  let isFound = false;
  for (const segment of segments) {
    const next = new Set<number>();
    isFound ||= isSomewhere(segment);
    for (const end of ends) {
      if (!isSomewhere(segment) && !isEverything(segment)) {
        const name = names[end];
        // find's own wildcards match the dot that hides a name, a shell's do not.
        const fits = (each: string) =>
          isFound ? wordEquals(segment, each) !== false : mayBeCalled(segment, each);
        if (name !== undefined && fits(name)) next.add(end + 1);
        continue;
      }
      for (let at = end; at <= names.length; at++) {
        next.add(at);
        if (isEverything(segment) && names[at]?.startsWith('.') === true) break;
      }
    }
    ends = next;
  }
  return ends;
}
