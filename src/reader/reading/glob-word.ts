import type { Truth } from '../../model/truth.ts';
import { charClass, endsInStar, type GlobStep, isChar, steps, withoutBraces } from './glob-steps.ts';
import { knownText, leadingText, textWord, type Word } from './word.ts';

/** A glob in the form `wordMatchesGlob` wants; made once per policy. */
export interface WordGlob {
  /** Asked for texts that the steps cannot settle. */
  readonly test: (text: string) => Truth;
  /** True if the steps mean the same as the glob for every path without `.` and `..` and without a slash at its end. */
  readonly isExact: boolean;
  /** True if it has a star before braces or in them, which may be no name at all: that matters for the root only. */
  readonly isOpenAtRoot: boolean;
  /** Braces taken apart: the word need fit only one of them. */
  readonly alternatives: readonly BoundSteps[];
  /** Those without wildcards, as they are. */
  readonly plain: ReadonlySet<string>;
  /** The others. */
  readonly wild: readonly WildSteps[];
}

/** Steps, with facts that rule out a text without them. */
interface BoundSteps {
  readonly steps: readonly GlobStep[];
  /** The characters that every match starts with. */
  readonly prefix: string;
  /** The characters that every match ends with. */
  readonly suffix: string;
}

interface WildSteps extends BoundSteps {
  /** How many slashes a match has; undefined if any number will do. */
  readonly slashes: number | undefined;
  /** True for a folder and all that lies below it, which is the prefix. */
  readonly isFolder: boolean;
}

