import { describe, expect, test } from 'bun:test';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type AllowStore, createAllowStore } from '../../../src/hook/state/allow/allow-store.ts';
import type { CallToAllow, Grant } from '../../../src/model/grant.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const CALL: CallToAllow = {
  host: 'gemini',
  tool: 'run_shell_command',
  directory: '/project',
  arguments: { command: 'git push -f' },
  session: 's1',
};

/** A store with a clock that the test sets, on a machine that it names. */
function storeAt(home: string, machine = 'one') {
  const clock = { ms: Date.now() };
  const store = createAllowStore({ env: { HOME: home }, nowMs: () => clock.ms, machine: () => machine });
  return { store, clock };
}

function refuse(store: AllowStore, nowMs: number, call: CallToAllow = CALL) {
  const policies = [{ id: 'p/x', layer: 'user', locked: false, asks: false }] as const;
  return store.refuse({ call, policies, reason: 'no', refusedMs: nowMs });
}

function allow(store: AllowStore, nowMs: number, parts: Partial<Grant> = {}): Grant {
  const refused = refuse(store, nowMs);
  const given = { policies: ['p/x'], call: CALL, digest: refused.digest, scope: 'once' } as const;
  return store.allow(refused, { ...given, endsMs: nowMs + 60 * MINUTE_MS, ...parts });
}

const BY = { session: 's', id: undefined };

