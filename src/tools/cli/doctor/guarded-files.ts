import { existsSync } from 'node:fs';
import { type Guards, globsOf, guardedGlobs } from '../../../hosts/guards.ts';
import { type HookFinding, type Machine, note, readForeignText } from '../../../hosts/installation.ts';
import { namesField } from '../../../language/keys/path/written-fields.ts';
import { FILES } from '../install/machine.ts';

/** An agent's folder may hold much more than its configuration. */
const MAX_FILES = 10_000;

/** The files that are there of those that guards name: in the home, in the project, and where variables put them. */
export function guardedFiles(guards: Guards, machine: Machine): readonly string[] {
  const notes = placesOf(globsOf(guards, 'notes'), machine).map((glob) => new Bun.Glob(glob));
  return placedFiles(guardedGlobs(guards), machine, (path) => notes.some((note) => note.match(path)));
}

/** The files that are there of those that globs name, but some. */
function placedFiles(
  globs: readonly string[],
  machine: Machine,
  isLeftOut: (path: string) => boolean = () => false,
): readonly string[] {
  const found = new Set<string>();
  for (const place of placesOf(globs, machine)) {
    for (const path of filesAt(place)) {
      if (found.size === MAX_FILES) break;
      if (!isLeftOut(path)) found.add(path);
    }
  }
  return [...found];
}

function placesOf(globs: readonly string[], machine: Machine): readonly string[] {
  // The scanner knows no alternatives with a slash in them.
  return globs.flatMap((glob) => Bun.$.braces(glob)).flatMap((glob) => placeOf(glob, machine) ?? []);
}

/** The place of a glob on this machine; undefined if its variable is not set. */
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

const bringsHooks = namesField(['hooks']);

/** Notes on project files that an agent loads and that bring hooks of their own. */
export function loadedCodeNotes(guards: Guards, machine: Machine): readonly HookFinding[] {
  const globs = globsOf(guards, 'instructions').filter((glob) => glob.startsWith('**/'));
  return placedFiles(globs, machine)
    .filter((path) => bringsHooks(readForeignText(path, FILES), path))
    .map((path) => {
      const message = `${path} brings hooks of its own, which can change a call after this hook has passed it`;
      return note('project-hooks', message, 'look at them before you trust the folder');
    });
}