/** Compiles a path glob: `*` and `?` stop at `/`, `**` does not, `{a,b}` is either. Steps decide nearly all; `test` the rest. */
export function compileWordGlob(glob: string, test: (text: string) => Truth): WordGlob {
  const alternatives = withoutBraces(glob.replace(/^\.\//, ''));
  // After braces the folder itself counts even where a star ends its name.
  const afterBraces = glob.endsWith('}/**');
  const stepped = alternatives.map((alternative) => steps(alternative, afterBraces));
  const bare = glob.replace(/\\./g, 'x');
  // Taking braces apart must not make two stars of one inside and one beside them.
  const joinsStars = /[{,]\*|\*[,}]/.test(bare) && /\*\{|\}[*{]/.test(bare);
  return {
    test,
    isExact:
      alternatives.every(isPlain) &&
      !(afterBraces && alternatives.some(endsInStar)) &&
      !/\*\*(?:\{|\/\*\*)|\}\*\*/.test(glob) &&
      !joinsStars,
    isOpenAtRoot: /\*[{,}]/.test(bare),
    alternatives: stepped.map(boundSteps),
    plain: new Set(stepped.filter((each) => firstWildOf(each) < 0).map(prefixOf)),
    wild: stepped.filter((each) => firstWildOf(each) >= 0).map(wildSteps),
  };
}

function boundSteps(pattern: readonly GlobStep[]): BoundSteps {
  return { steps: pattern, prefix: prefixOf(pattern), suffix: suffixOf(pattern) };
}

function wildSteps(pattern: readonly GlobStep[]): WildSteps {
  const hasAnySlashes = pattern.some(({ type }) => type === 'any' || type === 'optional');
  const firstWild = firstWildOf(pattern);
  return {
    ...boundSteps(pattern),
    slashes: hasAnySlashes ? undefined : pattern.filter((step) => isChar(step) && step.char === '/').length,
    isFolder:
      firstWild === pattern.length - 3 &&
      pattern[firstWild]?.type === 'optional' &&
      pattern.at(-1)?.type === 'any',
  };
}

/** The place of the first step that is no character; -1 if all are. */
function firstWildOf(pattern: readonly GlobStep[]): number {
  for (let at = 0; at < pattern.length; at++) if (pattern[at]?.type !== 'char') return at;
  return -1;
}

/** The characters before the first step that is none. */
function prefixOf(pattern: readonly GlobStep[]): string {
  let prefix = '';
  for (const step of pattern) {
    if (!isChar(step)) break;
    prefix += step.char;
  }
  return prefix;
}

/** The characters after the last step that is none, but for a slash that may be left out with the stars before it. */
function suffixOf(pattern: readonly GlobStep[]): string {
  let start = pattern.length;
  let suffix = '';
  for (let step = pattern[start - 1]; step !== undefined && isChar(step); step = pattern[start - 1]) {
    suffix = step.char + suffix;
    start--;
  }
  return pattern[start - 2]?.type === 'optional' ? suffix.slice(1) : suffix;
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
  const start = leadingText(word);
  const last = word.at(-1);
  const end = last?.type === 'text' ? last.text : '';
  let pattern: readonly GlobStep[] | undefined;
  for (const { prefix, suffix, steps } of glob.alternatives) {
    if (!start.startsWith(prefix) && !prefix.startsWith(start)) continue;
    if (!end.endsWith(suffix) && !suffix.endsWith(end)) continue;
    pattern ??= wordSteps(word);
    if (intersect(pattern, steps)) return 'unknown';
  }
  return false;
}

export function textMatchesGlob(path: string, glob: WordGlob): Truth {
  const isPlainPath = !DOTS.test(path) && (path === '/' || !path.endsWith('/'));
  if (!glob.isExact || !isPlainPath) return glob.test(path);
  if (glob.plain.has(path)) return true;
  if (path === '/' && glob.isOpenAtRoot && glob.wild.some(({ prefix }) => prefix === '' || prefix === '/'))
    return glob.test(path);
  let pattern: readonly GlobStep[] | undefined;
  let slashes: number | undefined;
  for (const wild of glob.wild) {
    if (!path.startsWith(wild.prefix) || !path.endsWith(wild.suffix)) continue;
    if (wild.isFolder) {
      if (path.length === wild.prefix.length || path[wild.prefix.length] === '/') return true;
      continue;
    }
    if (wild.slashes !== undefined) {
      slashes ??= slashesIn(path);
      if (slashes !== wild.slashes) continue;
    }
    pattern ??= stepsOf(textWord(path));
    if (intersect(pattern, wild.steps)) return true;
  }
  return false;
}

function slashesIn(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) count++;
  return count;
}

/** True if there is a text that both patterns match. Time: product of the lengths. */
export function intersect(a: readonly GlobStep[], b: readonly GlobStep[]): boolean {
  /** The round in which a step of `b` was reached last. */
  const rounds = new Uint32Array(b.length + 1);
  let round = 1;
  let reached: number[] = [];
  /** Reaches a step, and those behind it that need no character. */
  const reach = (at: number): void => {
    if (rounds[at] === round) return;
    rounds[at] = round;
    reached.push(at);
    const type = b[at]?.type;
    if (type === 'optional') reach(at + 3);
    if (type === 'optional' || type === 'segment' || type === 'any') reach(at + 1);
  };
  reach(0);
  for (const step of a) {
    const before = reached;
    // A run may match no character: the steps that were reached stay so, and those reached through it lead on.
    if (!isRun(step)) {
      reached = [];
      round++;
    }
    for (const at of before) {
      const other = b[at];
      if (other !== undefined && overlap(step, other)) reach(isRun(other) ? at : at + 1);
    }
    if (reached.length === 0) return false;
  }
  return reached.includes(b.length);
}

function isRun(step: GlobStep): boolean {
  return step.type === 'segment' || step.type === 'any';
}

/** True if both steps can match the same character. */
function overlap(a: GlobStep, b: GlobStep): boolean {
  if (a.type === 'optional' || b.type === 'optional') return false;
  if (a.type === 'class') return b.type !== 'char' || a.has(b.char);
  if (b.type === 'class') return overlap(b, a);
  if (a.type === 'char') return b.type === 'char' ? a.char === b.char : b.type === 'any' || a.char !== '/';
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
