import { describe, expect, test } from 'bun:test';
import type { DecisionEntry } from '../../src/hook/audit/record.ts';
import { hostNamed } from '../../src/hosts/registry.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import type { Json } from '../../src/lib/json.ts';
import { program } from '../support/builders.ts';
import { testResponder } from '../support/test-responder.ts';

async function entryFor(
  text: string,
  keepInput: boolean,
  name = 'picoclaw',
): Promise<DecisionEntry | undefined> {
  const host = hostNamed(name);
  if (host === undefined) throw new Error(`there is no host ${name}`);
  const entries: DecisionEntry[] = [];
  const { respond } = testResponder({
    host,
    setting: { version: undefined, env: {}, cwd: '/work', interactive: true },
    policies: () => ({ ok: true, engine: createEngine(program([])) }),
    log: (entry) => entries.push(entry),
    keepInput,
  });
  await respond(text);
  return entries[0];
}

const MESSAGE: Json = {
  jsonrpc: '2.0',
  id: 1,
  method: 'hook.before_tool',
  params: { tool: 'exec', arguments: { command: 'ls' } },
};

describe('the log', () => {
  test('is given the whole message and what is known beside it, if it is to be kept', async () => {
    expect((await entryFor(JSON.stringify(MESSAGE), true))?.input).toEqual({
      message: MESSAGE,
      version: undefined,
      interactive: true,
      cwd: '/work',
    });
  });

  test('is given no message otherwise', async () => {
    expect((await entryFor(JSON.stringify(MESSAGE), false))?.input).toBeUndefined();
  });

  test('is given a message that the host would not send, but nothing that is no JSON', async () => {
    const odd: Json = { hook_event_name: 'BeforeTool', tool_input: 1 };
    expect((await entryFor(JSON.stringify(odd), true, 'gemini'))?.input?.message).toEqual(odd);
    expect((await entryFor('{', true, 'gemini'))?.input).toBeUndefined();
  });
});
