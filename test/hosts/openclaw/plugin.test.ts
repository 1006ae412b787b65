import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openclaw } from '../../../src/hosts/openclaw/openclaw.ts';
import text from '../../../src/hosts/openclaw/plugin.js.txt';
import { pluginText } from '../../../src/hosts/plugin/plugin-text.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Before = (event: JsonObject, context: JsonObject) => Promise<JsonObject | undefined>;
interface Hook {
  readonly run: Before;
  readonly options: JsonObject;
}

/** The hook as OpenClaw gets it, where a script is what it starts. */
async function hookOf(script: string, timeout = 20): Promise<Hook> {
  const path = join(temporaryFolder(), 'index.js');
  writeFileSync(path, pluginText(text, {}));
  const hooks = new Map<string, Hook>();
  const { default: plugin } = await import(path);
  plugin.register({
    pluginConfig: { command: `cat > /dev/null; ${script}`, timeout, events: Object.keys(openclaw.events) },
    registrationMode: 'discovery',
    runtime: { agent: { resolveAgentWorkspaceDir: () => '/repo' } },
    on: (name: string, run: Before, options: JsonObject) => hooks.set(name, { run, options }),
  });
  const hook = hooks.get('before_tool_call');
  if (hook === undefined) throw new Error('no hook');
  return hook;
}

const EVENT = { toolName: 'exec', params: { command: 'ls', workdir: 'x' } };

async function before(answer: string, timeout?: number): Promise<JsonObject | undefined> {
  const { run } = await hookOf(`printf %s '${answer}'`, timeout);
  return run(EVENT, { agentId: 'main', sessionKey: 'agent:main:main' });
}

const said = (words: string) => `"hookSpecificOutput":{"hookEventName":"before_tool_call",${words}}`;
const ASKS = said('"permissionDecision":"ask","permissionDecisionReason":"Sure?"');
const APPROVAL = { title: 'policy', description: 'Sure?', timeoutMs: 120_000 };
const REWRITTEN = { command: 'ls -l', workdir: undefined };

test.each([
  ['lets run what was judged, whatever other plugins have made of it', '{}', { params: EVENT.params }],
  ['puts other arguments in the place of all', '{"updatedInput":{"command":"ls -l"}}', { params: REWRITTEN }],
  [
    'has a person asked about what was judged',
    `{${ASKS}}`,
    { params: EVENT.params, requireApproval: APPROVAL },
  ],
  [
    'has a person asked about the other arguments',
    `{"updatedInput":{"command":"ls -l"},${ASKS}}`,
    { params: REWRITTEN, requireApproval: APPROVAL },
  ],
  [
    'refuses where the answer says so and the exit code does not',
    `{${said('"permissionDecision":"deny","permissionDecisionReason":"No."')}}`,
    { block: true, blockReason: 'No.' },
  ],
  [
    'refuses where the turn ends',
    '{"continue":false,"stopReason":"Enough."}',
    { block: true, blockReason: 'Enough.' },
  ],
  [
    'refuses what gives no reason',
    '{"continue":false}',
    { block: true, blockReason: 'The policy hook refuses it' },
  ],
] as const)('the plugin %s', async (_what, answer, result) => {
  expect<unknown>(await before(answer)).toStrictEqual(result);
});

test('the plugin takes more time than a timer can have for all that one can', async () => {
  expect(await before('{}', 3_000_000)).toEqual({ params: EVENT.params });
  expect((await hookOf('true', 3_000_000)).options).toMatchObject({ timeoutMs: 2 ** 31 - 1 });
});

test('the plugin is asked last', async () => {
  expect((await hookOf('true')).options).toMatchObject({ priority: Number.MIN_SAFE_INTEGER });
});
