import { asList, isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { NO_SURROUNDINGS } from '../../model/surroundings.ts';
import { withoutBraces } from '../../reader/reading/glob-steps.ts';
import { textWord } from '../../reader/reading/word.ts';
import type { UsedPath } from '../keys/call/used-path.ts';
import { isPathSetName, PATH_SETS } from '../keys/path/sets.ts';
import { compilePathTest } from '../keys/path/spec.ts';
import type { YamlPath } from '../policy/yaml/yaml.ts';
import { firstClash } from './first-clash.ts';
import type { Finding } from './lint-rule.ts';

/** Parts of a test that no path passes which the test itself names. */
export function deadPaths(spec: Json, path: YamlPath): readonly Finding[] {
  if (!isJsonObject(spec)) return [];
  const { uses: _uses, sets: _sets, fields: _fields, ...test } = spec;
  return firstClash(test, path, isMeetable);
}

/** False if no path of these globs passes: tries samples with unusual names for `*`, and several lengths for `**`. */
function isMeetable(test: JsonObject): boolean {
  const wanted = globsIn(test);
  const others = [...globsIn(own(test, 'except') ?? []), ...globsIn(own(test, 'unless') ?? [])];
  // Classes and single characters tell names apart that are one here.
  if (wanted.length === 0 || [...wanted, ...others].some((glob) => /[?[\\$]/.test(glob))) return true;
  // Links lead elsewhere, and a path of which a part is not known may be any.
  if (own(test, 'unknown') === true) return true;
  if (wanted.some((glob) => glob.split('**').length > MAX_STARS + 1)) return true;
  const depth = Math.max(0, ...others.map((glob) => glob.split('/').length)) + 1;
  const passes = compilePathTest(test);
  const used = {
    use: undefined,
    recursive: own(test, 'recursive') === true,
    name: undefined,
    bars: false,
    only: undefined,
    chosen: own(test, 'chosen') === true,
  } satisfies Omit<UsedPath, 'path'>;
  return PLACES.some(({ home, workspace }) => {
    const surroundings = { ...NO_SURROUNDINGS, home, workspace };
    return wanted.some((glob) =>
      samplesOf(glob, depth).some((sample) => {
        const path = textWord(absolute(sample, home, workspace));
        return passes({ ...used, path }, surroundings) !== false;
      }),
    );
  });
}

/** The paths to try are powers of this. */
const MAX_STARS = 2;
/** Nobody writes it into a policy. */
const NAME = 'x9q7z';
/** The folder that the agent works in may lie in the home directory, or elsewhere. */
const PLACES = [
  { home: `/${NAME}1/${NAME}`, workspace: `/${NAME}2/${NAME}` },
  { home: `/${NAME}1/${NAME}`, workspace: `/${NAME}1/${NAME}/${NAME}2` },
];

function globsIn(spec: Json): readonly string[] {
  const { match, set } = isJsonObject(spec) ? spec : { match: spec };
  const inSets = asList(set ?? []).flatMap((name) =>
    isPathSetName(String(name)) ? PATH_SETS[name as keyof typeof PATH_SETS] : [],
  );
  return [...asList(match ?? []).map(String), ...inSets].flatMap(withoutBraces);
}

/** Paths that a glob names, with up to so many names for each `**`. One without a slash fits at any depth. */
function samplesOf(glob: string, depth: number): readonly string[] {
  const rooted = glob.includes('/') || /^[~.]$/.test(glob) ? glob : `**/${glob}`;
  const segments = (rooted.startsWith('**') ? `/${rooted}` : rooted).split('/');
  return segments
    .reduce<readonly (readonly string[])[]>(
      (found, segment) => {
        if (segment !== '**') return found.map((start) => [...start, segment.replace(/\*+/g, NAME)]);
        return found.flatMap((start) =>
          Array.from({ length: depth + 1 }, (_, count) => [...start, ...new Array<string>(count).fill(NAME)]),
        );
      },
      [[]],
    )
    .map((names) => names.join('/') || '/');
}

function absolute(path: string, home: string, workspace: string): string {
  if (path.startsWith('/')) return path;
  if (path === '~' || path.startsWith('~/')) return home + path.slice(1);
  return path === '.' || path === '' ? workspace : `${workspace}/${path.replace(/^\.\//, '')}`;
}
