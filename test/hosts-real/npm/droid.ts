import type { RealHost } from '../real-host.ts';
import { namesOf } from './names.ts';
import type { NpmHost } from './npm-host.ts';
import { scenesOf } from './scenes.ts';

const DROID: NpmHost = {
  name: 'droid',
  package: 'droid',
  version: '0.215.0',
  program: '@factory/cli-linux-x64/bin/droid',
  files: (url) => ({
    '.factory/settings.json': JSON.stringify({
      customModels: [
        { model: 'm', baseUrl: `${url}/v1`, apiKey: 'none', provider: 'generic-chat-completion-api' },
      ],
    }),
  }),
  args: ['exec', '--model', 'custom:m-0', '--skip-permissions-unsafe'],
  env: () => ({ FACTORY_API_KEY: 'fk-none', FACTORY_AIRGAP_ENABLED: 'true' }),
  shell: (command) => ({ call: 'Execute', args: { summary: 'a command', command, timeout: 20 } }),
};

/** Factory Droid as npm installs it. */
export const droid: RealHost = {
  name: 'droid',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  async *play(policy) {
    yield* scenesOf(DROID, policy, {
      proof: '1 of 1 judged, by number, 0 ways past the hook',

      result: 'the model reads no secret, and nothing',
      prompt: 'the tool RAN',
      retry: 'the turn ended',
    });
    yield* namesOf(DROID, policy);
  },
};
