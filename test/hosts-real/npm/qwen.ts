import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RealHost } from '../real-host.ts';
import { type Lists, namesIn, namesOf } from './names.ts';
import type { NpmHost } from './npm-host.ts';
import { scenesOf } from './scenes.ts';

const QWEN: NpmHost = {
  name: 'qwen',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  program: '.bin/qwen',
  files: () => ({ '.qwen/settings.json': '{"security": {"auth": {"selectedType": "openai"}}}' }),
  args: ['--yolo', '-p'],
  env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'model' }),
  shell: (command) => ({ call: 'run_shell_command', args: { command, is_background: false } }),
};

const LISTS: Lists = {
  tools: (program) => namesIn(chunksOf(program), /ToolNames = \{[^}]*\}/, /: ["'](\w+)["']/g),
  events: (program) => namesIn(chunksOf(program), /(?:HookEventName2\["\w+"\] = [^;]*;\s*)+/, /\["(\w+)"\]/g),
  passedOver: [
    'InstructionsLoaded',
    'MessageDisplay',
    'PermissionDenied',
    'PostCompact',
    'PostToolBatch',
    'SessionDelete',
    'StopFailure',
    'TodoCompleted',
    'TodoCreated',
    'UserPromptExpansion',
  ],
};

function chunksOf(program: string): string {
  return join(dirname(realpathSync(program)), 'chunks');
}

/** Qwen Code as npm installs it. */
export const qwen: RealHost = {
  name: 'qwen',
  missing: () => undefined,
  async *play(policy) {
    yield* scenesOf(QWEN, policy, {
      stop: 'the tool did not run, the model reads why',
      rewrite: 'final is not, draft is not',
    });
    yield* namesOf(QWEN, policy, LISTS);
  },
};
