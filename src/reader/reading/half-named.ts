import { type GlobStep, isChar } from './glob-steps.ts';
import { intersect, stepsOfAlternative, type WordGlob, wordSteps } from './glob-word.ts';
import { mayFit } from './may-fit.ts';
import type { Word } from './word.ts';

/** True if wildcards match a hidden name of the glob and half of it is written: `.e*` is `.env`, but `.*` is no name. */
export function isHalfNamed(word: Word, glob: WordGlob): boolean {
  const names = namesOf(word);
  const pattern = wordSteps(word);
  return glob.alternatives.some((alternative) => {
    if (!mayFit(word, alternative)) return false;
    const steps = stepsOfAlternative(alternative);
    return isHalfOf(names, literalNames(steps)) && intersect(pattern, steps);
  });
}

/** One name of a path as far as it is written: open if wildcards follow. */
interface WrittenName {
  readonly written: string;
  readonly isOpen: boolean;
}

function isHalfOf(names: readonly WrittenName[], literals: readonly (string | undefined)[]): boolean {
  // The first counts: names below a folder that the glob names may be anything.
  const begun = names.findIndex(({ isOpen, written }) => isOpen && written !== '');
  const index = begun < 0 ? names.length - 1 : begun;
  const written = names[index]?.written ?? '';
  const isLast = index === names.length - 1;
  return literals.some((literal, at) => {
    if (literal === undefined || written === '' || isLast !== (at === literals.length - 1)) return false;
    if (!literal.startsWith(written) || written.length * 2 < literal.length) return false;
    if (literal.startsWith('.')) return written.length > 1;
    const folder = literals[at - 1];
    return folder?.startsWith('.') === true && names[index - 1]?.written === folder;
  });
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
