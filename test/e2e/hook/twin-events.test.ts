import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/lib/json.ts';
import { answerIn } from './in-process.ts';
import { type Workplace, workplace } from './workplace.ts';

const POLICIES = `version: 1
name: house
extends: [builtin:approve-read-only]
policies:
  - {id: forbidden, tool: shell, command: forbidden, action: deny, reason: Not here}
`;

function prepared(): Workplace {
  return workplace({ 'home/.config/policy/house.yaml': POLICIES });
}

async function send(place: Workplace, messages: readonly JsonObject[]): Promise<void> {
  for (const fields of messages) {
    const message = {
      conversation_id: 'c',
      generation_id: 'g',
      model: 'm',
      cursor_version: '3.9.16',
      workspace_roots: [place.project],
      cwd: place.project,
      ...fields,
    };
    await answerIn(place, ['--host', 'cursor'], JSON.stringify(message));
  }
}

const call = (tool_name: string, tool_input: JsonObject): JsonObject => ({
  hook_event_name: 'preToolUse',
  tool_name,
  tool_input,
  tool_use_id: 't',
});
const shell = (command: string): readonly JsonObject[] => [
  call('Shell', { command, description: 'a command' }),
  { hook_event_name: 'beforeShellExecution', command, sandbox: false },
];

async function stats(place: Workplace) {
  return JSON.parse((await place.run({ args: ['report', '--json'] })).stdout);
}

describe('two events of Cursor about one call', () => {
  test('are counted once, whatever was decided', async () => {
    const place = prepared();
    await send(place, [...shell('make'), ...shell('forbidden'), ...shell('ls')]);
    const { decisions, actions, policies } = await stats(place);
    expect([decisions, actions]).toMatchObject([3, { continue: 1, deny: 1, approve: 1 }]);
    const matched = policies.map(({ id, matched }: { id: string; matched: number }) => [id, matched]);
    expect(matched).toContainEqual(['house/forbidden', 1]);
    expect(matched).toContainEqual(['approve-read-only/looking', 1]);
  });

  test('are counted once for files read and MCP tools', async () => {
    const place = prepared();
    await send(place, [
      call('Read', { file_path: join(place.project, 'a') }),
      {
        hook_event_name: 'beforeReadFile',
        file_path: join(place.project, 'a'),
        content: 'x',
        attachments: [],
      },
      call('MCP:search', { b: 1, a: 'x' }),
      { hook_event_name: 'beforeMCPExecution', tool_name: 'search', tool_input: '{"a":"x","b":1}' },
    ]);
    expect((await stats(place)).decisions).toBe(2);
  });

  test('are two calls where the call, the turn or the tool is another', async () => {
    const place = prepared();
    await send(place, [
      ...shell('make').slice(0, 1),
      ...shell('make test').slice(1),
      ...shell('make')
        .slice(1)
        .map((each) => ({ ...each, generation_id: 'h' })),
      ...shell('make'),
      call('Write', { file_path: join(place.project, 'a'), content: 'x' }),
      call('Write', { file_path: join(place.project, 'a'), content: 'x' }),
      // The second event alone, by a hook that was asked about nothing else.
      ...shell('make all').slice(1),
    ]);
    expect((await stats(place)).decisions).toBe(7);
  });

  test('stand in the log both', async () => {
    const place = prepared();
    await send(place, shell('make'));
    const lines = readFileSync(join(place.state, 'decisions.jsonl'), 'utf8').trim().split('\n');
    const [first, second, ...others] = lines.map((line) => JSON.parse(line));
    expect([first.event, second.event, others]).toEqual(['before_tool', 'approve_tool', []]);
    expect(first.twin).toBe(second.twin);
  });
});
