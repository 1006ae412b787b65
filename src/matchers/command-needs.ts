import { isJsonObject, type Json, own } from '../lib/json.ts';
import type { PathUse } from '../reading/reading.ts';
import type { ReadingSummary } from './reading-summary.ts';

/** Which path effects a key of a command test looks at. */
export const USES_OF_KEY = {
  reads: ['read', 'execute'],
  writes: ['write'],
  deletes: ['delete'],
} as const satisfies Readonly<Record<string, readonly PathUse[]>>;

/**
 * A quick look at what a reading holds: false only if no command in it can pass the test. Names alone settle it for
 * nearly every policy.
 */
export function commandNeeds(spec: Json): (summary: ReadingSummary) => boolean {
  const whole = isJsonObject(spec) ? spec : { run: spec };
  const needs: ((summary: ReadingSummary) => boolean)[] = [];
  const subcommand = own(whole, 'subcommand');
  const programs = own(whole, 'run') ?? (Array.isArray(subcommand) ? subcommand[0] : undefined);
  const names = (Array.isArray(programs) ? programs : [programs]).filter((name) => typeof name === 'string');
  if (names.length > 0 && names.every((name) => !name.includes('*')))
    needs.push((summary) => names.some((name) => summary.names.has(name)));
  for (const [key, uses] of Object.entries(USES_OF_KEY)) {
    if (Object.hasOwn(whole, key)) needs.push((summary) => uses.some((use) => summary.uses.has(use)));
  }
  const network = own(whole, 'network');
  if ((network !== undefined && network !== false) || own(whole, 'uploads') === true)
    needs.push(({ effects }) => effects.has('network'));
  if (own(whole, 'downloads_and_runs') === true) needs.push(({ effects }) => effects.has('remote_code'));
  if (Object.hasOwn(whole, 'environment')) needs.push(({ hasAssignments }) => hasAssignments);
  return (summary) => summary.hasUnknownName || needs.every((need) => need(summary));
}
