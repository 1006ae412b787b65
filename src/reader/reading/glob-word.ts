import { type GlobEnds, globEnds } from '../../lib/glob/glob-ends.ts';
import type { Truth } from '../../model/truth.ts';
import { charClass, endsInStar, type GlobStep, steps, withoutBraces } from './glob-steps.ts';
import { mayFit } from './may-fit.ts';
import { knownText, textWord, type Word } from './word.ts';

/** A glob in the form `wordMatchesGlob` wants; made once per policy. */
export interface WordGlob {
  /** Asked for texts that the steps cannot settle. */
  readonly test: (text: string) => Truth;
  readonly source: string;
  /** Braces taken apart: the word need fit only one of them. */
  readonly alternatives: readonly Alternative[];
  /** Found when the first text needs it. */
  precision: Precision | undefined;
}

/** One way to read a glob with braces. It is ruled out for most texts, so that its steps are made for few. */
export interface Alternative extends GlobEnds {
  readonly source: string;
  readonly afterBraces: boolean;
  /** Made by `stepsOfAlternative`. */
  steps: readonly GlobStep[] | undefined;
}

/** Compiles a path glob: `*` and `?` stop at `/`, `**` does not, `{a,b}` is either. Steps decide nearly all; `test` the rest. */
export function compileWordGlob(written: string, test: (text: string) => Truth): WordGlob {
  const glob = written.replace(STARS, (stars) => (REPEATED.test(stars) ? '**' : stars));
  // After braces the folder itself counts even where a star ends its name.
  const afterBraces = glob.endsWith('}/**');
  const alternatives: Alternative[] = [];
  // A class of plain characters matches its own text as well.
  const open = glob.replace(PLAIN_CLASS, (text) => `{${text},\\${text.slice(0, -1)}\\]}`);
  for (const source of withoutBraces(open.startsWith('./') ? open.slice(2) : open)) {
    const { prefix, suffix, name } = globEnds(source);
    alternatives.push({ source, afterBraces, prefix, suffix, name, steps: undefined });
  }
  return { test, source: glob, alternatives, precision: undefined };
}

const PLAIN_CLASS = /(?<!\\)\[[^-*+?.^${}(|)\\[\]!,/][^-*+?.^${}(|)\\[\],/]*\]/g;

/** Runs of stars with slashes between them, and escapes. */
const STARS = /\\.|\*+(?:\/\*+)*/gs;
/** Any folders, several times. */
const REPEATED = /^\*\*(?:\/\*\*)+$/;

export function stepsOfAlternative(alternative: Alternative): readonly GlobStep[] {
  alternative.steps ??= steps(alternative.source, alternative.afterBraces);
  return alternative.steps;
}

/**
 * How the steps fit paths without `.` and `..` and without a slash at the end: those that the glob fits, more than these, or
 * perhaps others.
 */
type Precision = 'exact' | 'more' | 'others';

function precisionOf(glob: WordGlob): Precision {
  glob.precision ??= findPrecision(glob);
  return glob.precision;
}

function findPrecision({ source, alternatives }: WordGlob): Precision {
  if (/\*\*(?:\{|\/\*\*)|\}\*\*|\[[^\]]*,/.test(source)) return 'others';
  const bare = source.replace(/\\./g, 'x');
  // Taking braces apart must not make two stars of one inside and one beside them.
  if (/[{,]\*|\*[,}]/.test(bare) && /\*\{|\}[*{]/.test(bare)) return 'others';
  if (source.endsWith('}/**') && alternatives.some((each) => endsInStar(each.source))) return 'others';
  return alternatives.every((each) => isPlain(each.source)) ? 'exact' : 'more';
}

/** True if it has a star before braces or in them, which may be no name at all: that matters for the root only. */
function isOpenAtRoot({ source, alternatives }: WordGlob): boolean {
  return (
    /\*[{,}]/.test(source.replace(/\\./g, 'x')) &&
    alternatives.some((each) => each.prefix === '' && each.source !== '/')
  );
}

/** No classes, no braces that mean themselves, and `**` only as a whole segment. */
function isPlain(alternative: string): boolean {
  if (/[[\]{}]/.test(alternative)) return false;
  return alternative
    .replace(/\\./g, 'x')
    .split('/')
    .every((segment) => segment === '**' || !segment.includes('**'));
}

const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** Tests if a word matches the glob. Unknown only if some value of its unknown parts would make it match. */
export function wordMatchesGlob(word: Word, glob: WordGlob): Truth {
  const known = knownText(word);
  if (known !== undefined) return textMatchesGlob(known, glob);
  if (word.length === 1 && word[0]?.type === 'unknown') return 'unknown';
  for (const alternative of glob.alternatives) {
    if (mayFit(word, alternative) && intersect(wordSteps(word), stepsOfAlternative(alternative)))
      return 'unknown';
  }
  return false;
}

/** Tests if a known path matches the glob. */
export function textMatchesGlob(path: string, glob: WordGlob): Truth {
  const isPlainPath = !DOTS.test(path) && (path === '/' || !path.endsWith('/'));
  if (!isPlainPath) return glob.test(path);
  if (path === glob.source) return true;
  const word = textWord(path);
  for (const alternative of glob.alternatives) {
    if (!mayFit(word, alternative)) continue;
    const precision = precisionOf(glob);
    if (precision === 'others' || (path === '/' && isOpenAtRoot(glob))) return glob.test(path);
    if (fitsSteps(path, word, alternative)) return precision === 'exact' || glob.test(path);
  }
  return false;
}

/** Tests a path that starts and ends as an alternative does. */
function fitsSteps(path: string, word: Word, alternative: Alternative): boolean {
  const { source, prefix, suffix } = alternative;
  if (suffix === source) return path === source;
  const isFolder = prefix !== '' && source === `${prefix}/**`;
  if (isFolder) return path.length === prefix.length || path[prefix.length] === '/';
  if (!source.includes('**') && slashesIn(source) !== slashesIn(path)) return false;
  return intersect(wordSteps(word), stepsOfAlternative(alternative));
}

function slashesIn(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) count++;
  return count;
}

