import { posix } from 'node:path';
import { type JsonObject, own } from '../../../lib/json.ts';
import { parsePath } from '../../../lib/json-path.ts';
import { fromDrive, isRooted } from '../../../lib/path/drive-path.ts';
import { foldPath } from '../../../lib/path/fold-path.ts';
import type { Facts } from '../../../model/facts.ts';
import type { FactValue } from '../../../model/policy.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText, showWord, type Word } from '../../../reader/reading/word.ts';
import { argumentValues, textsOf } from '../arguments/values.ts';
import { oncePerEvent } from '../call/once-per-event.ts';
import { callPaths } from '../call/paths.ts';
import { shellReadings } from '../call/shell-reading.ts';
import { commandsOf } from '../call/some-commands.ts';
import { callUrls } from '../call/urls.ts';
import { usedPathTest } from '../path/match.ts';
import type { PathTest } from '../path/spec.ts';

/** More of them than any call has that a person would compare. */
const MAX_VALUES = 256;

/**
 * The values of a call that it is compared or counted by, each once; undefined if they are not all known. Outside of a
 * repository `repository` is an empty text.
 *
 * @param when the keys of the fact that the call meets: of its paths those count that fit `path`
 */
export function factValues(
  facts: Facts,
  value: FactValue,
  when: JsonObject = {},
): readonly string[] | undefined {
  const values = valuesOf(facts, value, pathTestOf(when));
  if (values === undefined || values.length > MAX_VALUES) return undefined;
  return [...new Set(values)];
}

const ANY_PATH: PathTest = () => true;

/** Compiled once for each fact: it is asked about every call. */
const pathTests = new WeakMap<JsonObject, PathTest>();

function pathTestOf(when: JsonObject): PathTest {
  const spec = own(when, 'path');
  const test = pathTests.get(when) ?? (spec === undefined ? ANY_PATH : usedPathTest(spec));
  pathTests.set(when, test);
  return test;
}

function valuesOf(facts: Facts, value: FactValue, test: PathTest): readonly string[] | undefined {
  const { event, surroundings } = facts;
  switch (value) {
    case 'path': {
      const { paths, complete } = callPaths(facts);
      const fitting = paths.map((used) => ({ used, fits: test(used, surroundings) }));
      if (!complete || fitting.some(({ fits }) => fits === 'unknown')) return undefined;
      const known = allKnown(fitting.flatMap(({ used, fits }) => (fits ? [used.path] : [])));
      return known?.map((path) => (path.startsWith('/') ? surroundings.realPath(path) : path));
    }
    case 'url.host': {
      const { urls, complete } = callUrls(facts);
      return complete ? allKnown(urls.map(({ host }) => host))?.map((host) => host.toLowerCase()) : undefined;
    }
    case 'agent':
      return [String(event.context.agent ?? '')];
    case 'repository':
      return test === ANY_PATH ? repositoryOf(facts) : repositoriesOfPaths(facts, test);
    case 'folder':
      return foldersOfWork(facts, test !== ANY_PATH);
    case 'folders':
      return foldersAround(facts, test);
    default: {
      const call = event.tool;
      if (call === undefined) return [];
      if (call.arguments === undefined) return undefined;
      return argumentValues(call, parsePath(value.replace(/^arguments\./, ''))).flatMap(textsOf);
    }
  }
}

/** The repository in which all of a call happens: its commands where they run, its files where they lie; undefined if there are several. */
const repositoryOf = oncePerEvent((facts: Facts): readonly string[] | undefined => {
  const { surroundings } = facts;
  const commands = commandsOf(facts)?.filter(({ wrapper, name }) => !wrapper && name !== 'cd');
  const words = commands?.map(({ cwd }) => cwd) ?? callPaths(facts).paths.map(({ path }) => path);
  const folders = words.map(knownText);
  if (folders.includes(undefined)) return undefined;
  const absolute = folders.flatMap((folder) => (folder?.startsWith('/') ? [folder] : []));
  const places = commands === undefined ? absolute.map((path) => posix.dirname(path)) : absolute;
  const found = (places.length === 0 ? [undefined] : [...new Set(places)]).map((place) =>
    surroundings.repository?.(place),
  );
  const roots = new Set(found.map((each) => (each === undefined ? undefined : (each?.root ?? ''))));
  const [root, ...others] = roots;
  return root === undefined || others.length > 0 ? undefined : [root];
});

/** The repositories of the files that a call uses, wherever it runs; undefined if they are not all known. */
function repositoriesOfPaths(facts: Facts, test: PathTest): readonly string[] | undefined {
  const { surroundings } = facts;
  const { paths, complete } = callPaths(facts);
  const isShell = commandsOf(facts) !== undefined;
  const fitting = paths.flatMap((used) => {
    const fits = test(used, surroundings);
    return fits === false ? [] : [{ fits, path: used.path }];
  });
  const roots = new Set<string | undefined>(complete && fitting.length > 0 ? [] : [undefined]);
  for (const { path } of fitting) {
    const whole = knownText(path);
    const start = path[0]?.type === 'text' ? path[0].text : '';
    // A tool that is no shell takes a path from the folder that the agent is in.
    const isOwn = whole !== undefined && !isShell && !isRooted(start);
    const places = !isOwn && whole !== undefined ? [whole, surroundings.realPath(whole)] : [start];
    for (const place of new Set(places.map((each) => each.slice(0, each.lastIndexOf('/')) || '/'))) {
      const found = isOwn
        ? surroundings.repository?.()
        : isRooted(start)
          ? surroundings.repository?.(surroundings.realPath(place))
          : undefined;
      // A folder below may be a repository of its own.
      const mayEnter = whole === undefined && /\/|\*\*/.test(showWord(path.slice(1)));
      roots.add(found === null && !mayEnter ? '' : found?.root);
    }
  }
  const known = [...roots].flatMap((root) => root ?? []);
  const isSure = known.length < 2 || fitting.every(({ fits }) => fits === true);
  return known.length === roots.size && isSure ? known : undefined;
}

