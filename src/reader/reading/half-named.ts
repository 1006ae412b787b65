import { child } from '../../lib/child.ts';
import { type GlobStep, isChar } from './glob-steps.ts';
import { intersect, stepsOfAlternative, type WordGlob, wordSteps } from './glob-word.ts';
import { mayFit } from './may-fit.ts';
import type { Word } from './word.ts';

/** True if wildcards match a hidden name of the glob and half of it is written: `.e*` is `.env`, but `.*` is no name. */
export function isHalfNamed(word: Word, glob: WordGlob): boolean {
  const begun = child(BEGUN, word, () => begunIn(word));
  if (begun.written === '') return false;
  const pattern = wordSteps(word);
  return glob.alternatives.some((alternative) => {
    if (!mayFit(word, alternative)) return false;
    const steps = stepsOfAlternative(alternative);
    const literals = child(LITERALS, steps, () => literalNames(steps));
    return isHalfOf(begun, literals) && intersect(pattern, steps);
  });
}

/** Kept, because a path is held against hundreds of globs, and a glob against many paths. */
const BEGUN = new WeakMap<Word, Begun>();
const LITERALS = new WeakMap<readonly GlobStep[], readonly (string | undefined)[]>();

/** The name of a path that is written in part, as far as it is. */
interface Begun {
  readonly written: string;
  readonly isLast: boolean;
  /** The name before it. */
  readonly folder: string | undefined;
}

function begunIn(word: Word): Begun {
  const names = namesOf(word);
  // The first counts: names below a folder that the glob names may be anything.
  const begun = names.findIndex(({ isOpen, written }) => isOpen && written !== '');
  const index = begun < 0 ? names.length - 1 : begun;
  return {
    written: names[index]?.written ?? '',
    isLast: index === names.length - 1,
    folder: names[index - 1]?.written,
  };
}

function isHalfOf({ written, isLast, folder }: Begun, literals: readonly (string | undefined)[]): boolean {
  return literals.some((literal, at) => {
    if (literal === undefined || isLast !== (at === literals.length - 1)) return false;
    if (!literal.startsWith(written) || written.length * 2 < literal.length) return false;
    if (literal.startsWith('.')) return written.length > 1;
    const above = literals[at - 1];
    return above?.startsWith('.') === true && folder === above;
  });
}

/** One name of a path as far as it is written: open if wildcards follow. */
interface WrittenName {
  readonly written: string;
  readonly isOpen: boolean;
}

function namesOf(word: Word): readonly WrittenName[] {
  const names: { written: string; isOpen: boolean; isLost: boolean }[] = [
    { written: '', isOpen: false, isLost: false },
  ];
  for (const part of word) {
    const last = names.at(-1);
    if (part.type !== 'text') {
      if (last === undefined) continue;
      if (part.type === 'glob') last.isOpen = true;
      else last.isLost = true;
      continue;
    }
    const [rest = '', ...others] = part.text.split('/');
    if (last !== undefined && !last.isOpen) last.written += rest;
    for (const name of others) names.push({ written: name, isOpen: false, isLost: false });
  }
  return names.map(({ written, isOpen, isLost }) => ({ written: isLost ? '' : written, isOpen }));
}

/** The names that a pattern asks for, undefined for those with wildcards. */
function literalNames(pattern: readonly GlobStep[]): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [''];
  for (const step of pattern) {
    if (isChar(step) && step.char === '/') names.push('');
    else if (step.type !== 'optional') {
      const last = names.at(-1);
      names[names.length - 1] = isChar(step) && last !== undefined ? last + step.char : undefined;
    }
  }
  return names;
}
