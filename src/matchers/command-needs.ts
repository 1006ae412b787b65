import { isJsonObject, type Json, own } from '../lib/json.ts';
import type { PathUse } from '../reading/reading.ts';
import { type ReadingSummary, TRAITS } from './reading-summary.ts';

/** Which path effects a key of a command test looks at. */
export const USES_OF_KEY = {
  reads: ['read', 'execute'],
  writes: ['write'],
  deletes: ['delete'],
} as const satisfies Readonly<Record<string, readonly PathUse[]>>;

/** What a reading must hold for a command of it to pass a test. */
interface Needs {
  /** One of these programs; undefined if any will do. */
  readonly names: readonly string[] | undefined;
  /** One of these first operands; undefined if any will do. */
  readonly words: readonly string[] | undefined;
  /** For each of these, one of its bits. */
  readonly traits: readonly number[];
}

/**
 * A quick look at what a reading holds: false only if no command in it can pass one of the tests. Names and subcommands
 * alone settle it for nearly every policy.
 */
export function commandNeeds(specs: readonly Json[]): (summary: ReadingSummary) => boolean {
  const all = specs.map(needsOf);
  const names = new Set(all.flatMap((needs) => needs.names ?? []));
  const ofAnyName = all.filter((needs) => needs.names === undefined);
  return (summary) => {
    if (summary.hasUnknownName) return true;
    for (const name of summary.names) if (names.has(name)) return all.some((needs) => areMet(needs, summary));
    return ofAnyName.some((needs) => areMet(needs, summary));
  };
}

function areMet({ names, words, traits }: Needs, summary: ReadingSummary): boolean {
  if (names?.some((name) => summary.names.has(name)) === false) return false;
  if (words?.some((word) => summary.words.has(word)) === false && !summary.hasUnknownWord) return false;
  return traits.every((bits) => (summary.traits & bits) !== 0);
}

function needsOf(spec: Json): Needs {
  const whole = isJsonObject(spec) ? spec : { run: spec };
  const subcommand = own(whole, 'subcommand');
  const [program, word] = Array.isArray(subcommand) ? subcommand : [];
  const traits: number[] = [];
  for (const [key, uses] of Object.entries(USES_OF_KEY)) {
    if (Object.hasOwn(whole, key)) traits.push(uses.reduce((bits, use) => bits | TRAITS[use], 0));
  }
  const network = own(whole, 'network');
  if ((network !== undefined && network !== false) || own(whole, 'uploads') === true)
    traits.push(TRAITS.network);
  if (own(whole, 'downloads_and_runs') === true) traits.push(TRAITS.remote_code);
  if (Object.hasOwn(whole, 'environment')) traits.push(TRAITS.assignment);
  if (Object.hasOwn(whole, 'wrapped_by')) traits.push(TRAITS.via);
  if (own(whole, 'privileged') === true) traits.push(TRAITS.privileged);
  if (own(whole, 'elsewhere') === true) traits.push(TRAITS.elsewhere);
  const names = textsIn(own(whole, 'run') ?? program);
  return {
    names: names?.some((name) => name.includes('*')) ? undefined : names,
    words: textsIn(word),
    traits,
  };
}

function textsIn(spec: Json | undefined): readonly string[] | undefined {
  if (typeof spec === 'string') return [spec];
  return Array.isArray(spec) ? spec.filter((each) => typeof each === 'string') : undefined;
}
