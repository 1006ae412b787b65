import { isRooted } from '../../../lib/path/drive-path.ts';
import { withoutBraces } from '../../../reader/reading/glob-steps.ts';
import { withNames } from '../../../reader/reading/path.ts';
import type { Word } from '../../../reader/reading/word.ts';
import { type Anchored, type ChangedPlaces, newAnchored, type Places } from './anchored-glob.ts';

const WILD = /[*?[{\\]/;

export function placesOf(glob: Anchored): Places {
  if (glob.places !== undefined) return glob.places;
  const alternatives = withoutBraces(glob.source);
  const roots = new Set<string>();
  const known = new Set<string>();
  const named = new Set<string>();
  for (const alternative of alternatives) {
    const wild = alternative.search(WILD);
    const root =
      wild < 0 ? alternative : alternative.slice(0, Math.max(0, alternative.lastIndexOf('/', wild)));
    const fromVariable = alternative.startsWith('$');
    if (root !== '' && !fromVariable) roots.add(root);
    if (root.startsWith('/')) known.add('/');
    else if (isRooted(root)) known.add(root.slice(0, 3));
    for (let end = alternative.lastIndexOf('/'); end > 0; end = alternative.lastIndexOf('/', end - 1)) {
      if (end <= root.length && !fromVariable) known.add(alternative.slice(0, end));
      else if (namesFolder(alternative, end)) named.add(alternative.slice(0, end));
    }
  }
  let changed: ChangedPlaces | undefined;
  glob.places = {
    roots: [...roots].map((root) => root.split('/')),
    known,
    named: [...named].map(newAnchored),
    changed: () => {
      changed ??= changedIn(alternatives);
      return changed;
    },
  };
  return glob.places;
}

/** True if a glob says up to here which folder is meant. Stars alone do not. */
function namesFolder(glob: string, end: number): boolean {
  const last = glob.slice(glob.lastIndexOf('/', end - 1) + 1, end);
  return !last.includes('**') && /[^*?/]/.test(glob.slice(0, end));
}

function changedIn(alternatives: readonly string[]): ChangedPlaces {
  const names: { folder: Anchored; name: string }[] = [];
  const wholes: Anchored[] = [];
  for (const alternative of alternatives) {
    const end = alternative.lastIndexOf('/');
    if (end < 0) continue;
    const name = alternative.slice(end + 1);
    const folder = alternative.slice(0, end);
    if (name === '**') wholes.push(newAnchored(folder));
    else if (namesFolder(alternative, end) && !WILD.test(name))
      names.push({ folder: newAnchored(folder), name });
  }
  return { names, wholes };
}

/** A path with the names of folders that are there instead of wildcards that take them in. */
export function resolveWildcards(path: Word, { roots }: Places): readonly Word[] {
  return roots.map((root) => withNames(path, root)).filter((each) => each !== undefined);
}
