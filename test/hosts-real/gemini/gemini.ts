import { existsSync } from 'node:fs';
import { BUNDLE } from '../../e2e/gemini/cli.ts';
import type { RealHost } from '../real-host.ts';
import { answers } from './answers.ts';
import { brokenHooks } from './broken-hooks.ts';
import { environments } from './environments.ts';

/** Gemini CLI as npm installs it, with a model on this machine that says what it is told. */
export const gemini: RealHost = {
  name: 'gemini',
  missing() {
    if (existsSync(BUNDLE)) return undefined;
    return 'it is not installed: cd test/e2e/gemini && npm ci --omit=optional --ignore-scripts';
  },
  async *play(policy) {
    yield* answers(policy);
    yield* brokenHooks(policy);
    yield* environments(policy);
  },
};
