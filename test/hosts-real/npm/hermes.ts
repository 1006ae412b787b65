import type { RealHost } from '../real-host.ts';
import type { NpmHost } from './npm-host.ts';
import { NOT_RUN, scenesOf } from './scenes.ts';

const VARIABLE = 'HERMES';

const HERMES: NpmHost = {
  name: 'hermes',
  package: '',
  version: '',
  program: '',
  variable: VARIABLE,
  files: (url) => ({
    '.hermes/config.yaml': `# mine
model:
  default: m
  provider: custom
  base_url: ${url}/v1
  api_key: none
  context_length: 100000
`,
  }),
  args: ['chat', '-Q', '-t', 'terminal,file', '--accept-hooks', '--yolo', '-q'],
  env: () => ({}),
  shell: (command) => ({ call: 'terminal', args: { command } }),
};

/** Hermes Agent as pip installs it into an environment of its own: `HERMES=…/bin/hermes`. */
export const hermes: RealHost = {
  name: 'hermes',
  missing: () => (process.env[VARIABLE] === undefined ? `${VARIABLE} names its program` : undefined),
  play: (policy) =>
    scenesOf(HERMES, policy, {
      stop: NOT_RUN,
      rewrite: 'final is not, draft is not',
      result: 'the model reads the secret, and nothing',
      prompt: 'the tool RAN',
      retry: 'the turn ended',
    }),
};
