import { readingScenes } from '../reading-scenes.ts';
import type { RealHost } from '../real-host.ts';
import { namesOf } from './names.ts';
import { type NpmHost, play } from './npm-host.ts';
import { scenesOf } from './scenes.ts';

/** Only models of this name are given the tool that applies patches. */
const PATCHING = 'gpt-5';

const OPENCODE: NpmHost = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: 'opencode-linux-x64/bin/opencode',
  files: (url) => asking(url, 'model'),
  args: ['run'],
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  shell: (command) => ({ call: 'bash', args: { command, description: 'a command' } }),
};

function asking(url: string, model: string): Readonly<Record<string, string>> {
  return {
    '.config/opencode/opencode.json': JSON.stringify({
      model: `local/${model}`,
      provider: {
        local: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'none' },
          models: { [model]: {} },
        },
      },
    }),
  };
}

/** Patches with something behind the name of a file that the host takes off. */
const PATCHES = Object.fromEntries(
  Object.entries({ 'a carriage return': '\r', 'a line separator': '\u2028', 'no space before it': '' }).map(
    ([name, end]) => [
      `a patch with ${name}`,
      (path: string) => {
        const header = end === '' ? `*** Add File:${path}` : `*** Add File: ${path}${end}`;
        const patchText = `*** Begin Patch\n${header}\n+a\n*** End Patch`;
        return { call: 'apply_patch', args: { patchText } };
      },
    ],
  ),
);

/** OpenCode as npm installs it. */
export const opencode: RealHost = {
  name: 'opencode',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  async *play(policy) {
    yield* scenesOf(OPENCODE, policy, {
      proof: '1 of 1 judged, 0 ways past the hook, the plugin was loaded',
      stop: 'the tool did not run, the model reads why',
      // OpenCode does not ask its plugins about the end of a turn.
      retry: 'the turn ended',
    });
    const patching = { ...OPENCODE, files: (url: string) => asking(url, PATCHING) };
    yield* readingScenes(PATCHES, (call, policies, file) =>
      play(patching, { policy, policies, answers: [call] }, ({ made }) => made(file)),
    );
    yield* namesOf(OPENCODE, policy);
  },
};
