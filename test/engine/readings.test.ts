import { describe, expect, test } from 'bun:test';
import { gemini } from '../../src/hosts/gemini/gemini.ts';
import { surroundingsAt } from '../../src/language/calls/bare-event.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Event } from '../../src/model/event.ts';
import type { Rule } from '../../src/model/policy.ts';
import { program, rule, testMemory } from '../support/builders.ts';

/** A call that the host may read as one about `a.txt`. */
function eventOf(args: JsonObject = { file_path: '@a.txt', content: 'x' }): Event {
  const message = gemini.compose({
    on: 'before_tool',
    tool: 'write_file',
    arguments: args,
    context: { cwd: '/work' },
  });
  const decoded = gemini.decode(message);
  if (decoded.type !== 'event') throw new Error('no event');
  return decoded.event;
}

/** What a rule does with the call, traced or not. */
function ends(parts: Partial<Rule> & Pick<Rule, 'action'>, event: Event = eventOf()): string {
  const engine = createEngine(program([rule(parts)]));
  const options = { memory: testMemory(), surroundings: () => surroundingsAt('/work'), nowMs: () => 0 };
  const plain = evaluate(engine, event, options).decision.action;
  const traced = evaluate(engine, event, { ...options, trace: { nowUs: () => 0 } });
  expect(traced.decision.action).toBe(plain);
  expect(traced.trace.map(({ truth, miss }) => (truth === true) === (miss === undefined))).toEqual([true]);
  return plain;
}

describe('a call that its host may read otherwise', () => {
  test.each<[string, JsonObject]>([
    ['as it stands', { path: '@a.txt' }],
    ['as the host may read it', { path: './a.txt' }],
    ['by the text as it stands', { arguments: { path: '^@a' } }],
    ['by the text as the host may read it', { arguments: { path: '^a' } }],
    ['where one reading is left out', { path: { match: '**', except: ['./a.txt'] } }],
    ['where the other one is left out', { path: { match: '**', except: ['@a.txt'] } }],
    ['where one reading is not meant', { not: { path: './a.txt' } }],
  ])('is refused %s', (_name, when) => {
    expect(ends({ action: 'deny', when })).toBe('deny');
  });

  test.each<[string, JsonObject, string]>([
    ['both readings', { path: { match: ['./a.txt', '@a.txt'] } }, 'approve'],
    ['all files', { path: '**' }, 'approve'],
    ['it as it stands', { path: '@a.txt' }, 'continue'],
    ['what the host may read', { path: './a.txt' }, 'continue'],
  ])('is approved by what approves %s: %p %s', (_name, when, expected) => {
    expect(ends({ action: 'approve', when })).toBe(expected);
  });

  test.each<[JsonObject, string]>([
    [{ arguments: { file_path: { equals: '@a.txt' } } }, 'deny'],
    [{ arguments: { file_path: { equals: 'a.txt' } } }, 'deny'],
    [{ arguments: { file_path: '^@?a[.]txt$' } }, 'continue'],
  ])('is exempt by an exception for both: %j', (when, expected) => {
    const exceptions = [{ when, endsMs: 1 }] as unknown as NonNullable<Rule['exceptions']>;
    expect(ends({ action: 'deny', when: {}, exceptions })).toBe(expected);
  });

  test('is the same call in the event', () => {
    const { readings = [], tool } = eventOf();
    expect(tool?.arguments).toEqual({ file_path: '@a.txt', content: 'x' });
    expect(readings.map((event) => event.tool?.arguments)).toEqual([{ file_path: 'a.txt', content: 'x' }]);
    expect(eventOf({ file_path: 'a.txt' }).readings).toEqual([]);
  });
});
