import type { RE2JS } from 're2js';
import { checkTime } from '../time-limit.ts';
import { testWithinMemory, withinSteps } from './regex-limits.ts';
import { errorIndex, explainRegexError } from './regex-messages.ts';
import { isPlainRegex, parseRegex, programSizeBound, type RegexNode } from './regex-syntax.ts';
import { smallRegex } from './small-regex.ts';

/** A source that is no regular expression of the engine, or work that would exceed its limit. */
export class RegexError extends Error {
  override readonly name = 'RegexError';
  /** The start of the culprit in the source, in UTF-16 units from 0; undefined if it has no place. */
  readonly index: number | undefined;

  constructor(message: string, index?: number) {
    super(message);
    this.index = index;
  }
}

/** A compiled RE2 expression, unanchored. One test takes at most about 250 ms; tests throw `OutOfTime` at the time limit. */
export interface Regex {
  readonly source: string;
  /** True if it matches somewhere in the text; unknown if the search would take too long. */
  readonly test: (text: string) => boolean | 'unknown';
  /** True if it matches in at least one of the texts. They share one limit, so this is the way to test many. */
  readonly testAny: (texts: readonly string[]) => boolean | 'unknown';
  /** The first match and its groups, empty where one took no part; undefined if none or if it would take too long. */
  readonly captures: (text: string) => readonly string[] | undefined;
  /**
   * Replaces every match; `$1`, `$<name>`, `$&` and `$$` in the replacement mean the same as in JavaScript.
   * @throws {RegexError} if it would take too long, so that nothing passes unreplaced.
   */
  readonly replaceAll: (text: string, replacement: string) => string;
  /** The greatest share of one test's limit that a test of this text takes, from 0 to 1. */
  readonly loadOf: (text: string) => number;
}

const MAX_SOURCE_LENGTH = 16_384;
const MAX_PROGRAM_SIZE = 10_000;
/** Program size times text length up to which the engine may take any way it likes. */
const MAX_TEST_COST = 2_000_000;
/** Tests up to this cost take microseconds, so that the time is looked at only after many of them. */
const MAX_QUICK_COST = 20_000;
const QUICK_TESTS_PER_LOOK = 256;
/** A process for one call seldom tests a pattern more often: for so many short texts the engine is not worth loading. */
const TESTS_WITHOUT_ENGINE = 16;
/** The cost of all tests of a process without the engine: beyond it, loading the engine takes less. */
const MAX_COST_WITHOUT_ENGINE = 200_000;
/** Above this even a single pass over the text takes too long. */
const MAX_TEXT_LENGTH = 16_777_216;
/** Steps times program size times groups. */
const MAX_SEARCH_COST = 8_000_000;
/** Up to these the engine backtracks, at one unit of cost per step. */
const MAX_BACKTRACK_COST = 262_144;
const MAX_BACKTRACK_SIZE = 500;

/**
 * Compiles a regular expression. Its program is capped at 10,000 instructions (a Unicode class counts as nine) and its
 * source at 16,384 characters.
 * @throws {RegexError} with a message in plain words if it cannot be compiled.
 */
