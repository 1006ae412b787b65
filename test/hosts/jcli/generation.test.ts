import { expect, test } from 'bun:test';
import { type Generation, generationOf, refusesByAbort } from '../../../src/hosts/jcli/generation.ts';
import { jcli } from '../../../src/hosts/jcli/jcli.ts';
import type { Json } from '../../../src/lib/json.ts';
import { settingOf } from '../transcripts.ts';

const NONE = {};
const NEW = { JCLI_HOOK_DIR: '/h' };
const SESSION_HOOK = { JCLI_HOOK_DIR: '' };

test.each<[string | undefined, Record<string, string>, Generation]>([
  [undefined, NONE, 'E'],
  ['A', NONE, 'A'],
  ['B', NONE, 'B'],
  ['C', NONE, 'C'],
  ['D', NONE, 'D'],
  ['E', NONE, 'E'],
  ['Z', NONE, 'E'],
  [undefined, NEW, 'E'],
  ['A', NEW, 'E'],
  ['A', SESSION_HOOK, 'E'],
  ['D', NEW, 'D'],
])('generationOf of version %p with %p is %s', (version, env, expected) => {
  for (const message of [undefined, {}, { session_id: 's' }])
    expect(generationOf(settingOf({ version, env }), message)).toBe(expected);
});

const STARTED = { JCLI_HOOK_EVENT: 'pre_tool_execution' };

test.each<[string | undefined, Json | undefined, Generation]>([
  [undefined, { session_id: 's' }, 'C'],
  [undefined, { session_id: 7 }, 'C'],
  [undefined, { event: 'pre_tool_execution' }, 'A'],
  [undefined, undefined, 'E'],
  [undefined, ['no object'], 'E'],
  ['A', { session_id: 's' }, 'C'],
  ['A', {}, 'A'],
  ['A', undefined, 'A'],
  ['B', { session_id: 's' }, 'B'],
  ['B', {}, 'A'],
  ['C', {}, 'C'],
])(
  'generationOf of version %p tells A and C apart by the session in %j: %s',
  (version, message, expected) => {
    expect(generationOf(settingOf({ version, env: STARTED }), message)).toBe(expected);
  },
);

test('what jcli can do is looked up for the generation that sent the event, whatever was named', () => {
  const setting = settingOf({ version: 'A', env: NEW });
  const decoded = jcli.decode({ event: 'stop', cwd: '/', session_id: 's' }, setting);
  if (decoded.type !== 'event') throw new Error('no event');
  expect(jcli.supports(jcli.versionOf(decoded.event, setting)).after_turn?.actions).toContain(
    'retry_feedback',
  );
});

test('refusesByAbort holds for A and B only', () => {
  expect((['A', 'B', 'C', 'D', 'E'] as const).filter(refusesByAbort)).toEqual(['A', 'B']);
});
