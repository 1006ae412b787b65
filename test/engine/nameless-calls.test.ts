import { describe, expect, test } from 'bun:test';
import { picoclaw } from '../../src/hosts/picoclaw/picoclaw.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { settingOf } from '../hosts/transcripts.ts';
import { program, rule, testMemory } from '../support/builders.ts';

const NAMELESS = { id: 'c1', type: 'function' };
const NAMED = { id: 'c2', type: 'function', function: { name: 'read_file', arguments: '{}' } };

/** The action that PicoClaw is told after an answer with these calls. */
function told(rewrite: JsonObject, calls: Json, params: JsonObject = {}): unknown {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'hook.after_llm',
    params: { model: 'm', response: { content: '', tool_calls: calls } },
  };
  const decoded = picoclaw.decode(message, settingOf());
  if (decoded.type !== 'event') throw new Error('no event');
  const engine = createEngine(
    program([rule({ action: 'modify', on: ['after_llm'], params: { rewrite, ...params } })]),
  );
  const { decision } = evaluate(engine, decoded.event, { memory: testMemory() });
  return JSON.parse(picoclaw.encode(decoded.event, decision, settingOf()).stdout).result.action;
}

describe.each<[string, JsonObject]>([
  ['drop_tool_calls', { drop_tool_calls: ['exec'] }],
  ['edit_tool_calls', { edit_tool_calls: [{ name: 'exec', set: { a: 1 } }] }],
])('%s by name', (_form, rewrite) => {
  test.each<[string, Json]>([
    ['all calls', [NAMELESS]],
    ['one of the calls', [NAMED, NAMELESS]],
    ['a call with an empty name', [{ ...NAMED, function: { name: '', arguments: '{}' } }]],
  ])('aborts the turn where the host does not name %s', (_which, calls) => {
    expect(told(rewrite, calls)).toBe('abort_turn');
  });

  test('lets nameless calls pass with on_unsupported: continue', () => {
    expect(told(rewrite, [NAMELESS], { on_unsupported: 'continue' })).toBe('continue');
  });

  test('leaves an answer without calls, or with other calls', () => {
    expect([told(rewrite, []), told(rewrite, [NAMED])]).toEqual(['continue', 'continue']);
  });
});

test('drop_tool_calls: true takes nameless calls out', () => {
  expect(told({ drop_tool_calls: true }, [NAMELESS])).toBe('modify');
});
