import { globProblem } from '../../../lib/glob/glob.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { foldPath } from '../../../lib/path/fold-path.ts';
import { CLOSED, LIST } from '../../../lib/schema-parts.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import { and, not, or, type Truth } from '../../../model/truth.ts';
import { pathAnchor } from '../../../reader/reading/path.ts';
import { leadingText, type Word } from '../../../reader/reading/word.ts';
import type { UsedPath } from '../call/used-path.ts';
import { prefixed } from '../spec-path.ts';
import { PATH_TEXT } from '../types/shapes.ts';
import { formsOf, insideTruth } from './forms.ts';
import { compilePathGlobs } from './globs.ts';
import { isPathSetName, PATH_SET_NAMES, PATH_SETS } from './sets.ts';

export type PathTest = (used: UsedPath, surroundings: Surroundings) => Truth;

export const GLOBS = { anyOf: [PATH_TEXT, { ...LIST, items: PATH_TEXT }] } as const;
const setName = { type: 'string', enum: PATH_SET_NAMES } as const;

const sets = { anyOf: [setName, { ...LIST, items: setName }] } as const;

/** JSON Schema of the paths that a test means, by globs and by named sets: any of them. */
const WHICH: JsonObject = {
  match: {
    ...GLOBS,
    description:
      'Globs; ~ is the home directory, . the folder that the agent works in; a name without / fits at any depth',
  },
  set: { ...sets, description: 'Named sets of paths' },
};

/** JSON Schema of globs, or of globs and named sets. */
export const WHICH_PATHS: JsonObject = {
  anyOf: [...GLOBS.anyOf, { ...CLOSED, minProperties: 1, properties: WHICH }],
};

/** The keys of a path test, for schemas that add their own. */
export const PATH_TEST_KEYS: JsonObject = {
  ...WHICH,
  outside: { const: 'workspace', description: 'The path is outside the folder that the agent works in' },
  recursive: { type: 'boolean', description: 'Whether the operation includes everything below the path' },
  chosen: {
    type: 'boolean',
    description: 'Whether a test picks some of what is below the path, as with find',
  },
  around: {
    const: false,
    description:
      'A parent folder of such a path does not count, even if the operation includes everything below it',
  },
  except: {
    // None, where a parameter says so.
    anyOf: [...(WHICH_PATHS['anyOf'] as readonly JsonObject[]), { type: 'array', maxItems: 0 }],
    description: 'Paths that do not count, as globs or named sets',
  },
  unless: {
    ...WHICH_PATHS,
    description:
      'Paths that do not count if they are visible; a variable that may hold one does not excuse a call',
  },
  unknown: {
    const: true,
    description: 'Whether the other keys hold is unknown, because part of the path comes from outside',
  },
};

/** The schema of a path test by its name in `PATH_TEST_DEFINITION`. */
export const PATH_TEST_SCHEMA: JsonObject = { $ref: '#/$defs/path_test' };

/** JSON Schema of a path test: a glob, a list of globs, or an object of tests that must all hold. */
export const PATH_TEST_DEFINITION: Readonly<Record<string, JsonObject>> = {
  path_test: { anyOf: [...GLOBS.anyOf, { ...CLOSED, minProperties: 1, properties: PATH_TEST_KEYS }] },
};

/** The problems in a path test that its schema cannot express. */
export function pathTestProblems(spec: Json): readonly SpecProblem[] {
  if (!isJsonObject(spec)) return globProblems(spec);
  return [
    ...prefixed('match', globProblems(spec['match'] ?? null)),
    ...prefixed('except', pathTestProblems(spec['except'] ?? null)),
    ...prefixed('unless', pathTestProblems(spec['unless'] ?? null)),
  ];
}

/** A variable whose value is known. */
const FILLED_IN = /^\$\{?(HOME|PWD)\b\}?/;

/** Spellings that no path of a call has, because paths are resolved before they are compared. */
const OTHERWISE = [
  {
    written: /^[a-z][a-z0-9+.-]+:\/\//,
    because: 'a path is not a URL',
    hint: 'write the path alone: /etc/passwd',
  },
  {
    written: /(?:^|\/)\.\.(?:\/|$)/,
    because: '".." is resolved in the paths of calls',
    hint: 'write where it leads: from /, from ~ or from the folder that the agent works in',
  },
  {
    written: /\/\/|.\/\.(?:\/|$)/,
    because: 'paths are compared without "//" and "/./"',
    hint: 'leave it out',
  },
  {
    written: /^\^|\$$/,
    because: 'paths are compared with globs, and this is a regex',
    hint: 'write a glob: * matches any name, ** any folders',
  },
  {
    written: /\\\w/,
    because: 'in a glob, a backslash takes the next character as it is',
    hint: 'write / between names',
  },
] as const;

