import { dirname } from 'node:path';
import type { RealHost } from '../real-host.ts';
import type { NpmHost } from './npm-host.ts';
import { ENDED, scenesOf } from './scenes.ts';

const CLINE: NpmHost = {
  name: 'cline',
  package: 'cline',
  version: '3.0.65',
  program: '@cline/cli-linux-x64/bin/cline',
  files: (url) => ({
    '.cline/data/settings/providers.json': JSON.stringify({
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: { provider: 'openai-compatible', apiKey: 'none', model: 'm', baseUrl: `${url}/v1` },
          updatedAt: '2026-11-26T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    }),
  }),
  args: ['--json'],
  env: () => ({}),
  // It leaves a process for other windows.
  end: (home) => {
    Bun.spawnSync(['pkill', '-f', '--', `--cline-hub-daemon --cwd ${dirname(home)}/project`]);
  },
  shell: (command) => ({ call: 'run_commands', args: { commands: [command] } }),
};

/** Cline as npm installs it. */
export const cline: RealHost = {
  name: 'cline',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  play: (policy) =>
    scenesOf(CLINE, policy, {
      // A refusal ends the run, whatever was decided.
      deny: ENDED,
      rewrite: 'final is not, draft is not',
      result: 'the model reads the secret, and nothing',
      prompt: 'the tool RAN',
      retry: 'the turn ended',
    }),
};
