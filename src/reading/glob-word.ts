import type { Truth } from '../model/truth.ts';
import { knownText, type Word } from './word.ts';

/** One step of a pattern: an exact character, one character but `/`, any but `/`, any at all, or a set of characters. */
type Step =
  | { readonly type: 'char'; readonly char: string }
  | { readonly type: 'one' }
  | { readonly type: 'segment' }
  | { readonly type: 'any' };

/** A glob in the form `wordMatchesGlob` wants; made once per policy. */
export interface WordGlob {
  /** Braces expanded: the word need fit only one of them. */
  readonly alternatives: readonly (readonly Step[])[];
}

const MAX_ALTERNATIVES = 256;

/**
 * Compiles a glob for paths: `*` and `?` stop at `/`, `**` does not, `**` and a slash may be nothing, `{a,b}` is either, `[...]` is read
 * as any one character (so that it can only match too much). Names that begin with a dot are matched too.
 */
export function compileWordGlob(glob: string): WordGlob {
  return { alternatives: expandBraces(glob).map(steps) };
}

/**
 * Does the word match the glob? Exact for words that are fully known; else no if no value of the unknown parts could
 * make it match, and unknown otherwise.
 */
export function wordMatchesGlob(word: Word, glob: WordGlob): Truth {
  const pattern = wordSteps(word);
  const fits = glob.alternatives.some((alternative) => intersect(pattern, alternative));
  if (!fits) return false;
  return knownText(word) === undefined ? 'unknown' : true;
}

/** Is there a text that both patterns match? Time: product of the lengths. */
function intersect(a: readonly Step[], b: readonly Step[]): boolean {
  let states = closeOver(new Uint8Array(b.length + 1), b, 0);
  for (const step of a) {
    states = step.type === 'char' || step.type === 'one' ? consume(states, b, step) : absorb(states, b, step);
    if (!states.includes(1)) return false;
  }
  return states[b.length] === 1;
}

/** The states of `b` after one character that `step` stands for. */
function consume(states: Uint8Array, b: readonly Step[], step: Step): Uint8Array {
  const next = new Uint8Array(b.length + 1);
  for (let at = 0; at < b.length; at++) {
    const other = b[at];
    if (states[at] !== 1 || other === undefined || !overlap(step, other)) continue;
    closeOver(next, b, isRun(other) ? at : at + 1);
  }
  return next;
}

/** The states of `b` after any number of characters that the run `step` stands for. */
function absorb(states: Uint8Array, b: readonly Step[], step: Step): Uint8Array {
  const next = states.slice();
  for (let at = 0; at < b.length; at++) {
    const other = b[at];
    if (next[at] === 1 && other !== undefined && (isRun(other) || overlap(step, other))) next[at + 1] = 1;
  }
  return next;
}

/** Marks a state and those reached from it without a character. */
function closeOver(states: Uint8Array, b: readonly Step[], at: number): Uint8Array {
  states[at] = 1;
  for (let step = b[at]; step !== undefined && isRun(step); step = b[at]) states[++at] = 1;
  return states;
}

function isRun(step: Step): boolean {
  return step.type === 'segment' || step.type === 'any';
}

/** Can both steps stand for the same character? */
function overlap(a: Step, b: Step): boolean {
  if (a.type === 'char') return b.type === 'char' ? a.char === b.char : b.type === 'any' || a.char !== '/';
  return b.type !== 'char' || a.type === 'any' || b.char !== '/';
}

function wordSteps(word: Word): readonly Step[] {
  const found: Step[] = [];
  for (const part of word) {
    if (part.type === 'text') for (const char of part.text) found.push({ type: 'char', char });
    else if (part.type === 'unknown') found.push({ type: 'any' });
    else found.push(part.pattern === '?' || part.pattern.startsWith('[') ? { type: 'one' } : { type: 'segment' });
  }
  return found;
}

function steps(glob: string): readonly Step[] {
  const found: Step[] = [];
  const chars = [...glob];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    if (char === '\\' && at + 1 < chars.length) {
      found.push({ type: 'char', char: chars[++at] ?? '' });
    } else if (char === '?') {
      found.push({ type: 'one' });
    } else if (char === '*') {
      at = star(chars, at, found);
    } else if (char === '[' && chars.indexOf(']', at + 2) > 0) {
      at = chars.indexOf(']', at + 2);
      found.push({ type: 'one' });
    } else {
      found.push({ type: 'char', char });
    }
  }
  return found;
}

/** Reads a run of stars; returns the index of the last character it took. */
function star(chars: readonly string[], at: number, found: Step[]): number {
  let end = at;
  while (chars[end + 1] === '*') end++;
  found.push({ type: end > at ? 'any' : 'segment' });
  return end;
}

/** `**` and a slash may be nothing at all, and a slash and `**` at the end too: written out as alternatives. */
function expandBraces(glob: string): readonly string[] {
  let found = [glob];
  for (let round = 0; round < MAX_ALTERNATIVES; round++) {
    const next = found.flatMap(expandOnce);
    if (next.length === found.length || next.length > MAX_ALTERNATIVES) return withoutStars(found);
    found = next;
  }
  return withoutStars(found);
}

function expandOnce(glob: string): readonly string[] {
  const open = glob.indexOf('{');
  const close = glob.indexOf('}', open);
  const inner = glob.lastIndexOf('{', close);
  if (open < 0 || close < 0) return [glob];
  const options = glob.slice(inner + 1, close).split(',');
  if (options.length < 2) return [glob];
  return options.map((option) => glob.slice(0, inner) + option + glob.slice(close + 1));
}

function withoutStars(globs: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const glob of globs) {
    found.add(glob);
    if (glob.endsWith('/**')) found.add(glob.slice(0, -3));
    for (let at = glob.indexOf('**/'); at >= 0; at = glob.indexOf('**/', at + 1)) {
      if (at > 0 && glob[at - 1] !== '/') continue;
      const short = glob.slice(0, at) + glob.slice(at + 3);
      found.add(short);
      if (short.endsWith('/**')) found.add(short.slice(0, -3));
    }
  }
  return [...found];
}
