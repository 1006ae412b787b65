import { expect, test } from 'bun:test';
import { type Generation, generationOf, refusesByAbort } from '../../../src/hosts/jcli/generation.ts';
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
  expect(generationOf(settingOf({ version, env }))).toBe(expected);
});

test('refusesByAbort holds for A and B only', () => {
  expect((['A', 'B', 'C', 'D', 'E'] as const).filter(refusesByAbort)).toEqual(['A', 'B']);
});
