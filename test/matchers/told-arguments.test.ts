import { expect, test } from 'bun:test';
import { gemini } from '../../src/hosts/gemini/gemini.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import { whenLiterals } from '../../src/language/keys/when.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { program, rule, testMemory } from '../support/builders.ts';

const CONTEXT = { server_name: 'github', tool_name: 'merge' };

function isDenied(test: Json, input: JsonObject, mcp_context?: JsonObject, times = 1): boolean {
  const message = {
    session_id: 's',
    hook_event_name: 'BeforeTool',
    tool_name: 'mcp_github_merge',
    tool_input: input,
    ...(mcp_context === undefined ? {} : { mcp_context }),
  };
  const decoded = gemini.decode(message);
  if (decoded.type !== 'event') throw new Error('no event');
  const { event } = decoded;
  const when = { arguments: test };
  const literals = whenLiterals(when, MATCHER_TABLE) ?? null;
  const engine = createEngine(program([rule({ action: 'deny', when, literals })]));
  const memory = testMemory();
  for (let i = 1; i < times; i += 1) evaluate(engine, event, { memory });
  return evaluate(engine, event, { memory }).decision.action === 'deny';
}

test.each<[string, Json, JsonObject, JsonObject | undefined, boolean]>([
  ['the server', { server: { equals: 'github' } }, {}, CONTEXT, true],
  ['the server by a regex', { server: 'github' }, {}, CONTEXT, true],
  ['another server', { server: { equals: 'gitlab' } }, {}, CONTEXT, false],
  ['the tool of the server', { tool_name: 'merge' }, { a: 1 }, CONTEXT, true],
  ['arguments of these names', { server: { equals: 'mirror' } }, { server: 'mirror' }, CONTEXT, true],
  ['the server behind such an argument', { server: { equals: 'github' } }, { server: 'x' }, CONTEXT, true],
  ['a call that says neither', { server: { exists: true } }, {}, undefined, false],
  ['no part of the server', { 'server.a': { exists: true } }, {}, CONTEXT, false],
  ['the arguments only, by *', { '*': 'github' }, { a: 'b' }, CONTEXT, false],
])('arguments see %s', (_name, spec, input, context, expected) => {
  expect(isDenied(spec, input, context)).toBe(expected);
});

test('arguments see the server when the index has built its tables', () => {
  expect(isDenied({ server: { equals: 'github' } }, { cmd: 'ls' }, CONTEXT, 20)).toBe(true);
});