describe('createAllowStore', () => {
  test('finds a grant until it ends, and says so then', () => {
    const { store, clock } = storeAt(temporaryFolder());
    const grant = allow(store, clock.ms);
    expect(store.find(CALL)).toEqual({ grant, problem: undefined });
    clock.ms += 60 * MINUTE_MS;
    expect(store.find(CALL)).toEqual({ grant: undefined, problem: `the grant ${grant.code} has ended` });
  });

  test('does not count a grant where the clock shows a time before it', () => {
    const { store, clock } = storeAt(temporaryFolder());
    allow(store, clock.ms);
    clock.ms -= MINUTE_MS;
    expect(store.find(CALL)).toEqual({
      grant: undefined,
      problem: expect.stringContaining('the clock shows a time before'),
    });
  });

  test('does not count a grant that has ended once the clock is set back', () => {
    const home = temporaryFolder();
    const { store, clock } = storeAt(home);
    allow(store, clock.ms);
    // Something was written to the folder later than now.
    const later = (clock.ms + 2 * DAY_MS) / 1_000;
    utimesSync(join(home, '.local/state/policy/allow/granted'), later, later);
    expect(store.find(CALL).problem).toContain('the clock shows a time before');
  });

  test('does not count a grant of another machine with the same state folder', () => {
    const home = temporaryFolder();
    const { store, clock } = storeAt(home, 'one');
    const { code } = allow(store, clock.ms);
    expect(storeAt(home, 'two').store.find(CALL)).toEqual({
      grant: undefined,
      problem: `the grant ${code} does not count: it is another machine's`,
    });
  });

  test.each<[string, Partial<CallToAllow>]>([
    ['host', { host: 'jcli' }],
    ['tool', { tool: 'other' }],
    ['directory', { directory: '/' }],
    ['arguments', { arguments: { command: 'git push -f', cwd: '/' } }],
  ])('finds no grant for another %s', (_name, parts) => {
    const { store, clock } = storeAt(temporaryFolder());
    allow(store, clock.ms);
    expect(store.find({ ...CALL, ...parts })).toEqual({ grant: undefined, problem: undefined });
  });

  test('finds a grant whatever the order of the arguments', () => {
    const { store, clock } = storeAt(temporaryFolder());
    const refused = refuse(store, clock.ms, { ...CALL, arguments: { a: 1, b: { c: 2, d: 3 } } });
    const other = refuse(store, clock.ms, { ...CALL, arguments: { b: { d: 3, c: 2 }, a: 1 } });
    expect(other.digest).toBe(refused.digest);
  });

  test('uses a grant up once, and one for a time never', () => {
    const { store, clock } = storeAt(temporaryFolder());
    const once = allow(store, clock.ms);
    expect([store.use(once, CALL, BY), store.use(once, CALL, BY)]).toEqual([true, false]);
    expect(store.find(CALL).grant).toBeUndefined();
    const grant = allow(store, clock.ms, { scope: 'for' });
    expect([store.use(grant, CALL, BY), store.use(grant, CALL, BY)]).toEqual([true, true]);
    store.revoke(grant);
    expect(store.find(CALL).grant).toBeUndefined();
  });

  test('knows for a minute that a call was let pass, and only that one', () => {
    const { store, clock } = storeAt(temporaryFolder());
    const by = { session: 's', id: 't' };
    expect(store.use(allow(store, clock.ms), CALL, by)).toBe(true);
    expect(store.passed(CALL, { session: 's', id: 'u' }, true)).toBeUndefined();
    expect(store.passed(CALL, { session: 'other', id: 't' }, true)).toBeUndefined();
    expect(store.passed(CALL, { session: 's', id: undefined }, false)).toBeUndefined();
    expect(store.passed({ ...CALL, arguments: { command: 'ls' } }, by, true)).toBeUndefined();
    expect(store.passed(CALL, by, false)?.use()).toBe(true);
    clock.ms += MINUTE_MS + 1;
    expect(store.passed(CALL, by, false)).toBeUndefined();
  });

  test('keeps a call that is refused again as it is for a minute, unless something about it has changed', () => {
    const { store, clock } = storeAt(temporaryFolder());
    const { code, refusedMs } = refuse(store, clock.ms);
    const again = (ms: number, call: CallToAllow = CALL) => {
      expect(refuse(store, ms, call).code).toBe(code);
      return store.refused()[0];
    };
    expect(again(clock.ms + MINUTE_MS - 1)).toMatchObject({ refusedMs, call: { session: 's1' } });
    const other = again(clock.ms + 1, { ...CALL, session: 's2' });
    expect(other).toMatchObject({ refusedMs: refusedMs + 1, call: { session: 's2' } });
    expect(again(clock.ms + 1 + MINUTE_MS, { ...CALL, session: 's2' })?.refusedMs).toBe(
      refusedMs + 1 + MINUTE_MS,
    );
  });

  test('forgets refused calls after a day, and gives the same call a new code then', () => {
    const { store, clock } = storeAt(temporaryFolder());
    const { code } = refuse(store, clock.ms);
    expect(refuse(store, clock.ms).code).toBe(code);
    clock.ms += DAY_MS;
    expect(store.refused()).toEqual([]);
    expect(refuse(store, clock.ms).code).not.toBe(code);
  });

  test('takes codes again after a while, and not because the clock was set back', () => {
    const { store, clock } = storeAt(temporaryFolder());
    for (let count = 0; count < 5; count++) store.countWrongCode();
    expect(store.waitMs()).toBe(10 * MINUTE_MS);
    clock.ms -= MINUTE_MS;
    expect(store.waitMs()).toBeGreaterThan(0);
    clock.ms += 11 * MINUTE_MS;
    expect(store.waitMs()).toBe(0);
  });

  test('keeps a bounded number of refused calls', () => {
    const home = temporaryFolder();
    const { store, clock } = storeAt(home);
    for (let count = 0; count < 400; count++)
      refuse(store, clock.ms, { ...CALL, arguments: { command: `git push -f ${count}` } });
    expect(readdirSync(join(home, '.local/state/policy/allow/refused')).length).toBeLessThan(380);
  });

  test('makes nothing before something is refused', () => {
    const home = temporaryFolder();
    const { store } = storeAt(home);
    expect([store.find(CALL).grant, store.refused(), store.grants(), store.waitMs()]).toEqual([
      undefined,
      [],
      [],
      0,
    ]);
    expect(readdirSync(home)).toEqual([]);
  });
});
