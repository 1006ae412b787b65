import { afterEach, describe, expect, test } from 'bun:test';
import { type FollowedPolicies, followPolicies } from '../../src/hook/follow-policies.ts';
import type { PolicySet } from '../../src/hook/policy-set.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import type { Steps } from '../../src/lib/steps.ts';

const open: FollowedPolicies[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.stop();
});

function follow(load: () => Steps<PolicySet>, firstMs: number): FollowedPolicies {
  const policies = followPolicies(load, firstMs);
  open.push(policies);
  return policies;
}

function setOf(digest: string): PolicySet {
  return { ok: true, engine: createEngine({ digest, rules: [], unmatchedDeny: [], onErrorContinue: false }) };
}

/** Gives the set after so many steps of 5 ms. */
function* slowly(steps: number, set: PolicySet): Steps<PolicySet> {
  for (let step = 0; step < steps; step++) {
    Bun.sleepSync(5);
    yield;
  }
  return set;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 500) throw new Error('it never came to that');
    await Bun.sleep(10);
  }
}

function causeIn(set: PolicySet): string | undefined {
  return set.ok ? undefined : set.cause;
}

describe('followPolicies', () => {
  test('loads the first set while whoever asks for it waits', () => {
    const set = setOf('a');
    expect(follow(() => slowly(5, set), 5_000).current()).toBe(set);
  });

  test('refuses when that takes too long, says why, and goes on by itself without keeping others from their work', async () => {
    const set = setOf('a');
    let loads = 0;
    const policies = follow(() => {
      loads++;
      return slowly(60, set);
    }, 20);
    expect(causeIn(policies.current())).toMatch(/^loading the policies took too long/);
    let asked = 0;
    await until(() => {
      asked++;
      return policies.current() === set;
    });
    expect(loads).toBe(1);
    expect(asked).toBeGreaterThan(3);
  });

  test('keeps a set in force until the next one is loaded', async () => {
    const [first, second] = [setOf('a'), setOf('b')];
    let loads = 0;
    const policies = follow(() => (loads++ === 0 ? slowly(0, first) : slowly(20, second)), 1_000);
    expect(policies.current()).toBe(first);
    await until(() => loads > 1);
    expect(policies.current()).toBe(first);
    await until(() => policies.current() === second);
  });

  test('puts what can no longer be loaded into force, and loads again', async () => {
    const set = setOf('a');
    let loads = 0;
    const policies = follow(() => {
      loads++;
      if (loads === 2) {
        // biome-ignore lint/correctness/useYield: what it throws is all that it does
        return (function* (): Steps<PolicySet> {
          throw new Error('the disk is gone');
        })();
      }
      return slowly(0, set);
    }, 1_000);
    expect(policies.current()).toBe(set);
    await until(() => causeIn(policies.current()) === 'the disk is gone');
    await until(() => policies.current() === set);
  });
});