/** Folders in which these programs are started for the folder that they are in: those of build results and of tests. */
const PARTS_OF_PROJECT: readonly (readonly [program: RegExp, folder: RegExp])[] = [
  [/^(?:ctest|g?make|ninja|meson)$/, /\/(?:_?build|builddir|cmake-build-[^/]*|out|target)(?:\/.*)?$/is],
  [/^(?:pytest|unittest|bats|rspec)$/, /\/(?:tests?|specs?|__tests__)(?:\/.*)?$/is],
];

/** The task of one project of Gradle, which lies in the folder of its name: `:app:test`. */
const PROJECT_TASK = /^(?:clean )?:?((?:[\w-]+:)*[\w-]+):(?:test\w*|check|build)$/;

function folderOf({ cwd, name = '', operands }: ReadCommand): string | undefined {
  const folder = knownText(cwd);
  const [, project] = PROJECT_TASK.exec(operands.map((word) => knownText(word) ?? '?').join(' ')) ?? [];
  if (folder === undefined || project === undefined || !/^gradlew?$/.test(name)) return folder;
  return `${folder}/${project.replaceAll(':', '/')}`;
}

/**
 * The folders in which commands do their work; that of the agent for another tool. Undefined if they are not known.
 *
 * @param isLook a look at a file is about that file, wherever it is taken
 */
function foldersOfWork(facts: Facts, isLook: boolean): readonly string[] | undefined {
  const { surroundings } = facts;
  const readings = (isLook ? undefined : shellReadings(facts))?.map(({ commands }) => {
    const all = commands.filter(({ name }) => name !== 'cd' && name !== '');
    const inner = all.filter(({ wrapper }) => !wrapper);
    return (inner.length === 0 ? all : inner).map((command) => ({
      folder: folderOf(command),
      name: command.name,
    }));
  });
  const [places = [], ...others] = readings ?? [[{ folder: rootAt(undefined, surroundings), name: '' }]];
  const rooted = places.flatMap(({ folder, name = '' }) =>
    folder !== undefined && isRooted(folder) ? [{ folder, name }] : [],
  );
  // The same call may run in one of several folders.
  const isOne = others.every(
    (other) => other.map(({ folder }) => folder).join() === places.map(({ folder }) => folder).join(),
  );
  if (rooted.length < places.length || !isOne) return undefined;
  return rooted.map(({ folder, name }) => {
    const real = asVolumeReads(surroundings.realPath(folder), surroundings);
    const root = rootAt(folder, surroundings) ?? '/';
    const part = PARTS_OF_PROJECT.find(([program]) => program.test(name))?.[1];
    if (part === undefined || !real.startsWith(`${root}/`)) return real;
    return root + real.slice(root.length).replace(part, '');
  });
}

/** The folders of a repository that hold all paths of a call; undefined if it has none there. */
function foldersAround(facts: Facts, test: PathTest): readonly string[] | undefined {
  const { surroundings } = facts;
  const { paths, complete } = callPaths(facts);
  const places = paths
    .filter((used) => test(used, surroundings) !== false)
    .map(({ path: [first] }) => {
      const start = first?.type === 'text' && isRooted(first.text) ? first.text : undefined;
      const folder = start === undefined ? undefined : start.slice(0, start.lastIndexOf('/')) || '/';
      return folder === undefined ? undefined : asVolumeReads(surroundings.realPath(folder), surroundings);
    });
  const known = places.flatMap((place) => place ?? []);
  const root = rootAt(known[0], surroundings);
  if (root === undefined) return undefined;
  const inside = known.filter((place) => place === root || place.startsWith(`${root}/`));
  if (complete && known.length === places.length && known.length > 0 && inside.length === 0) return undefined;
  const isAll = !complete || known.length < places.length || known.length === 0;
  const [one = root, ...others] = isAll ? [root] : inside;
  const found: string[] = [];
  for (let folder = one; folder.startsWith(root); folder = posix.dirname(folder)) {
    const holds = others.every((other) => other === folder || other.startsWith(`${folder}/`));
    if (holds) found.push(folder);
    if (folder === root) break;
  }
  return found;
}

/** The root of the repository at a folder, or else the folder in which the agent was started. */
function rootAt(folder: string | undefined, surroundings: Surroundings): string | undefined {
  const root = surroundings.repository?.(folder)?.root ?? surroundings.workspace;
  return root === undefined ? undefined : asVolumeReads(fromDrive(root) ?? root, surroundings);
}

/** The same text for every spelling of a folder. */
function asVolumeReads(folder: string, { foldsNames }: Surroundings): string {
  return foldsNames?.(folder) === true ? foldPath(folder) : folder;
}

function allKnown(words: readonly Word[]): readonly string[] | undefined {
  const known = words.filter((word) => knownText(word) !== undefined).map(showWord);
  return known.length === words.length ? known : undefined;
}
