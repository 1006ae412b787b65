import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { picoclaw } from '../../../src/hosts/picoclaw/picoclaw.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { ACTIONS } from '../../../src/model/action.ts';
import { type Decision, decide } from '../../../src/model/decision.ts';
import type { Subject } from '../../../src/model/event.ts';
import { setting } from './open-event.ts';
import {
  CALL,
  current,
  type MESSAGES,
  NAMED_CALL,
  notice,
  old,
  REQUEST,
  RESPONSE,
  RESULT,
  request,
} from './requests.ts';

/** Messages to put on record, by the name of their file. */
const TRANSCRIPTS: Readonly<Record<string, readonly JsonObject[]>> = {
  hello: [request('hook.hello', { name: 'guard', version: 1, modes: ['tool', 'approve'] }, 1)],
  before_tool: [
    current('hook.before_tool', CALL),
    old('hook.before_tool', { tool: 'read_file', arguments: { path: '.env' } }),
    current('hook.before_tool', { tool: 'spawn_status' }),
    current('hook.before_tool', { tool: 'exec', arguments: 'rm' }),
    request('hook.before_tool', { tool: 'list_dir', arguments: { path: '.' } }),
  ],
  approve_tool: [current('hook.approve_tool', CALL)],
  after_tool: [
    current('hook.after_tool', { ...CALL, result: RESULT, duration: 15_000_000 }),
    old('hook.after_tool', { tool: 'list_dir', duration: 1 }),
  ],
  before_llm: [current('hook.before_llm', REQUEST), old('hook.before_llm', REQUEST)],
  after_llm: [
    current('hook.after_llm', { model: 'claude-sonnet', response: RESPONSE }),
    current('hook.after_llm', { model: 'm', response: { ...RESPONSE, tool_calls: [{ id: 'c1' }] } }),
    current('hook.after_llm', { model: 'm', response: { ...RESPONSE, tool_calls: [NAMED_CALL] } }),
  ],
  notifications: [
    notice('hook.runtime_event', {
      id: 'evt-7',
      kind: 'agent.turn.start',
      scope: {
        agent_id: 'main',
        session_key: 's',
        turn_id: 't',
        channel: 'cli',
        chat_type: 'direct',
        sender_id: 'cron',
      },
      correlation: {},
      payload: { UserMessage: 'hello', MediaCount: 0 },
    }),
    notice('hook.event', {
      Kind: 1,
      Time: '2026-01-01T00:00:00Z',
      Meta: { AgentID: 'main', TurnID: 't', SessionKey: 's', Iteration: 3 },
      Context: { inbound: { channel: 'cli', chat_id: 'direct' } },
      Payload: { Status: 'completed', FinalContent: 'done' },
    }),
    notice('hook.event', { Kind: 'tool_exec_start', Meta: { TurnID: 't' }, Payload: { Tool: 'exec' } }),
    notice('hook.runtime_event', {
      kind: 'agent.context.compress',
      scope: {},
      payload: { Reason: 'budget' },
    }),
    notice('hook.runtime_event', { kind: 'agent.llm.request', scope: {}, payload: { Model: 'gpt-4' } }),
    notice('hook.runtime_event', { kind: 'gateway.ready', scope: {} }),
    notice('hook.event', { Kind: 99 }),
    notice('hook.event', {}),
  ],
  refused: [
    request('hook.before_tool', null),
    request('hook.before_tool', { arguments: {} }),
    request('hook.before_tool', { tool: 7 }),
    request('hook.before_tool', { tool: 'exec', meta: 'main' }),
    request('hook.approve_tool', []),
    request('hook.after_tool', { tool: 'exec', result: 'text', arguments: { content: 'kept' } }),
    request('hook.after_tool', { tool: 'exec', result: { for_llm: 7 } }),
    request('hook.before_llm', { messages: 'hello' }),
    request('hook.after_llm', { response: { content: 1 } }),
    request('hook.before_everything', {}),
    { jsonrpc: '2.0', id: 4 },
    { jsonrpc: '2.0', id: '4', method: 'hook.before_tool', params: CALL },
    { jsonrpc: '2.0', id: 4.5, method: 'hook.before_tool', params: CALL },
    { jsonrpc: '2.0', id: 0, method: 'hook.approve_tool', params: CALL },
    { jsonrpc: '2.0', method: 'hook.before_tool', params: CALL },
    notice('hook.runtime_event', [] as unknown as JsonObject),
  ],
};

const REASON = 'Refused by git-safety/no-force-push: a force push rewrites history.';

/** One decision of every action, as the engine would make it for the event. */
function decisionFor(action: Decision['action'], subject: Subject): Decision {
  switch (action) {
    case 'modify':
      return decide({ action, subject: rewritten(subject) });
    case 'respond':
      return decide({ action, reason: REASON, result: { for_llm: 'the answer', media: ['media://1'] } });
    case 'approve':
    case 'continue':
      return decide({ action });
    default:
      return decide({ action, reason: REASON });
  }
}

function rewritten(subject: Subject): Subject {
  if ('tool' in subject) return { ...subject, arguments: { action: 'run', command: 'git push' } };
  if ('result' in subject) return { result: { ...(subject['result'] as JsonObject), for_llm: '[redacted]' } };
  if ('response' in subject) {
    return { response: { ...(subject['response'] as JsonObject), content: '[redacted]' } };
  }
  if ('messages' in subject) {
    const messages = [...(subject['messages'] as typeof MESSAGES), { role: 'user', content: 'Be brief.' }];
    return { ...subject, messages, model: 'claude-haiku' };
  }
  return subject;
}

function transcriptOf(message: JsonObject): string {
  const lines = [`> ${JSON.stringify(message)}`];
  const decoded = picoclaw.decode(message, setting());
  if (decoded.type !== 'event') {
    const cause = decoded.type === 'malformed' ? `  ${decoded.cause}` : '';
    return [...lines, `  ${decoded.type}${cause}`, `< ${decoded.reply.stdout.trimEnd()}`].join('\n');
  }
  const { event } = decoded;
  const { kind, native, subject, tool, texts, model, context, session, turn } = event;
  for (const [name, value] of Object.entries({
    kind,
    native,
    subject,
    tool,
    texts,
    model,
    context,
    session,
    turn,
  })) {
    lines.push(`  ${name}: ${JSON.stringify(value) ?? 'undefined'}`);
  }
  for (const action of event.requestId === undefined ? (['continue', 'deny'] as const) : ACTIONS) {
    const reply = picoclaw.encode(event, decisionFor(action, subject), setting());
    lines.push(`${action} < ${reply.stdout.trimEnd()}`);
  }
  return lines.join('\n');
}

describe('PicoClaw transcripts', () => {
  test.each(Object.entries(TRANSCRIPTS))('%s reads and answers as on record', (name, messages) => {
    const path = join(import.meta.dir, 'golden', `${name}.txt`);
    const actual = `${messages.map(transcriptOf).join('\n\n')}\n`;
    if (process.env['UPDATE_GOLDEN'] === '1' || !existsSync(path)) writeFileSync(path, actual);
    expect(actual).toBe(readFileSync(path, 'utf8'));
  });
});
