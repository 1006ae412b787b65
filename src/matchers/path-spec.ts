import { compileGlob, globProblem } from '../lib/glob.ts';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import type { Surroundings } from '../model/surroundings.ts';
import { and, not, or, type Truth } from '../model/truth.ts';
import { compileWordGlob, type WordGlob, wordMatchesGlob } from '../reading/glob-word.ts';
import { pathAnchor } from '../reading/path.ts';
import { isPathSetName, PATH_SET_NAMES, PATH_SETS } from '../reading/path-sets.ts';
import {
  isDetermined,
  joinWords,
  knownText,
  leadingText,
  showWord,
  textWord,
  type Word,
  wordStartsWith,
} from '../reading/word.ts';
import type { SpecProblem } from './matcher.ts';
import { prefixed } from './spec-path.ts';

/** A path as a call uses it. */
export interface UsedPath {
  /** Normalised: absolute, or starting with `~`, a relative name or an unknown part. */
  readonly path: Word;
  /** True if everything below it is meant too. */
  readonly recursive: boolean;
  /** Of what is below, only names that fit this. */
  readonly only: Word | undefined;
}

/** Judges one path of a call. */
export type PathTest = (used: UsedPath, surroundings: Surroundings) => Truth;

const glob = { type: 'string', minLength: 1 } as const;
const globs = { anyOf: [glob, { type: 'array', minItems: 1, items: glob }] } as const;
const setName = { type: 'string', enum: PATH_SET_NAMES } as const;

/** The keys of a path test, for schemas that add their own. */
export const PATH_TEST_KEYS: JsonObject = {
  match: { ...globs, description:
      'Globs; ~ is the home directory, . the folder that the agent works in; a name without / fits at any depth' },
  set: {
    anyOf: [setName, { type: 'array', minItems: 1, items: setName }],
    description: 'Named sets of paths',
  },
  outside: { const: 'workspace', description: 'The path lies outside the folder that the agent works in' },
  recursive: { type: 'boolean', description: 'Whether everything below the path is meant too' },
  unknown: {
    const: true,
    description: 'It cannot be told whether the other keys hold: part of the path comes from outside',
  },
  except: { ...globs, description: 'Globs of paths that do not count' },
};

/** JSON Schema of a path test: a glob, a list of globs, or an object of tests that must all hold. */
export const PATH_TEST_SCHEMA: JsonObject = {
  anyOf: [
    ...globs.anyOf,
    { type: 'object', minProperties: 1, additionalProperties: false, properties: PATH_TEST_KEYS },
  ],
};

/** The problems in a path test that its schema cannot express. */
export function pathTestProblems(spec: Json): readonly SpecProblem[] {
  if (!isJsonObject(spec)) return globProblems(spec);
  return ['match', 'except'].flatMap((key) => prefixed(key, globProblems(spec[key] ?? null)));
}

function globProblems(spec: Json): readonly SpecProblem[] {
  if (Array.isArray(spec)) return spec.flatMap((each, index) => prefixed(index, globProblems(each)));
  const problem = typeof spec === 'string' ? globProblem(spec) : undefined;
  return problem === undefined
    ? []
    : [{ code: 'glob', path: [], message: `Cannot compile glob "${spec}": ${problem}` }];
}

/** Compiles a path test. The path as written and where its links lead both count. */
export function compilePathTest(spec: Json): PathTest {
  const whole = isJsonObject(spec) ? spec : { match: spec };
  const tests: PathTest[] = [];
  const wanted = [...listOf(whole['match']), ...listOf(whole['set']).flatMap(globsOfSet)];
  if (wanted.length > 0) tests.push(inAny(wanted.map(compilePathGlob)));
  if (whole['outside'] !== undefined) tests.push(outsideWorkspace);
  const recursive = whole['recursive'];
  if (recursive !== undefined) tests.push((used) => used.recursive === recursive);
  const excepted = listOf(whole['except']).map(compilePathGlob);
  const asksForUnknown = whole['unknown'] === true;
  return (used, surroundings) => {
    let truth: Truth = false;
    for (const form of formsOf(used, surroundings)) {
      const fits = tests.reduce<Truth>((all, test) => and(all, test(form, surroundings)), true);
      // Something below an excepted folder is excepted; the folder around it is not.
      const excused = excepted.reduce<Truth>(
        (any, test) => or(any, test({ ...form, recursive: false }, surroundings)),
        false,
      );
      truth = or(truth, and(fits, not(excused)));
      if (truth === true) break;
    }
    return asksForUnknown ? truth === 'unknown' : truth;
  };
}

