import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deepEqual } from '../../../src/lib/deep-equal.ts';
import type { Json, JsonObject } from '../../../src/lib/json.ts';
import type { Scene } from '../real-host.ts';
import type { StageFor } from './jcli.ts';
import { HOUSE } from './policies.ts';

const SESSION = { session_id: 'e2e' };
/** jcli's words for a call that a hook has skipped. */
const SKIPPED = '该工具调用被 hook 跳过';

/** Events sent one by one through the hooks of jcli, as they are installed. */
export async function* chainScenes(stageFor: StageFor): AsyncIterable<Scene> {
  const stage = stageFor(HOUSE);
  const ask = async (event: JsonObject): Promise<JsonObject> => {
    const [[result] = []] = await stage.chain([[{ ...SESSION, ...event }]]);
    return result ?? {};
  };
  const halt = async (event: JsonObject) => haltOf(await ask(event));

  yield { name: 'deny a command', expected: 'skip', seen: await halt(shell('touch pushed')) };
  yield { name: 'let a command run', expected: 'nothing', seen: await halt(shell('touch a')) };
  yield {
    name: 'arguments that are no JSON',
    expected: 'skip',
    seen: await halt(call('Shell', '{"command":')),
  };
  yield { name: 'refuse a prompt', expected: 'stop', seen: await halt(prompt('you stupid thing')) };
  yield { name: 'let a prompt pass', expected: 'nothing', seen: await halt(prompt('hello')) };
  const falcon = request([{ role: 'user', content: 'start project falcon' }]);
  yield { name: 'abort a turn', expected: 'stop', seen: await halt(falcon) };
  const typed = (text: string) => call('Session', { action: 'stdin', sid: 'bg_1', text });
  const session = [
    await halt(typed('cd a\\ntouch pushed\\n')),
    await halt(typed('cd a\\ntouch b\\n')),
  ].join();
  yield { name: 'type into a live shell', expected: 'skip,nothing', seen: session };
  const grep = (glob: string) => call('Grep', { pattern: 'KEY', path: 'src', glob });
  const searches = [await halt(grep('.env*')), await halt(grep('*.ts'))].join();
  yield { name: 'search a secret', expected: 'skip,nothing', seen: searches };

  yield* lossless(ask);

  const retry = await ask({ event: 'stop', user_input: 'all done', messages: [], model: 'gpt-4o' });
  yield {
    name: 'send the model back',
    expected: 'Run the tests first',
    seen: String(retry['retry_feedback']),
  };
  const long = `${'x'.repeat(300_000)} key-1`;
  const result = await ask({ event: 'post_tool_execution', tool_name: 'Shell', tool_result: long });
  const shown = String(result['tool_result']);
  yield { name: 'redact 300 KB', expected: '300011 [redacted]', seen: `${shown.length} ${shown.slice(-10)}` };

  const calls = Array.from({ length: 10 }, (_, index) => ({ ...shell(`touch pushed-${index}`), ...SESSION }));
  const failure = {
    event: 'post_tool_execution_failure',
    tool_name: 'Shell',
    tool_error: SKIPPED,
    ...SESSION,
  };
  const [denied = [], told = []] = await stage.chain([calls, calls.map(() => failure)]);
  const reasons = new Set(
    told.map((each) => String(each['tool_error'])).filter((each) => each.includes('pushed-')),
  );
  yield {
    name: 'deny ten calls at once, each for its reason',
    expected: '10 skipped, 10 reasons',
    seen: `${denied.filter((each) => haltOf(each) === 'skip').length} skipped, ${reasons.size} reasons`,
  };

  const refuses = async (policies: string, before?: string) => {
    const [[first] = []] = await stageFor(policies, before).chain([[{ ...shell('touch a'), ...SESSION }]]);
    return haltOf(first ?? {});
  };
  yield { name: 'a broken policy', expected: 'skip', seen: await refuses('version: 1\npolicies: [') };
  yield { name: 'a killed hook', expected: 'skip', seen: await refuses(HOUSE, 'timeout -s KILL 0.01 ') };
  yield { name: 'no memory for the hook', expected: 'skip', seen: await refuses(HOUSE, 'ulimit -v 9000; ') };

  const odd = stageFor(HOUSE);
  mkdirSync(Buffer.concat([Buffer.from(join(odd.project, 'odd')), Buffer.of(0xff)]));
  const inFolder = async (cd: string) => {
    const [[first] = []] = await odd.chain([[{ ...shell('touch a'), ...SESSION }]], cd);
    return haltOf(first ?? {});
  };
  const folders = [await inFolder('.'), await inFolder('odd\\377')].join();
  yield { name: 'a folder whose name is not UTF-8', expected: 'nothing,skip', seen: folders };
  mkdirSync(join(odd.project, '.policy'));
  const project = 'version: 1\npolicies: [{id: never, tool: shell, action: deny, reason: Not here}]\n';
  writeFileSync(join(odd.project, '.policy/p.yaml'), project);
  yield { name: "a project's policies", expected: 'skip', seen: await inFolder('.') };
}

