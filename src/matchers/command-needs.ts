import { isJsonObject, type Json, own } from '../lib/json.ts';
import type { PathUse } from '../reading/reading.ts';
import { type ReadingSummary, TRAITS } from './reading-summary.ts';

/** Which path effects a key of a command test looks at. */
export const USES_OF_KEY = {
  reads: ['read', 'execute'],
  writes: ['write'],
  deletes: ['delete'],
} as const satisfies Readonly<Record<string, readonly PathUse[]>>;

/** The traits of which one is needed where a key is given, and where it is given as true. */
const TRAITS_OF_KEY = [
  ['reads', TRAITS.read | TRAITS.execute],
  ['writes', TRAITS.write],
  ['deletes', TRAITS.delete],
  ['environment', TRAITS.assignment],
  ['wrapped_by', TRAITS.via],
] as const;
const TRAITS_OF_YES = [
  ['uploads', TRAITS.network],
  ['downloads_and_runs', TRAITS.remote_code],
  ['privileged', TRAITS.privileged],
  ['elsewhere', TRAITS.elsewhere],
] as const;

/**
 * A quick look at what a reading holds: false only if no command in it can pass the test. Names and subcommands settle
 * it for nearly every policy. It works on the test as it is written: for most policies of a one-shot process nothing
 * else is ever made of it.
 */
export function couldPass(spec: Json, summary: ReadingSummary): boolean {
  if (summary.hasUnknownName) return true;
  if (!isJsonObject(spec)) return hasOneOf(spec, summary.names);
  const subcommand = own(spec, 'subcommand');
  const [program, word] = Array.isArray(subcommand) ? subcommand : [];
  const run = own(spec, 'run') ?? program;
  if (run !== undefined && !hasOneOf(run, summary.names)) return false;
  if (word !== undefined && !summary.hasUnknownWord && !hasOneOf(word, summary.words)) return false;
  const { traits } = summary;
  for (const [key, bits] of TRAITS_OF_KEY)
    if ((traits & bits) === 0 && own(spec, key) !== undefined) return false;
  for (const [key, bits] of TRAITS_OF_YES) if ((traits & bits) === 0 && own(spec, key) === true) return false;
  const network = own(spec, 'network');
  return network === undefined || network === false || (traits & TRAITS.network) !== 0;
}

/** Is one of these names, which may have wildcards, among the words? */
function hasOneOf(names: Json, words: ReadonlySet<string>): boolean {
  if (typeof names === 'string') return words.has(names) || names.includes('*');
  return Array.isArray(names) && names.some((name) => hasOneOf(name, words));
}
