import { describe, expect, test } from 'bun:test';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createFacts } from '../../src/language/engine/facts.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { type History, NO_HISTORY, type PastCall } from '../../src/model/history.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import { NO_SURROUNDINGS } from '../../src/model/surroundings.ts';

const REPOSITORY = '/work/shop';
let sequence = 0;

/** A call that ran alone and succeeded, with whatever else is said. */
function past(parts: Partial<PastCall> = {}): PastCall {
  sequence += 2;
  return {
    sequence,
    settledSequence: sequence + 1,
    startedMs: Date.UTC(2026, 10, 26, 12, 0, sequence),
    refused: false,
    result: 'succeeded',
    met: true,
    ran: true,
    own: true,
    alone: true,
    values: { repository: [REPOSITORY] },
    ...parts,
  };
}

/** What a policy says of `git push` after these calls, by fact. */
function says(spec: JsonObject, calls: Readonly<Record<string, readonly PastCall[]>>, unknown?: string) {
  const history: History = {
    ...NO_HISTORY,
    past: (fact) => ({ calls: calls[fact] ?? [], ...(unknown === undefined ? {} : { unknown }) }),
  };
  const event = bareEvent({ on: 'before_tool', tool: 'write', arguments: { path: 'src/a.ts', content: '' } });
  const surroundings = { ...NO_SURROUNDINGS, repository: () => ({ root: REPOSITORY, name: null }) };
  const facts = createFacts(event, NO_MEMORY, () => surroundings, undefined, history);
  return MATCHER_TABLE.get('history')?.compile({ within: 'session', ...spec })(facts);
}

const tested = { fact: 'tested', outcome: 'succeeded' };
const edited = { fact: 'edited', outcome: 'passed' };

describe('history: not_seen', () => {
  const notSeen = (call: PastCall, outcome = 'succeeded') =>
    says({ not_seen: { fact: 'tested', outcome } }, { tested: [call] });

  test('holds where nothing came before, and not where it certainly happened', () => {
    expect(says({ not_seen: tested }, {})).toBe(true);
    expect(notSeen(past())).toBe(false);
  });

  test.each<readonly [Partial<PastCall>, boolean | 'unknown']>([
    [{ own: false, hiddenBy: 'pipe' }, 'unknown'],
    [{ met: false }, 'unknown'],
    [{ result: 'unknown' }, 'unknown'],
    [{ result: 'open', settledSequence: undefined }, 'unknown'],
    [{ result: 'failed' }, true],
    [{ result: 'failed', alone: undefined as never }, 'unknown'],
    [{ refused: true }, true],
    [{ values: { repository: ['/work/other'] } }, true],
    [{ values: {} }, 'unknown'],
  ])('of what succeeded, after a call with %j: %p', (parts, truth) => {
    expect(notSeen(past(parts))).toBe(truth);
  });

  test.each<readonly [string, Partial<PastCall>, boolean | 'unknown']>([
    ['done', { ran: false }, false],
    ['done', { ran: false, own: false }, 'unknown'],
    ['done', { ran: false, result: 'failed' }, 'unknown'],
    ['done', { result: 'failed' }, false],
    ['done', { result: 'open' }, 'unknown'],
    ['passed', { ran: false, own: false, result: 'open' }, false],
    ['passed', { met: false }, 'unknown'],
    ['asked', { refused: true }, false],
    ['refused', { refused: true }, false],
    ['refused', {}, true],
    ['failed', { result: 'failed' }, false],
    ['failed', { result: 'succeeded' }, true],
    ['failed', { result: 'failed', own: false }, 'unknown'],
  ])('of what was %s, after a call with %j: %p', (outcome, parts, truth) => {
    expect(notSeen(past(parts), outcome)).toBe(truth);
  });

  test('opens nothing where the store cannot tell', () => {
    expect(says({ not_seen: tested }, {}, 'the store was full')).toBe('unknown');
    expect(says({ not_seen: tested }, { tested: [past()] }, 'the store was full')).toBe(false);
  });
});