function globProblems(spec: Json): readonly SpecProblem[] {
  if (Array.isArray(spec)) return spec.flatMap((each, index) => prefixed(index, globProblems(each)));
  if (typeof spec !== 'string') return [];
  const [, place] = FILLED_IN.exec(spec) ?? [];
  if (place !== undefined) {
    const message = `Cannot match path "${spec}": in the paths of calls, $${place} is filled in`;
    const hint = `write ${(place === 'HOME' ? '~' : '.') + spec.replace(FILLED_IN, '')}`;
    return [{ code: 'never-matches', path: [], message, hint }];
  }
  const state = OTHERWISE.find(({ written }) => written.test(spec));
  if (state !== undefined) {
    const message = `Cannot match path "${spec}": ${state.because}`;
    return [{ code: 'never-matches', path: [], message, hint: state.hint }];
  }
  const problem = globProblem(spec);
  return problem === undefined
    ? []
    : [{ code: 'glob', path: [], message: `Cannot compile glob "${spec}": ${problem}` }];
}

/** Compiles a path test. The path as written and where its links lead both count. */
export function compilePathTest(spec: Json): PathTest {
  const whole = isJsonObject(spec) ? spec : { match: spec };
  const tests: PathTest[] = [];
  const wanted = globsIn(whole);
  if (wanted.length > 0)
    tests.push(compilePathGlobs(wanted, whole['around'] === false ? 'paths' : 'paths and folders'));
  if (whole['outside'] !== undefined) tests.push(outsideWorkspace);
  const recursive = whole['recursive'];
  if (recursive !== undefined) tests.push((used) => meansAllBelow(used) === recursive);
  const chosen = whole['chosen'];
  if (chosen !== undefined) tests.push((used) => used.chosen === chosen);
  const excepted = compilePathGlobs(globsIn(whole['except'] ?? []), 'exceptions');
  const excused = compilePathGlobs(globsIn(whole['unless'] ?? []), 'exceptions');
  const asksForUnknown = whole['unknown'] === true;
  return (used, surroundings) => {
    let truth: Truth = false;
    for (const form of formsOf(used, surroundings)) {
      const fits = allOf(tests, form, surroundings);
      if (fits === false || excused(form, surroundings) === true) continue;
      truth = or(truth, and(fits, not(excepted(form, surroundings))));
      if (truth === true) break;
    }
    return asksForUnknown ? truth === 'unknown' : truth;
  };
}

function allOf(tests: readonly PathTest[], form: UsedPath, surroundings: Surroundings): Truth {
  let truth: Truth = true;
  for (const test of tests) {
    truth = and(truth, test(form, surroundings));
    if (truth === false) return false;
  }
  return truth;
}

function meansAllBelow({ recursive, path }: UsedPath): boolean {
  return recursive || path.some((part) => part.type === 'glob' && part.pattern === '**');
}

/** The globs that a path test asks for, those of its named sets among them. */
export function globsIn(spec: Json): readonly string[] {
  if (!isJsonObject(spec)) return listOf(spec);
  return [...listOf(spec['match']), ...listOf(spec['set']).flatMap(globsOfSet)];
}

function listOf(spec: Json | undefined): readonly string[] {
  if (typeof spec === 'string') return [spec];
  return Array.isArray(spec) ? spec.filter((each) => typeof each === 'string') : [];
}

function globsOfSet(name: string): readonly string[] {
  return isPathSetName(name) ? PATH_SETS[name] : [];
}

function outsideWorkspace({ path, folded }: UsedPath, surroundings: Surroundings): Truth {
  const { workspace, realPath } = surroundings;
  switch (pathAnchor(path)) {
    case 'unknown':
    case 'home':
      return 'unknown';
    case 'start':
      // If the directory is unknown, it is the agent's own: a path that does not climb out of it stays inside.
      return leadingText(path).startsWith('..');
    case 'root':
      if (workspace === undefined) return 'unknown';
      return [workspace, realPath(workspace)].reduce<Truth>(
        (truth, folder) => and(truth, not(insideTruth(path, folded ? foldPath(folder) : folder))),
        !isInsideByOtherSpelling(path, workspace, surroundings),
      );
  }
}

/** True if the folder in which a path lies, at the depth of another, is the same by another spelling. */
function isInsideByOtherSpelling(path: Word, folder: string, { isSame }: Surroundings): boolean {
  if (isSame === undefined) return false;
  const text = leadingText(path);
  if (text.startsWith(folder) || !foldPath(text).startsWith(foldPath(folder))) return false;
  const depth = folder.split('/').length;
  const names = text.split('/');
  return names.length >= depth && isSame(names.slice(0, depth).join('/'), folder);
}
