import { describe, expect, test } from 'bun:test';
import { gemini } from '../../src/hosts/gemini/gemini.ts';
import type { Host } from '../../src/hosts/host.ts';
import { jcli } from '../../src/hosts/jcli/jcli.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import type { EventKind } from '../../src/model/event.ts';
import type { Memory } from '../../src/model/memory.ts';
import { settingOf } from '../hosts/transcripts.ts';
import { BROKEN_MEMORY, program, rule, testMemory } from '../support/builders.ts';

/** What is decided on one message of a host after the other, in words. */
function decisions(
  host: Host,
  messages: readonly JsonObject[],
  { on = 'after_turn', memory = testMemory() }: { on?: EventKind; memory?: Memory } = {},
): string {
  const params = { feedback: 'again', max_retries: 1, on_exhausted: 'continue' };
  const engine = createEngine(program([rule({ action: 'retry_feedback', on: [on], params })]));
  const actions = messages.map((message) => {
    const decoded = host.decode(message, settingOf());
    if (decoded.type !== 'event') throw new Error(`${host.name} does not read ${JSON.stringify(message)}`);
    return evaluate(engine, decoded.event, { memory }).decision.action;
  });
  return actions.join(' ');
}

const ofGemini = (hook_event_name: string, parts: JsonObject): JsonObject => ({
  session_id: 's',
  hook_event_name,
  ...parts,
});
const prompt = (text: string) => ofGemini('BeforeAgent', { prompt: text });
const end = (active: boolean) =>
  ofGemini('AfterAgent', { prompt: 'p', prompt_response: 'done', stop_hook_active: active });

const ofJcli = (event: string, parts: JsonObject): JsonObject => ({
  event,
  cwd: '/',
  session_id: 's',
  ...parts,
});
const sent = (text: string) => ofJcli('pre_send_message', { user_input: text });
const stop = ofJcli('stop', { user_input: 'done' });
const answered = ofJcli('post_llm_response', { assistant_output: 'done' });

describe('retries on gemini', () => {
  test('start anew with a new prompt', () => {
    const turn = [prompt('p'), end(false), end(true)];
    expect(decisions(gemini, [...turn, ...turn])).toBe(
      'continue retry_feedback continue continue retry_feedback continue',
    );
  });

  test('do not start anew when the feedback comes back as a prompt', () => {
    const turn = [prompt('p'), end(false), prompt('again'), end(true)];
    expect(decisions(gemini, [...turn, ...turn])).toBe(
      'continue retry_feedback continue continue continue retry_feedback continue continue',
    );
  });

  test('do not start anew where tools ran after the feedback, which the host no longer calls a retry', () => {
    expect(decisions(gemini, [prompt('p'), end(false), prompt('again'), end(false), end(false)])).toBe(
      'continue retry_feedback continue continue continue',
    );
  });
});

describe('retries on jcli', () => {
  test('start anew with a new prompt', () => {
    const turn = [sent('p'), stop, stop];
    expect(decisions(jcli, [...turn, ...turn])).toBe(
      'continue retry_feedback continue continue retry_feedback continue',
    );
  });

  test('do not start anew when the feedback comes back as a prompt', () => {
    const messages = [sent('p'), answered, sent('again'), answered];
    expect(decisions(jcli, messages, { on: 'after_llm' })).toBe('continue retry_feedback continue continue');
  });
});

test('a prompt opens no state where no policy retries', () => {
  const decoded = gemini.decode(prompt('p'));
  if (decoded.type !== 'event') throw new Error('no event');
  const touched: string[] = [];
  const memory: Memory = {
    ...BROKEN_MEMORY,
    get: (space) => {
      touched.push(space);
      return undefined;
    },
  };
  const engine = createEngine(program([rule({ action: 'deny', on: ['before_prompt'] })]));
  expect(evaluate(engine, decoded.event, { memory }).decision.action).toBe('deny');
  expect(touched).toEqual([]);
});
