import type { RealHost } from '../real-host.ts';
import { namesOf } from './names.ts';
import type { NpmHost } from './npm-host.ts';
import { scenesOf } from './scenes.ts';

const COPILOT: NpmHost = {
  name: 'copilot',
  package: '@github/copilot',
  version: '1.0.102',
  program: '@github/copilot-linux-x64/copilot',
  files: () => ({}),
  args: ['--allow-all-tools', '--allow-all-paths', '-p'],
  env: (url) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'gpt-4o',
  }),
  shell: (command) => ({ call: 'bash', args: { command, description: 'a command' } }),
};

/** Copilot CLI as npm installs it. */
export const copilot: RealHost = {
  name: 'copilot',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  async *play(policy) {
    yield* scenesOf(COPILOT, policy, {
      proof: '1 of 1 judged, by number, 0 ways past the hook',

      stop: 'the tool did not run, the model reads why',
      broken: 'the tool did not run, the model reads something else',
      retry: 'the turn ended',
    });
    yield* namesOf(COPILOT, policy);
  },
};
