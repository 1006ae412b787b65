import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scene } from '../real-host.ts';
import { type Play, play, ran, told } from './play.ts';

const FAILED =
  'the tool did not run, the model reads [{"error":"Tool execution blocked: the policy hook has failed"}]';

/** Programs that stand in for the hook when something is wrong with it. */
const PROGRAMS = {
  'a hook that is killed': 'kill -9 $$',
  'a hook that is killed half way through its answer': `printf '{"decision":"allow","x'; kill -9 $$`,
  'a hook that says nothing': 'exit 0',
  'a hook that says nothing and fails': 'exit 2',
  'a hook that prints no JSON': 'echo everything is fine',
};

/** Hooks that cannot judge. */
export async function* brokenHooks(program: string): AsyncIterable<Scene> {
  const touch: Play = { program, call: 'touch made' };
  yield {
    name: 'a hook that is not there',
    expected: FAILED,
    seen: await play({ ...touch, program: '/nowhere/policy' }, told('made')),
  };
  const folder = mkdtempSync(join(tmpdir(), 'policy-gemini-'));
  try {
    for (const [name, script] of Object.entries(PROGRAMS)) {
      const path = join(folder, 'program');
      writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      yield { name, expected: FAILED, seen: await play({ ...touch, program: path }, told('made')) };
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const broken = { ...touch, policies: 'version: 1\npolicies: [' };
  yield {
    name: 'a policy file that is broken',
    expected: 'the tool did not run',
    seen: await play(broken, ran('made')),
  };
  yield {
    name: 'the same before a request to the model',
    expected: 'no request went to the model',
    seen: await play({ ...broken, events: ['BeforeModel', 'BeforeTool'] }, ran('made')),
  };
  yield* slowHooks(touch);
}

/** A model that judges and says nothing keeps the hook waiting. */
async function* slowHooks(touch: Play): AsyncIterable<Scene> {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Promise<Response>(() => {}) });
  const policies = `
version: 1
name: house
judges:
  silent: {provider: openai-compatible, base_url: 'http://127.0.0.1:${server.port}/v1', model: m}
policies:
  - {id: slow, type: llm_judge, judge: silent, prompt: Is it harmless?}
`;
  const line = (timeoutS: number) => (text: string) =>
    text.replace('--host gemini', `--host gemini --host-timeout ${timeoutS}`);
  try {
    yield {
      name: 'a slow hook that knows how long Gemini CLI waits',
      expected:
        'the tool did not run, the model reads [{"error":"Tool execution blocked: Refused by house/slow: the judge silent gave no verdict: it did not answer in time."}]',
      seen: await play({ ...touch, policies, line: line(3), hook: { timeout: 3_000 } }, told('made')),
    };
    yield {
      name: 'a slow hook that does not: Gemini CLI lets the call run',
      expected: 'the tool RAN',
      seen: await play({ ...touch, policies, line: line(9), hook: { timeout: 2_000 } }, ran('made')),
    };
  } finally {
    await server.stop(true);
  }
}
