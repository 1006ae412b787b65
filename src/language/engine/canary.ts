import { sha256Hex } from '../../lib/digest.ts';
import type { Facts } from '../../model/facts.ts';
import type { CanarySide } from '../../model/outcome.ts';
import type { Rule } from '../../model/policy.ts';

/** As many bits of a digest as a number holds exactly, in hex digits. */
const DIGITS = 13;

/** The canary side of a policy for an event; undefined without a canary. A growing share only adds machines and repositories. */
export function canarySide({ id, mode }: Pick<Rule, 'id' | 'mode'>, facts: Facts): CanarySide | undefined {
  if (typeof mode === 'string') return undefined;
  const { percent, by } = mode.canary;
  const { surroundings } = facts;
  const repository = by === 'repository' ? (surroundings.repository?.()?.name ?? undefined) : undefined;
  const name = repository ?? surroundings.machine?.();
  // Nobody knows who this is: then it is as if the share were whole.
  if (name === undefined) return { isInForce: true, by: 'unknown' };
  const place = placeOf(id, name);
  const side = { isInForce: place < percent, place };
  return repository === undefined ? { ...side, by: 'machine' } : { ...side, by: 'repository', repository };
}

/** From 0 to below 100, spread evenly. */
function placeOf(id: string, name: string): number {
  const digest = sha256Hex([id, name]).slice(0, DIGITS);
  return (Number.parseInt(digest, 16) / 16 ** DIGITS) * 100;
}