export function compileRegex(source: string): Regex {
  const tree = treeOf(source);
  if (tree instanceof RegexError) throw tree;
  const small = smallRegex(source, tree);
  let compiled: RE2JS | undefined;
  let size = 0;
  let leftWithoutEngine = TESTS_WITHOUT_ENGINE;
  if (small === undefined) engine();

  function engine(): RE2JS {
    if (compiled !== undefined) return compiled;
    compiled = compileWithEngine(source);
    size = compiled.programSize();
    return compiled;
  }

  /** The answer for texts that are too few and too short for the engine; undefined if it has to be asked. */
  function withoutEngine(texts: readonly string[]): boolean | undefined {
    if (small === undefined || compiled !== undefined || --leftWithoutEngine < 0) return undefined;
    let cost = 0;
    for (const text of texts) cost += (text.length + 1) * small.size;
    if (cost > MAX_QUICK_COST || costWithoutEngine + cost > MAX_COST_WITHOUT_ENGINE) return undefined;
    costWithoutEngine += cost;
    lookAtTime(cost);
    let isUnknown = false;
    for (const text of texts) {
      const answer = small.test(text);
      if (answer === true) return true;
      isUnknown ||= answer === undefined;
    }
    return isUnknown ? undefined : false;
  }

  function testAny(texts: readonly string[]): boolean | 'unknown' {
    const answer = withoutEngine(texts);
    if (answer !== undefined) return answer;
    const by = engine();
    let length = 0;
    for (const text of texts) length += text.length;
    lookAtTime(length * size);
    if (length * size <= MAX_TEST_COST) return texts.some((text) => by.test(text));
    if (length > MAX_TEXT_LENGTH) return 'unknown';
    return testWithinMemory(by, texts) ?? 'unknown';
  }

  function search<T>(text: string, run: () => T): { readonly result: T } | undefined {
    checkTime();
    const by = engine();
    const backtracks = size <= MAX_BACKTRACK_SIZE && text.length * size <= MAX_BACKTRACK_COST;
    const unit = backtracks ? 1 : size * (1 + by.groupCount());
    return withinSteps(by, MAX_SEARCH_COST / unit, run);
  }

  return {
    source,
    test: (text) => {
      if (compiled === undefined || text.length * size > MAX_TEST_COST) return testAny([text]);
      lookAtTime(text.length * size);
      return compiled.test(text);
    },
    testAny,
    captures: (text) => {
      const groups: unknown = search(text, () => engine().exec(text))?.result;
      if (!Array.isArray(groups)) return undefined;
      return Array.from(groups, (group: unknown) => (typeof group === 'string' ? group : ''));
    },
    replaceAll: (text, replacement) => {
      if (testAny([text]) === false) return text;
      const found = search(text, () => engine().matcher(text).replaceAll(replacement));
      if (found === undefined) throw new RegexError('the text is too long to replace every match');
      return found.result;
    },
    loadOf: (text) => Math.min(1, (text.length * engine().programSize()) / MAX_TEST_COST),
  };
}

/** Why a source cannot be compiled; undefined if it can. Compiles it only if the text does not tell, as that is slow. */
export function regexError(source: string): RegexError | undefined {
  const tree = treeOf(source);
  if (tree instanceof RegexError) return tree;
  if (isPlainRegex(source)) return undefined;
  try {
    compileWithEngine(source);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof RegexError) return thrown;
    throw thrown;
  }
}

/** A message to the author of a pattern that does not compile; undefined if it does. */
export function regexProblem(source: string): string | undefined {
  const error = regexError(source);
  if (error === undefined) return undefined;
  const place = error.index === undefined ? '' : ` at ${error.index + 1}`;
  return `Cannot compile regex "${source}": ${error.message}${place}`;
}

/** Parses a source; an error if that shows already that the engine cannot compile it. */
function treeOf(source: string): RegexNode | RegexError {
  if (source === '') return new RegexError('an empty pattern matches everything, say what to look for');
  if (source.length > MAX_SOURCE_LENGTH) return new RegexError(`longer than ${MAX_SOURCE_LENGTH} characters`);
  const tree = parseRegex(source);
  if (!('type' in tree)) return new RegexError(tree.message, tree.index);
  if (programSizeBound(tree) <= MAX_PROGRAM_SIZE) return tree;
  return new RegexError('too large with its repetitions written out');
}

let costWithoutEngine = 0;
let quickTests = 0;

function lookAtTime(cost: number): void {
  if (cost > MAX_QUICK_COST || ++quickTests % QUICK_TESTS_PER_LOOK === 0) checkTime();
}

function compileWithEngine(source: string): RE2JS {
  const { RE2JS, RE2JSSyntaxException } = require('./re2js-module.ts') as typeof import('./re2js-module.ts');
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const culprit = error.getPattern() ?? '';
    const index = errorIndex(source, culprit, (prefix) => failsAlike(prefix, error.message));
    throw new RegexError(explainRegexError(error.getDescription(), culprit), index);
  }

  function failsAlike(prefix: string, message: string): boolean {
    try {
      RE2JS.compile(prefix);
      return false;
    } catch (error) {
      return error instanceof RE2JSSyntaxException && error.message === message;
    }
  }
}
