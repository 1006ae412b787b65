import { expect, test } from 'bun:test';
import { codex } from '../../../src/hosts/codex/codex.ts';
import type { Order } from '../../../src/hosts/installation.ts';

const PATH = '/etc/codex/requirements.toml';
const MACHINE = { env: {}, home: '/home/me', project: '/work' };
const START = { program: '/usr/local/lib/policy/bin/policy', home: '/home/me', version: undefined };
const ORDER: Order = {
  scope: 'system',
  start: START,
  kinds: new Set(['before_prompt']),
  release: undefined,
  files: { text: () => undefined, names: () => [], isFolder: () => false },
  digits: '000000',
};
const installation = await codex.installation();

function inspected(text: string) {
  const files = { ...ORDER.files, text: (path: string) => (path === PATH ? text : undefined) };
  return installation.inspect(MACHINE, files);
}

test.each([
  ['no requirements', ''],
  ['requirements of an administrator', 'allow_managed_hooks_only = true\n\n[features]\nhooks = true\n'],
  [
    'hooks of an administrator',
    '[[hooks.PreToolUse]]\nmatcher = "x"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "true"',
  ],
])('the hook is put behind %s, is found there, and is taken out again', (_, base) => {
  const text = installation.edit(base, undefined, ORDER, MACHINE);
  expect(installation.places('system', MACHINE)).toEqual([PATH]);
  const { hooks, findings } = inspected(text);
  expect(hooks).toMatchObject([
    { path: PATH, events: expect.arrayContaining(['PreToolUse', 'PostToolUse', 'UserPromptSubmit']) },
  ]);
  expect(findings).toEqual([]);
  expect(installation.strip(text)?.trim() ?? '').toBe(base.trim());
  expect(installation.strip(base)).toBe(base);
});

test('hooks in one line are left to their owner', () => {
  const base = 'hooks = { PreToolUse = [] }\n';
  expect(() => installation.edit(base, undefined, ORDER, MACHINE)).toThrow(
    'write each of them as [[hooks.EVENT]]',
  );
});

test('where only managed hooks run, the one of a person is named', () => {
  const text = 'allow_managed_hooks_only = true\n';
  expect(inspected(text).findings).toMatchObject([
    { code: 'hooks-off', fix: 'have the hook installed with policy install --system' },
  ]);
});
