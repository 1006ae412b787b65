import { ANALYSES } from '../../../language/keys/analyses.ts';
import type { Miss } from '../../../model/miss.ts';
import type { Effect, Reading } from '../../../reader/reading/reading.ts';
import { FOUND_FILES, type Word } from '../../../reader/reading/word.ts';
import { printable, printableCut } from '../layout/printable.ts';
import { countOf } from '../layout/quantity.ts';
import type { ConsideredPolicy } from './explanation.ts';

const MAX_PARTS = 3;
const MAX_PART_CHARS = 60;

/** A line about the unknown parts of a call, and the policies that they leave open; undefined if no policy is open. */
export function unknownParts(
  policies: readonly ConsideredPolicy[],
  readings: readonly Reading[],
): string | undefined {
  const parts = unreadParts(readings);
  const groups = new Map<string, ConsideredPolicy[]>();
  for (const policy of policies) {
    if (policy.fate !== 'unknown' && policy.fate !== 'skipped') continue;
    const cause = policy.trace.rule.broken ?? causeOf(policy.trace.miss, parts);
    groups.set(cause, [...(groups.get(cause) ?? []), policy]);
  }
  const texts = [...groups].map(([cause, found]) => `${cause}: ${effectOn(found)}`);
  return texts.length === 0 ? undefined : texts.join('; ');
}

function effectOn(policies: readonly ConsideredPolicy[]): string {
  const counted = policies.filter(({ fate }) => fate === 'unknown');
  const passed = policies.length - counted.length;
  return [
    ...(counted.length === 0 ? [] : [`counts as a match for ${namesOf(counted)}`]),
    ...(passed === 0 ? [] : [`passed over by ${namesOf(policies.filter(({ fate }) => fate === 'skipped'))}`]),
  ].join(', ');
}

function namesOf(policies: readonly ConsideredPolicy[]): string {
  const [first, ...others] = policies.map(({ trace }) => printable(trace.rule.id));
  return others.length === 0 ? (first ?? '') : countOf(policies.length, 'policy');
}

function causeOf(miss: Miss | undefined, parts: readonly string[]): string {
  // Keys that join others, such as any, are unknown because of the keys in them.
  const keys = miss?.path.map(String).filter((each) => ANALYSES.get(each)?.unknownCause !== undefined) ?? [];
  const [key] = keys;
  if (parts.length > 0 && (key === undefined || ANALYSES.get(key)?.readsCommands)) {
    const shown = parts.slice(0, MAX_PARTS);
    const left = parts.length - shown.length;
    return [...shown, ...(left === 0 ? [] : [`${left} more`])].join(', ');
  }
  if (miss === undefined || key === undefined) return 'a key is unknown';
  const inside = miss.path.slice(miss.path.indexOf(key));
  const cause = ANALYSES.get(key)?.unknownCause ?? '';
  return inside.length > 1 ? `${cause} (${printable(inside.join('.'))})` : cause;
}

/** The parts of commands that nobody sees through: variables, wildcards, scripts. */
function unreadParts(readings: readonly Reading[]): readonly string[] {
  const parts = new Set<string>();
  const add = (word: Word): void => {
    for (const part of word)
      if (part.type === 'unknown' && part.source !== FOUND_FILES) parts.add(part.source);
    if (word.some(({ type }) => type === 'glob')) parts.add(textOf(word));
  };
  for (const { gaps, commands } of readings) {
    for (const { program, args, redirections } of commands) {
      for (const word of [program, ...args, ...redirections.map(({ target }) => target)]) add(word);
    }
    // If no word is to blame, the effects of a command may depend on more than its words.
    if (parts.size === 0)
      for (const { effects } of commands) for (const effect of effects) wordsOf(effect).forEach(add);
    if (parts.size === 0) for (const { message } of gaps) parts.add(message);
  }
  return [...parts].map((part) => printableCut(part, MAX_PART_CHARS));
}

function wordsOf(effect: Effect): readonly Word[] {
  return effect.type === 'path' ? [effect.path] : effect.type === 'network' ? [effect.target] : [];
}

function textOf(word: Word): string {
  return word
    .map((part) => (part.type === 'unknown' ? part.source : part.type === 'glob' ? part.pattern : part.text))
    .join('');
}
