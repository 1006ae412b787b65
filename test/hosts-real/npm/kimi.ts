import type { RealHost } from '../real-host.ts';
import { namesOf } from './names.ts';
import type { NpmHost } from './npm-host.ts';
import { NOT_RUN, scenesOf } from './scenes.ts';

const KIMI: NpmHost = {
  name: 'kimi',
  package: '@moonshot-ai/kimi-code',
  version: '2.1.0',
  node: '26.12.1',
  program: '@moonshot-ai/kimi-code/dist/main.mjs',
  files: (url) => ({
    '.kimi-code/config.toml': `default_model = "m"
telemetry = false
[providers.p]
type = "openai"
base_url = "${url}/v1"
api_key = "none"
[models.m]
provider = "p"
model = "m"
max_context_size = 100000
capabilities = ["tool_use"]
`,
  }),
  args: ['-p'],
  env: () => ({ KIMI_DISABLE_TELEMETRY: '1', KIMI_CODE_NO_AUTO_UPDATE: '1' }),
  shell: (command) => ({ call: 'Bash', args: { command, description: 'a command' } }),
};

/** Kimi Code as npm installs it. */
export const kimi: RealHost = {
  name: 'kimi',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  async *play(policy) {
    yield* scenesOf(KIMI, policy, {
      stop: NOT_RUN,
      // It does not say the last words.
      retry: 'the turn ended',
      rewrite: 'final is not, draft is not',
      result: 'the model reads the secret, and nothing',
    });
    yield* namesOf(KIMI, policy);
  },
};