describe('history: since', () => {
  const spec = { not_seen: tested, since: edited };

  test('holds only if there was such an event', () => {
    expect(says(spec, {})).toBe(false);
    expect(says(spec, { edited: [past()] })).toBe(true);
    expect(says(spec, { edited: [past({ met: false })] })).toBe('unknown');
  });

  test('looks at what came after the last one', () => {
    const [first, second, third] = [past(), past(), past()];
    expect(says(spec, { edited: [first], tested: [second] })).toBe(false);
    expect(says(spec, { edited: [first, third], tested: [second] })).toBe(true);
    expect(says(spec, { edited: [first, { ...third, refused: true }], tested: [second] })).toBe(false);
    expect(says(spec, { edited: [first, { ...third, met: false }], tested: [second] })).toBe('unknown');
  });

  test('takes no test that began before the edit had ended', () => {
    const edit = past();
    const test = past();
    expect(says(spec, { edited: [{ ...edit, settledSequence: undefined }], tested: [test] })).toBe('unknown');
    expect(says(spec, { edited: [{ ...edit, settledSequence: test.sequence + 1 }], tested: [test] })).toBe(
      'unknown',
    );
  });

  test('takes no edit of another repository', () => {
    const [test, edit] = [past(), past({ values: { repository: ['/work/other'] } })];
    expect(says(spec, { edited: [past({ sequence: 0, settledSequence: 1 }), edit], tested: [test] })).toBe(
      false,
    );
  });

  test('narrows what was seen', () => {
    const [first, second] = [past(), past()];
    const seen = { seen: tested, since: edited };
    expect(says(seen, { edited: [first], tested: [second] })).toBe(true);
    expect(says(seen, { edited: [second], tested: [first] })).toBe(false);
    expect(says(seen, { tested: [first] })).toBe(true);
  });
});

describe('history: seen', () => {
  const seen = { seen: { fact: 'secret', outcome: 'passed' } };

  test('is certain, possible, or not there', () => {
    expect(says(seen, { secret: [past()] })).toBe(true);
    expect(says(seen, { secret: [past({ met: false })] })).toBe('unknown');
    expect(says(seen, { secret: [past({ refused: true })] })).toBe(false);
    expect(says(seen, {})).toBe(false);
    expect(says(seen, {}, 'the store was full')).toBe('unknown');
  });

  test('may count in another repository', () => {
    expect(says(seen, { secret: [past({ values: { repository: ['/work/other'] } })] })).toBe('unknown');
  });

  test('of the same file', () => {
    const same = { ...seen, same: ['path'] };
    const call = (path: readonly string[]) => past({ values: { repository: [REPOSITORY], path } });
    expect(says(same, { secret: [call(['/workspace/src/a.ts', '/b'])] })).toBe(true);
    expect(says(same, { secret: [call(['/b'])] })).toBe(false);
    expect(says(same, { secret: [past()] })).toBe('unknown');
  });
});

describe('history: count', () => {
  const of = { fact: 'run', outcome: 'passed' };
  const run = [past(), past({ met: false }), past()];

  test.each<readonly [JsonObject, boolean | 'unknown']>([
    [{ gte: 2 }, true],
    [{ gte: 3 }, 'unknown'],
    [{ gte: 4 }, false],
    [{ gt: 1 }, true],
    [{ gt: 3 }, false],
    [{ lt: 2 }, false],
    [{ lt: 4 }, true],
    [{ lte: 2 }, 'unknown'],
    [{ lte: 1 }, false],
    [{ equals: 1 }, false],
    [{ equals: 2 }, 'unknown'],
    [{ gte: 1, lt: 4 }, true],
  ])('two or three calls are %j: %p', (bounds, truth) => {
    expect(says({ count: { of, ...bounds } }, { run })).toBe(truth);
  });

  test('has no upper end where the store cannot tell', () => {
    expect(says({ count: { of, gte: 9 } }, { run }, 'the store was full')).toBe('unknown');
    expect(says({ count: { of, gte: 2 } }, { run }, 'the store was full')).toBe(true);
  });

  test('counts different values', () => {
    const call = (path: readonly string[]) => past({ values: { path } });
    const calls = [call(['/a', '/b']), call(['/a']), call([])];
    expect(says({ count: { of, gte: 2, distinct: 'path' } }, { run: calls })).toBe(true);
    expect(says({ count: { of, gte: 3, distinct: 'path' } }, { run: calls })).toBe(false);
    expect(says({ count: { of, gte: 3, distinct: 'path' } }, { run: [...calls, past()] })).toBe('unknown');
  });
});
