import type { RealHost } from '../real-host.ts';
import type { NpmHost } from './npm-host.ts';
import { scenesOf } from './scenes.ts';

const OPENCODE: NpmHost = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: 'opencode-linux-x64/bin/opencode',
  files: (url) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      model: 'local/model',
      provider: {
        local: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'none' },
          models: { model: {} },
        },
      },
    }),
  }),
  args: ['run'],
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  shell: (command) => ({ call: 'bash', args: { command, description: 'a command' } }),
};

/** OpenCode as npm installs it. */
export const opencode: RealHost = {
  name: 'opencode',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  play: (policy) =>
    scenesOf(OPENCODE, policy, {
      stop: 'the tool did not run, the model reads why',
      // OpenCode does not ask its plugins about the end of a turn.
      retry: 'the turn ended',
      scan: false,
    }),
};