/** Reused, because a path is held against hundreds of globs: the round in which a step of the second pattern was reached last. */
let rounds = new Uint32Array(256);
let round = 0;
const MAX_ROUND = 2 ** 31;
let reached: number[] = [];
let before: number[] = [];

/** True if there is a text that both patterns match. Time: product of the lengths. */
export function intersect(a: readonly GlobStep[], b: readonly GlobStep[]): boolean {
  const end = a.length - 1;
  const endsInAny = a[end]?.type === 'any';
  // Below any folder: the characters before the end are in their names.
  if (endsInAny && (b[0]?.type === 'any' || b[0]?.type === 'optional')) return true;
  if (rounds.length <= b.length) rounds = new Uint32Array(2 * b.length + 1);
  if (round > MAX_ROUND) {
    rounds.fill(0);
    round = 0;
  }
  let start = 0;
  for (; ; start++) {
    const step = a[start];
    const other = b[start];
    if (step?.type !== 'char' || other?.type !== 'char') break;
    if (step.char !== other.char) return false;
  }
  round++;
  reached.length = 0;
  reach(b, start);
  for (let index = start; index <= end; index++) {
    const step = a[index];
    // Behind a run of anything the rest of the other pattern is reached.
    if (step === undefined || (endsInAny && index === end)) break;
    // A run may match no character: the steps that were reached stay so, and those reached through it lead on.
    const run = isRun(step);
    if (!run) {
      const last = before;
      before = reached;
      reached = last;
      reached.length = 0;
      round++;
    }
    const from = run ? reached : before;
    for (let next = 0; next < from.length; next++) {
      const at = from[next] ?? 0;
      const other = b[at];
      if (other !== undefined && overlap(step, other)) reach(b, isRun(other) ? at : at + 1);
    }
    if (reached.length === 0) return false;
  }
  return endsInAny || rounds[b.length] === round;
}

/** Reaches a step, and those behind it that need no character. */
function reach(pattern: readonly GlobStep[], at: number): void {
  if (rounds[at] === round) return;
  rounds[at] = round;
  reached.push(at);
  const type = pattern[at]?.type;
  if (type === undefined || type === 'char') return;
  if (type === 'optional') reach(pattern, at + 3);
  if (type === 'optional' || type === 'segment' || type === 'any') reach(pattern, at + 1);
}

function isRun(step: GlobStep): boolean {
  return step.type === 'segment' || step.type === 'any';
}

/** True if both steps can match the same character. */
function overlap(a: GlobStep, b: GlobStep): boolean {
  if (a.type === 'char' && b.type === 'char') return a.char === b.char;
  if (a.type === 'optional' || b.type === 'optional') return false;
  if (a.type === 'class') return b.type !== 'char' || a.has(b.char);
  if (b.type === 'class') return overlap(b, a);
  if (a.type === 'char') return b.type === 'any' || a.char !== '/';
  return b.type !== 'char' || a.type === 'any' || b.char !== '/';
}

/** Kept, because a path is held against hundreds of globs. */
const WORD_STEPS = new WeakMap<Word, readonly GlobStep[]>();

export function wordSteps(word: Word): readonly GlobStep[] {
  const before = WORD_STEPS.get(word);
  if (before !== undefined) return before;
  const found = stepsOf(word);
  WORD_STEPS.set(word, found);
  return found;
}

function stepsOf(word: Word): readonly GlobStep[] {
  const found: GlobStep[] = [];
  for (const part of word) {
    if (part.type === 'text') for (const char of part.text) found.push({ type: 'char', char });
    else if (part.type === 'unknown' || part.pattern === '**') found.push({ type: 'any' });
    else {
      const has = charClass(part.pattern);
      const last = found.at(-1);
      const isFirst = last === undefined || (last.type === 'char' && last.char === '/');
      // No wildcard of a shell matches the dot that hides a name.
      if (has === undefined) found.push({ type: 'segment' });
      else found.push({ type: 'class', has: isFirst ? (char) => char !== '.' && has(char) : has });
    }
  }
  return found;
}
