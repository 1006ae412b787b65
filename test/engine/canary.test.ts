import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { canarySide } from '../../src/language/engine/canary.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { createFacts } from '../../src/language/engine/facts.ts';
import type { Canary } from '../../src/model/policy.ts';
import { NO_SURROUNDINGS, type Surroundings } from '../../src/model/surroundings.ts';
import { program, rule, testMemory, toolEvent } from '../support/builders.ts';

const EVENT = toolEvent('run', { command: 'ls' });

interface Place {
  readonly machine?: string;
  /** Null for one without a remote. */
  readonly repository?: string | null;
}

function at({ machine, repository }: Place): Surroundings {
  return {
    ...NO_SURROUNDINGS,
    ...(machine === undefined ? {} : { machine: () => machine }),
    ...(repository === undefined ? {} : { repository: () => ({ root: '/work', name: repository }) }),
  };
}

function sideOf(canary: Partial<Canary>, place: Place, id = 'team/no-push') {
  const mode = { canary: { percent: 50, by: 'machine' as const, ...canary } };
  return canarySide(
    { id, mode },
    createFacts(EVENT, testMemory(), () => at(place)),
  );
}

function isInForce(canary: Partial<Canary>, place: Place, id?: string): boolean {
  return sideOf(canary, place, id)?.isInForce === true;
}

describe('canarySide', () => {
  test('is nothing to a policy without a share', () => {
    const facts = createFacts(EVENT, testMemory(), () => NO_SURROUNDINGS);
    expect(canarySide({ id: 'a/b', mode: 'enforce' }, facts)).toBeUndefined();
    expect(canarySide({ id: 'a/b', mode: 'monitor' }, facts)).toBeUndefined();
  });

  // Machines that have a policy must not lose it with another release.
  test.each([
    ['machine-1', 'team/no-push', 11.4],
    ['machine-2', 'team/no-push', 87.75],
    ['machine-1', 'team/no-merge', 93.93],
  ])('puts %s in the same place of %s in every release', (machine, id, place) => {
    expect(sideOf({}, { machine }, id)?.place).toBeCloseTo(place, 1);
  });

  test('takes all at 100, none at 0, and adds to those in force where the share grows', () => {
    const percent = fc.double({ min: 0, max: 100, noNaN: true });
    const by = fc.constantFrom('machine' as const, 'repository' as const);
    fc.assert(
      fc.property(fc.string(), fc.string(), by, percent, percent, (machine, repository, of, one, other) => {
        const place = { machine, repository };
        expect(isInForce({ by: of, percent: 100 }, place)).toBe(true);
        expect(isInForce({ by: of, percent: 0 }, place)).toBe(false);
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        if (isInForce({ by: of, percent: less }, place))
          expect(isInForce({ by: of, percent: more }, place)).toBe(true);
      }),
    );
  });

  test('takes about the share, and other machines for another policy', () => {
    const machines = Array.from({ length: 2_000 }, (_, index) => ({ machine: `machine-${index}` }));
    const one = machines.filter((machine) => isInForce({ percent: 10 }, machine, 'a/one'));
    const two = machines.filter((machine) => isInForce({ percent: 10 }, machine, 'a/two'));
    for (const taken of [one, two]) expect(Math.abs(taken.length - 200)).toBeLessThan(60);
    expect(one.filter((machine) => two.includes(machine)).length).toBeLessThan(60);
  });

  test('goes by the repository on every machine alike, and by the machine where there is none', () => {
    const repository = 'github.com/acme/shop';
    const known = ['m1', 'm2', 'm3'].map((machine) => sideOf({ by: 'repository' }, { machine, repository }));
    expect(new Set(known.map((side) => side?.place)).size).toBe(1);
    expect(known[0]).toMatchObject({ by: 'repository', repository });
    const byMachine = sideOf({}, { machine: 'm1' });
    expect(byMachine?.by).toBe('machine');
    expect(sideOf({ by: 'repository' }, { machine: 'm1', repository: null })).toEqual(byMachine);
    expect(sideOf({ by: 'repository' }, { machine: 'm1' })).toEqual(byMachine);
    expect(sideOf({}, { machine: 'm1', repository })).toEqual(byMachine);
  });

  test('is in force where nobody knows the machine, as in tests', () => {
    expect(sideOf({ percent: 0 }, {})).toEqual({ isInForce: true, by: 'unknown' });
  });
});

describe('evaluate', () => {
  const canary = (percent: number) =>
    rule({ id: 'team/no-push', action: 'deny', mode: { canary: { percent, by: 'machine' } } });

  function judge(percent: number, trace = false) {
    const options = {
      memory: testMemory(),
      surroundings: () => at({ machine: 'machine-1' }),
      ...(trace ? { trace: { nowUs: () => 0 } } : {}),
    };
    return evaluate(createEngine(program([canary(percent)])), EVENT, options);
  }

  test('refuses on one side of a canary and only notes on the other', () => {
    const inside = judge(12);
    expect([inside.decision.action, inside.hits[0]?.how]).toEqual(['deny', 'matched']);
    const outside = judge(11);
    expect([outside.decision.action, outside.hits[0]?.how]).toEqual(['continue', 'monitored']);
  });

  test('says in a trace on which side the call is', () => {
    expect(judge(11, true).trace[0]?.canary).toMatchObject({ isInForce: false, by: 'machine' });
  });
});
