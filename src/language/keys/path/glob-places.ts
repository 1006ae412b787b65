import { isRooted } from '../../../lib/path/drive-path.ts';
import { withoutBraces } from '../../../reader/reading/glob-word.ts';
import { withNames } from '../../../reader/reading/path.ts';
import type { Word } from '../../../reader/reading/word.ts';
import { type Anchored, newAnchored, type Places } from './anchored-glob.ts';

const WILD = /[*?[{\\]/;

export function placesOf(glob: Anchored): Places {
  if (glob.places !== undefined) return glob.places;
  const roots = new Set<string>();
  const around = new Set<string>();
  const names: { folder: Anchored; name: string }[] = [];
  const wholes: Anchored[] = [];
  for (const alternative of withoutBraces(glob.source)) {
    const segments = alternative.split('/');
    const wild = segments.findIndex((segment) => WILD.test(segment));
    const root = segments.slice(0, wild < 0 ? segments.length : wild).join('/');
    if (root !== '' && !root.startsWith('$')) roots.add(root);
    if (root.startsWith('/')) around.add('/');
    else if (isRooted(root)) around.add(root.slice(0, 3));
    if (segments.length > 1 && segments.at(-1) === '**')
      wholes.push(newAnchored(segments.slice(0, -1).join('/')));
    for (let count = segments.length - 1; count > 0; count--) {
      const folder = segments.slice(0, count).join('/');
      // Stars alone do not say what is meant.
      if (segments[count - 1]?.includes('**') === true || !/[^*?/]/.test(folder)) continue;
      around.add(folder);
      const name = segments[count] ?? '';
      if (count === segments.length - 1 && !WILD.test(name))
        names.push({ folder: newAnchored(folder), name });
    }
  }
  const isKnown = (folder: string) => !WILD.test(folder) && !folder.startsWith('$');
  glob.places = {
    roots: [...roots].map((root) => root.split('/')),
    known: new Set([...around].filter(isKnown)),
    named: [...around].filter((folder) => !isKnown(folder)).map(newAnchored),
    names,
    wholes,
  };
  return glob.places;
}

/** A path with the names of folders that are there in the place of wildcards that take them in. */
export function settled(path: Word, { roots }: Places): readonly Word[] {
  return roots.map((root) => withNames(path, root)).filter((each) => each !== undefined);
}
