import type { RealHost } from '../real-host.ts';
import type { NpmHost } from './npm-host.ts';
import { NOT_RUN, scenesOf } from './scenes.ts';

const PORT = 18_997;

const OPENCLAW: NpmHost = {
  name: 'openclaw',
  package: 'openclaw',
  version: '2026.9.6',
  node: '26.12.1',
  program: 'openclaw/openclaw.mjs',
  files: (url) => ({
    '.openclaw/openclaw.json': JSON.stringify({
      gateway: { mode: 'local', port: PORT, bind: 'loopback', auth: { mode: 'token', token: 'none' } },
      agents: { defaults: { model: { primary: 'local/m' }, skipBootstrap: true, workspace: '~/../project' } },
      models: {
        mode: 'merge',
        providers: {
          local: {
            baseUrl: `${url}/v1`,
            apiKey: 'none',
            api: 'openai-completions',
            models: [
              {
                id: 'm',
                name: 'm',
                reasoning: false,
                input: ['text'],
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
                contextWindow: 100_000,
                maxTokens: 4_096,
              },
            ],
          },
        },
      },
    }),
  }),
  service: { args: ['gateway', 'run'], port: PORT },
  args: ['agent', '--agent', 'main', '--json', '--message'],
  env: () => ({ OPENCLAW_SKIP_CHANNELS: '1' }),
  shell: (command) => ({ call: 'exec', args: { command } }),
};

/** OpenClaw as npm installs it: its gateway, which loads plugins. */
export const openclaw: RealHost = {
  name: 'openclaw',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  play: (policy) =>
    scenesOf(OPENCLAW, policy, {
      scan: false,
      proof: 'no sessions, the plugin was loaded',
      stop: NOT_RUN,
      result: 'the model reads the secret, and nothing',
      prompt: 'the tool RAN',
      retry: 'the turn ended',
    }),
};
