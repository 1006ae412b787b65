import { expect, test } from 'bun:test';
import { HOSTS } from '../../src/hosts/registry.ts';
import { agentIn } from '../../src/tools/cli/allow/agents.ts';

test.each<[readonly string[], string | undefined]>([
  [['/usr/bin/gemini'], 'gemini'],
  [['node', '/usr/lib/node_modules/@google/gemini-cli/dist/index.js'], 'gemini-cli'],
  [['/opt/claude.exe'], 'claude'],
  [['python3', '/home/me/.local/bin/aider'], 'aider'],
  [['/usr/bin/bash', '/home/me/gemini/run.sh'], undefined],
  [['-bash'], undefined],
  [['tmux', 'new', '-s', 'gemini'], undefined],
  [['/usr/bin/node', '/home/me/node_modules/vite/bin/vite.js'], undefined],
])('agentIn of %j is %p', (argv, agent) => {
  expect(agentIn({ argv, env: {} })).toBe(agent);
});

test('agentIn knows the programs of every host', async () => {
  for (const host of HOSTS) {
    const { programs } = await host.installation();
    expect(programs).not.toBeEmpty();
    for (const name of programs) expect(agentIn({ argv: [`/usr/bin/${name}`], env: undefined })).toBe(name);
  }
});

test('agentIn knows agents by the variables that they set', () => {
  expect(agentIn({ argv: ['sh'], env: { GEMINI_SESSION_ID: 'x' } })).toBe('GEMINI_SESSION_ID');
  expect(agentIn({ argv: ['sh'], env: { CLAUDECODE: '1' } })).toBe('CLAUDECODE');
  expect(agentIn({ argv: ['sh'], env: { CLAUDECODE: '' } })).toBeUndefined();
});
