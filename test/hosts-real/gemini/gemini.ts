import { existsSync } from 'node:fs';
import { BUNDLE } from '../../e2e/gemini/cli.ts';
import { readingScenes } from '../reading-scenes.ts';
import type { RealHost } from '../real-host.ts';
import { answers } from './answers.ts';
import { brokenHooks } from './broken-hooks.ts';
import { environments } from './environments.ts';
import { history } from './history.ts';
import { play, ran } from './play.ts';

/** Paths that the host cleans before it uses them. */
const PATHS: Readonly<Record<string, (path: string) => string>> = {
  'a path after an @': (path) => `@${path}`,
  'a path after an @ and a slash': (path) => `@/${path}`,
};

const CALLS = Object.fromEntries(
  Object.entries(PATHS).map(([name, spell]) => [
    name,
    (path: string) => ({ call: 'write_file', args: { file_path: spell(path), content: 'a' } }),
  ]),
);

/** Gemini CLI as npm installs it, with a model on this machine that says what it is told. */
export const gemini: RealHost = {
  name: 'gemini',
  missing() {
    if (existsSync(BUNDLE)) return undefined;
    return 'it is not installed: cd test/e2e/gemini && npm ci --omit=optional --ignore-scripts';
  },
  async *play(policy) {
    yield* answers(policy);
    yield* history(policy);
    yield* brokenHooks(policy);
    yield* environments(policy);
    yield* readingScenes(
      CALLS,
      async (call, policies, file) =>
        (await play({ program: policy, call, policies }, ran(file))) === 'the tool RAN',
    );
  },
};