/** Texts that a careless rewrite loses something of. */
const ODD_TEXTS = ['', ' \t', 'ü 中 🦀 \u0000 \u2028', '\\n "x" </script>', 'key-12', '{"a":1}'];

async function* lossless(ask: (event: JsonObject) => Promise<JsonObject>): AsyncIterable<Scene> {
  const args = {
    description: ODD_TEXTS.join('|'),
    command: 'touch old',
    timeout: 9_007_199_254_740_991,
    deep: [null, true, -0.5, 1e-7, { '': [], __proto_: {}, 'a.b/~': ODD_TEXTS }],
  };
  const { tool_arguments: rewritten } = await ask(call('Shell', args));
  const expected = { ...args, command: 'touch new' };
  yield {
    name: 'rewrite a command and nothing else',
    expected: 'the command alone',
    seen: rewritten === JSON.stringify(expected) ? 'the command alone' : String(rewritten),
  };

  const tool_calls = ODD_TEXTS.map((text, index) => ({ id: `c${index}`, name: 'Shell', arguments: text }));
  const messages = [
    ...ODD_TEXTS.map((content) => ({ role: 'user', content, sender_name: 'Teammate@a' })),
    { role: 'assistant', content: 'key-1', tool_calls, reasoning_content: 'so key-2' },
    ...ODD_TEXTS.map((content, index) => ({ role: 'tool', content, tool_call_id: `c${index}` })),
    { role: 'system', content: 'key-3' },
  ];
  const redacted = messages.map((message) => ({
    ...message,
    content: message.content.replace(/key-[0-9]+/, '[redacted]'),
  }));
  const sent = await ask({ ...request(messages), system_prompt: 'You know key-4' });
  yield {
    name: 'redact a request and nothing else',
    expected: 'You know [redacted]; the same messages',
    seen: `${sent['system_prompt']}; ${whatDiffers(sent['messages'] ?? null, redacted)}`,
  };
}

/** The first message that is not as expected. */
function whatDiffers(seen: Json, expected: readonly Json[]): string {
  if (!Array.isArray(seen)) return 'no messages';
  const index = expected.findIndex((message, at) => !deepEqual(message, (seen[at] ?? null) as Json));
  if (index >= 0) return `${JSON.stringify(seen[index])} for ${JSON.stringify(expected[index])}`;
  return seen.length === expected.length ? 'the same messages' : `${seen.length} messages`;
}

function haltOf(result: JsonObject): string {
  return String(result['halt'] ?? 'nothing');
}

function shell(command: string): JsonObject {
  return call('Shell', { command });
}

function call(tool_name: string, args: JsonObject | string): JsonObject {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return { event: 'pre_tool_execution', tool_name, tool_arguments: text };
}

function prompt(user_input: string): JsonObject {
  return { event: 'pre_send_message', user_input, messages: [] };
}

function request(messages: readonly JsonObject[]): JsonObject {
  return { event: 'pre_llm_request', messages, system_prompt: '', model: 'gpt-4o' };
}
