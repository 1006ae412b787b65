import { isJsonObject, type Json } from '../lib/json.ts';
import type { PathUse } from '../reading/reading.ts';
import { type ReadingSummary, TRAITS } from './reading-summary.ts';

/** Which path effects a key of a command test looks at. */
export const USES_OF_KEY = {
  reads: ['read', 'execute'],
  writes: ['write'],
  deletes: ['delete'],
} as const satisfies Readonly<Record<string, readonly PathUse[]>>;

/** What a reading must hold for a command of it to pass a test. */
export interface CommandNeeds {
  /** One of these programs; undefined if any will do. */
  readonly names: Names | undefined;
  /** One of these first operands; undefined if any will do. */
  readonly words: Names | undefined;
  /** Of each of these, one bit of `TRAITS`. */
  readonly traits: readonly number[];
}

interface Names {
  readonly exact: ReadonlySet<string>;
  /** What those with wildcards begin with. */
  readonly starts: readonly string[];
}

/** What a command test needs. Cheap: for most policies of a one-shot process nothing else is ever made of it. */
export function needsOf(spec: Json): CommandNeeds {
  if (!isJsonObject(spec)) return { names: namesIn(spec), words: undefined, traits: [] };
  let names: Json | undefined;
  let words: Json | undefined;
  const traits: number[] = [];
  for (const key of Object.keys(spec)) {
    const value = spec[key] ?? null;
    if (key === 'run') names = value;
    else if (key === 'subcommand' && Array.isArray(value)) {
      names ??= value[0];
      words = value[1];
    } else if (key === 'pipes_to' || key === 'pipes_from') {
      // The other command is one of the same reading.
      if (isJsonObject(value)) traits.push(...needsOf(value).traits);
    } else {
      const bits = traitsOf(key, value);
      if (bits !== 0) traits.push(bits);
    }
  }
  return { names: namesIn(names), words: namesIn(words), traits };
}

function namesIn(spec: Json | undefined): Names | undefined {
  if (spec === undefined) return undefined;
  const exact = new Set<string>();
  const starts: string[] = [];
  for (const name of [spec].flat(2)) {
    if (typeof name !== 'string') continue;
    const star = name.indexOf('*');
    if (star === -1) exact.add(name);
    else starts.push(name.slice(0, star));
  }
  return { exact, starts };
}

function traitsOf(key: string, value: Json): number {
  switch (key) {
    case 'reads':
      return TRAITS.read | TRAITS.execute;
    case 'writes':
      return TRAITS.write;
    case 'deletes':
      return TRAITS.delete;
    case 'network':
      return value === false ? 0 : TRAITS.network;
    case 'uploads':
      return value === true ? TRAITS.network : 0;
    case 'downloads_and_runs':
      return value === true ? TRAITS.remote_code : 0;
    case 'environment':
      return TRAITS.assignment;
    case 'wrapped_by':
      return TRAITS.via;
    case 'privileged':
      return value === true ? TRAITS.privileged : 0;
    case 'elsewhere':
      return value === true ? TRAITS.elsewhere : 0;
    default:
      return 0;
  }
}

/**
 * A quick look at what a reading holds: false only if no command in it can pass the test. That settles it for
 * nearly every policy.
 */
export function areMet({ names, words, traits }: CommandNeeds, summary: ReadingSummary): boolean {
  if (summary.hasUnknownName) return true;
  for (const bits of traits) if ((summary.traits & bits) === 0) return false;
  if (names !== undefined && !hasOneOf(names, summary.names)) return false;
  if (words !== undefined && !summary.hasUnknownWord && !hasOneOf(words, summary.words)) return false;
  return true;
}

/** The programs, if only these will do and none has a wildcard. */
export function plainNames({ names }: CommandNeeds): ReadonlySet<string> | undefined {
  return names === undefined || names.starts.length > 0 ? undefined : names.exact;
}

function hasOneOf({ exact, starts }: Names, found: readonly string[]): boolean {
  for (const name of found) {
    if (exact.has(name)) return true;
    for (const start of starts) if (name.startsWith(start)) return true;
  }
  return false;
}
