import { existsSync } from 'node:fs';
import { type Guards, globsOf, guardedGlobs } from '../../hosts/guards.ts';
import type { Machine } from '../../hosts/installation.ts';

/** An agent's folder may hold much more than its configuration. */
const MAX_FILES = 10_000;

/** The files that are there of those that guards name: in the home, in the project, and where variables put them. */
export function guardedFiles(guards: Guards, machine: Machine): readonly string[] {
  const places = (globs: readonly string[]) =>
    // The scanner knows no alternatives with a slash in them.
    globs.flatMap((glob) => Bun.$.braces(glob)).flatMap((glob) => placeOf(glob, machine) ?? []);
  const notes = places(globsOf(guards, 'notes')).map((glob) => new Bun.Glob(glob));
  const found = new Set<string>();
  for (const place of places(guardedGlobs(guards))) {
    for (const path of filesAt(place)) {
      if (found.size === MAX_FILES) break;
      if (!notes.some((note) => note.match(path))) found.add(path);
    }
  }
  return [...found];
}

/** Where a glob is on this machine; undefined if its variable is not set. */
function placeOf(glob: string, { env, home, project }: Machine): string | undefined {
  if (glob.startsWith('~/')) return home + glob.slice(1);
  if (glob.startsWith('**/')) return project + glob.slice(2);
  const [, name] = /^\$(\w+)/.exec(glob) ?? [];
  if (name === undefined) return glob;
  const value = env[name] ?? '';
  return value.startsWith('/') ? value + glob.slice(name.length + 1) : undefined;
}

function* filesAt(place: string): Iterable<string> {
  const [fixed = ''] = /^[^*?[]*(?=\/|$)/.exec(place) ?? [];
  if (fixed === place) {
    if (existsSync(place)) yield place;
    return;
  }
  if (!existsSync(fixed)) return;
  yield* new Bun.Glob(place.slice(fixed.length + 1)).scanSync({ cwd: fixed, dot: true, absolute: true });
}