function listOf(spec: Json | undefined): readonly string[] {
  if (typeof spec === 'string') return [spec];
  return Array.isArray(spec) ? spec.filter((each) => typeof each === 'string') : [];
}

function globsOfSet(name: string): readonly string[] {
  return isPathSetName(name) ? PATH_SETS[name] : [];
}

function inAny(tests: readonly PathTest[]): PathTest {
  return (used, surroundings) => {
    let truth: Truth = false;
    for (const test of tests) {
      truth = or(truth, test(used, surroundings));
      if (truth === true) return true;
    }
    return truth;
  };
}

/** The path as written and, where that is another, where its links lead. */
function formsOf(used: UsedPath, { realPath }: Surroundings): readonly UsedPath[] {
  const text = knownText(used.path);
  if (text === undefined || !text.startsWith('/')) return [used];
  const real = realPath(text);
  return real === text ? [used] : [used, { ...used, path: textWord(real) }];
}

/** A glob with the places it can be relative to filled in for one call's surroundings. */
function compilePathGlob(pattern: string): PathTest {
  const compiled = new Map<string, { readonly glob: WordGlob; readonly root: string }>();
  return (used, surroundings) => {
    const absolute = anchored(pattern, surroundings);
    let entry = compiled.get(absolute);
    if (entry === undefined) {
      const text = compileGlob(absolute);
      entry = { glob: compileWordGlob(absolute, (path) => text.test(path)), root: rootOf(absolute) };
      compiled.set(absolute, entry);
    }
    const direct = or(wordMatchesGlob(used.path, entry.glob), closestName(used, entry.glob));
    return direct === true || !used.recursive ? direct : or(direct, liesBelow(entry.root, used));
  };
}

function anchored(pattern: string, { home, workspace }: Surroundings): string {
  if (pattern === '~' || pattern.startsWith('~/'))
    return home === undefined ? pattern : home + pattern.slice(1);
  if (pattern === '.') return workspace ?? '.';
  if (pattern.startsWith('./')) return workspace === undefined ? pattern.slice(2) : workspace + pattern.slice(1);
  if (!pattern.includes('/')) return `**/${pattern}`;
  if (pattern.startsWith('/') || pattern.startsWith('**')) return pattern;
  return workspace === undefined ? pattern : `${workspace}/${pattern}`;
}

/**
 * Wildcards in a command stand for what is there, which is not looked at. They are taken to mean the name that they are
 * closest to: `.env*` is `.env`, `*.pem` is any such file, but `*.json` is not one particular file. The same holds for
 * the names that a search is limited to.
 */
function closestName({ path, only }: UsedPath, glob: WordGlob): Truth {
  const word = only === undefined ? path : joinWords(joinWords(path, textWord('/')), only);
  if (!isDetermined(word) || (only === undefined && knownText(word) !== undefined)) return false;
  const without = word.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return or(glob.test(showWord(word)), glob.test(without));
}

/** The folder above every path that a glob can match; empty if there is none but the root. */
function rootOf(absolute: string): string {
  const wild = absolute.search(/[*?[{(!+@]/);
  if (wild < 0) return absolute;
  return absolute.slice(0, Math.max(absolute.lastIndexOf('/', wild), 0));
}

/** What is done to a folder is done to what lies in it, if the glob names a place there. */
function liesBelow(root: string, { path, only }: UsedPath): Truth {
  if (root === '' || only !== undefined) return false;
  const text = knownText(path);
  if (text === undefined) return pathAnchor(path) === 'unknown' ? 'unknown' : false;
  return text === '/' || root.startsWith(`${text}/`) || root === text;
}

function outsideWorkspace({ path }: UsedPath, { workspace }: Surroundings): Truth {
  switch (pathAnchor(path)) {
    case 'unknown':
    case 'home':
      return 'unknown';
    case 'start':
      // Where the directory is not known, it is the agent's own: what does not climb out of it stays inside.
      return leadingText(path).startsWith('..');
    case 'root':
      if (workspace === undefined) return 'unknown';
      return knownText(path) === workspace ? false : not(wordStartsWith(path, `${workspace}/`));
  }
}
