import type { Facts } from '../model/facts.ts';
import { NO_COMMANDS, shellTexts } from './shell-reading.ts';

/** Of two sets of programs that are both required, the smaller one. */
export function fewerPrograms(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.length < a.length ? b : a;
}

/** The set for an alternative of several: one of all of them is required, if each requires some. */
export function unionOfPrograms(
  sets: readonly (Iterable<string> | undefined)[],
): readonly string[] | undefined {
  const all = new Set<string>();
  for (const set of sets) {
    if (set === undefined) return undefined;
    for (const name of set) all.add(name);
  }
  return [...all];
}

/** The programs that a call would run; undefined if it could run others. */
export function programsRun(facts: Facts): readonly string[] | undefined {
  const { texts, complete } = shellTexts(facts) ?? NO_COMMANDS;
  if (!complete || texts.some(({ summary }) => summary.hasGaps || summary.hasUnknownName)) return undefined;
  const [only] = texts;
  return only !== undefined && texts.length === 1
    ? only.summary.names
    : texts.flatMap(({ summary }) => summary.names);
}
