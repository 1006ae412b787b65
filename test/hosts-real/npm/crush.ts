import type { RealHost } from '../real-host.ts';
import type { NpmHost } from './npm-host.ts';
import { scenesOf } from './scenes.ts';

const VARIABLE = 'CRUSH';

const CRUSH: NpmHost = {
  name: 'crush',
  package: '',
  version: '',
  program: '',
  variable: VARIABLE,
  files: (url) => ({
    '.config/crush/crush.json': JSON.stringify({
      providers: {
        m: {
          type: 'openai',
          base_url: `${url}/v1`,
          api_key: 'none',
          models: [{ id: 'm', name: 'm', context_window: 100_000, default_max_tokens: 1_000 }],
        },
      },
      models: { large: { model: 'm', provider: 'm' }, small: { model: 'm', provider: 'm' } },
    }),
  }),
  args: ['run'],
  env: () => ({ CRUSH_DISABLE_METRICS: '1', CRUSH_DISABLE_PROVIDER_AUTO_UPDATE: '1' }),
  shell: (command) => ({ call: 'bash', args: { command, description: 'a command' } }),
};

/** Crush, built from its source: npm has only what fetches it. */
export const crush: RealHost = {
  name: 'crush',
  missing: () => (process.env[VARIABLE] === undefined ? `${VARIABLE} names its program` : undefined),
  play: (policy) =>
    scenesOf(CRUSH, policy, {
      proof: '1 of 1 judged, by number, 0 ways past the hook',
      result: 'the model reads the secret, and nothing',
      prompt: 'the tool RAN',
      retry: 'the turn ended',
    }),
};
