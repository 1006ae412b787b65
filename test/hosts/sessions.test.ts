import { describe, expect, test } from 'bun:test';
import { HOSTS } from '../../src/hosts/registry.ts';
import type { PastCall } from '../../src/hosts/sessions.ts';
import type { JsonObject } from '../../src/lib/json.ts';

const CALLS = [{ id: 'c1', type: 'function', function: { name: 'exec', arguments: '{"command":"ls"}' } }];

interface SessionCase {
  readonly host: string;
  readonly what: string;
  /** Below the home. */
  readonly path: string;
  readonly text: string;
  readonly beside?: Readonly<Record<string, string>>;
  readonly calls: readonly PastCall[];
}

function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

const CASES: readonly SessionCase[] = [
  {
    host: 'picoclaw',
    what: 'messages in lines, the last of which is torn',
    path: '.picoclaw/workspace/sessions/agent_main_cli.jsonl',
    text: `${lines(
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: '', created_at: '2026-11-20T10:38:00+01:00', tool_calls: CALLS },
      { role: 'tool', content: 'a', tool_call_id: 'c1' },
    )}{"role":"assis`,
    beside: { 'agent_main_cli.meta.json': '{"key":"agent:main:cli","skip":0}' },
    calls: [
      {
        tool: 'exec',
        arguments: { command: 'ls' },
        session: 'agent:main:cli',
        cwd: '/home/user/.picoclaw/workspace',
        time: '2026-11-20T09:38:00.000Z',
      },
    ],
  },
  {
    host: 'picoclaw',
    what: 'one document, as the first versions wrote it',
    path: '.picoclaw/workspace-work/sessions/cli.json',
    text: JSON.stringify({
      key: 'cli',
      messages: [{ role: 'assistant', content: '', tool_calls: CALLS }],
      created: '',
    }),
    calls: [
      {
        tool: 'exec',
        arguments: { command: 'ls' },
        session: 'cli',
        cwd: '/home/user/.picoclaw/workspace-work',
        time: undefined,
      },
    ],
  },
  {
    host: 'jcli',
    what: 'events in lines',
    path: '.jdata/agent/data/sessions/s-1/transcript.jsonl',
    text: lines(
      { type: 'msg', role: 'user', content: 'hi', timestamp_ms: 1 },
      {
        type: 'msg',
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'a', name: 'Bash', arguments: '{"command":"ls"}' },
          { id: 'b', name: 'Bash', arguments: 'not json' },
        ],
        timestamp_ms: 1_795_167_480_000,
      },
      { type: 'clear' },
    ),
    calls: [
      {
        tool: 'Bash',
        arguments: { command: 'ls' },
        session: 's-1',
        cwd: undefined,
        time: '2026-11-20T09:38:00.000Z',
      },
      {
        tool: 'Bash',
        arguments: { arguments: 'not json' },
        session: 's-1',
        cwd: undefined,
        time: '2026-11-20T09:38:00.000Z',
      },
    ],
  },
  {
    host: 'jcli',
    what: 'those of a subagent, from before messages had a time',
    path: '.jdata/agent/data/sessions/s-1/subagents/sub_0001/transcript.jsonl',
    text: lines({
      type: 'msg',
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', name: 'Read', arguments: '' }],
    }),
    calls: [{ tool: 'Read', arguments: {}, session: 's-1', cwd: undefined, time: undefined }],
  },
  {
    host: 'gemini',
    what: 'records in lines, in which a call is written again when it ends',
    path: '.gemini/tmp/project/chats/session-2026-11-20T09-38-abc.jsonl',
    text: lines(
      { sessionId: 'g-1', projectHash: 'h', startTime: '2026-11-20T09:38:00.000Z', kind: 'main' },
      { id: 'm1', type: 'user', content: 'hi' },
      {
        id: 'm2',
        type: 'gemini',
        timestamp: '2026-11-20T09:38:00.000Z',
        toolCalls: [{ id: 'c1', name: 'run_shell_command', args: { command: 'ls' }, status: 'scheduled' }],
      },
      { $set: { lastUpdated: '2026-11-20T09:38:01.000Z' } },
      {
        id: 'm2',
        type: 'gemini',
        timestamp: '2026-11-20T09:38:00.000Z',
        toolCalls: [{ id: 'c1', name: 'run_shell_command', args: { command: 'ls' }, status: 'success' }],
      },
    ),
    beside: { '../.project_root': '/work/project\n' },
    calls: [
      {
        tool: 'run_shell_command',
        arguments: { command: 'ls' },
        session: 'g-1',
        cwd: '/work/project',
        time: '2026-11-20T09:38:00.000Z',
      },
    ],
  },
  {
    host: 'gemini',
    what: 'one document, as older versions wrote it',
    path: '.gemini/tmp/0123/chats/session-2025-11-20T09-38-abc.json',
    text: JSON.stringify({
      sessionId: 'g-2',
      projectHash: '0123',
      messages: [
        {
          id: 'm',
          type: 'gemini',
          toolCalls: [
            { id: 'c', name: 'write_file', args: { file_path: 'a' }, timestamp: '2025-11-20T09:38:00Z' },
          ],
        },
      ],
    }),
    calls: [
      {
        tool: 'write_file',
        arguments: { file_path: 'a' },
        session: 'g-2',
        cwd: undefined,
        time: '2025-11-20T09:38:00.000Z',
      },
    ],
  },
  {
    host: 'claude',
    what: 'parts of messages in lines',
    path: '.claude/projects/-work-project/c-1.jsonl',
    text: lines(
      { type: 'summary', summary: 'x' },
      { type: 'user', sessionId: 'c-1', cwd: '/work/project', message: { role: 'user', content: 'hi' } },
      ...['Bash', 'Bash'].map((name) => ({
        type: 'assistant',
        sessionId: 'c-1',
        cwd: '/work/project/sub',
        timestamp: '2026-11-20T09:38:00.000Z',
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look' },
            { type: 'tool_use', id: 'toolu_1', name, input: { command: 'ls' } },
          ],
        },
      })),
      {
        type: 'user',
        sessionId: 'c-1',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a' }] },
      },
    ),
    calls: [
      {
        tool: 'Bash',
        arguments: { command: 'ls' },
        session: 'c-1',
        cwd: '/work/project/sub',
        time: '2026-11-20T09:38:00.000Z',
        id: 'toolu_1',
        ran: true,
      },
    ],
  },
  {
    host: 'claude',
    what: 'those of a subagent',
    path: '.claude/projects/-work-project/c-1/subagents/agent-a1.jsonl',
    text: lines(
      {
        type: 'assistant',
        isSidechain: true,
        sessionId: 'c-1',
        cwd: '/work/project',
        message: {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_2', name: 'Read', input: {} }],
        },
      },
      {
        type: 'user',
        sessionId: 'c-1',
        message: {
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_2',
              is_error: true,
              content: 'Permission to use Read has been denied.',
            },
          ],
        },
      },
    ),
    calls: [
      {
        tool: 'Read',
        arguments: {},
        session: 'c-1',
        cwd: '/work/project',
        time: undefined,
        id: 'toolu_2',
        ran: false,
        bySubagent: true,
      },
    ],
  },
  {
    host: 'codex',
    what: 'items in lines, in which shells have several forms',
    path: '.codex/sessions/2026/11/20/rollout-2026-11-20T09-38-00-x.jsonl',
    text: lines(
      {
        timestamp: '2026-11-20T09:38:00.000Z',
        type: 'session_meta',
        payload: { id: 'x-1', cwd: '/work/project' },
      },
      ...[
        { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'a' },
        {
          type: 'function_call',
          name: 'shell',
          arguments: '{"command":["bash","-lc","ls"],"workdir":"/work/sub"}',
        },
        { type: 'local_shell_call', action: { type: 'exec', command: ['echo', "it's"] } },
        { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch' },
        { type: 'function_call', name: 'mcp__x__y', arguments: '{"z":1}' },
        { type: 'function_call', name: 'write_stdin', arguments: '{"chars":"ls"}' },
        { type: 'function_call_output', call_id: 'a', output: 'a.ts' },
        { type: 'message', role: 'assistant', content: [] },
      ].map((payload) => ({ timestamp: '2026-11-20T09:38:00.000Z', type: 'response_item', payload })),
    ),
    calls: [
      ['Bash', { command: 'ls' }, '/work/project'],
      ['Bash', { command: 'ls' }, '/work/sub'],
      ['Bash', { command: "echo 'it'\\''s'" }, '/work/project'],
      ['apply_patch', { command: '*** Begin Patch' }, '/work/project'],
      ['mcp__x__y', { z: 1 }, '/work/project'],
    ].map(([tool, args, cwd], index) => ({
      tool: tool as string,
      arguments: args as JsonObject,
      session: 'x-1',
      cwd: cwd as string,
      time: '2026-11-20T09:38:00.000Z',
      ...(index === 0 ? { id: 'a', ran: true } : {}),
    })),
  },
];

describe.each(CASES)('$host: $what', ({ host: name, path, text, beside = {}, calls }) => {
  const host = HOSTS.find((each) => each.name === name);
  const absolute = `/home/user/${path}`;

  test('is found at its place and read', async () => {
    const sessions = await host?.sessions?.();
    const found = sessions
      ?.folders({}, '/home/user')
      .some(
        (folder) =>
          absolute.startsWith(`${folder}/`) && sessions.files.test(absolute.slice(folder.length + 1)),
      );
    expect(found).toBe(true);
    expect(sessions?.read({ path: absolute, text, beside: (file) => beside[file] })).toEqual([...calls]);
  });

  test('is taken for a session of no other host', async () => {
    for (const other of HOSTS.filter((each) => each !== host)) {
      const sessions = await other.sessions?.();
      expect(sessions?.read({ path: absolute, text, beside: () => undefined })).toBeUndefined();
    }
  });
});

test.each([
  '',
  '\n',
  'null\n',
  '[]',
  '{}',
  '{"role":1}\n',
  '{"type":"msg"}\n',
  '{"messages":[1]}',
  '{"sessionId":1,"projectHash":2}',
  '\u0000\ufffd',
])('no host takes %j for a session', async (text) => {
  for (const { sessions } of HOSTS)
    for (const path of ['/x/a.json', '/x/a.jsonl'])
      expect((await sessions?.())?.read({ path, text, beside: () => undefined })).toBeUndefined();
});

test('calls of unusual types are left out or kept whole, and nothing throws', async () => {
  const odd = [
    null,
    1,
    'x',
    [],
    {},
    { function: null },
    { function: { name: 1 } },
    { name: 'exec', arguments: [1] },
  ];
  const text = lines(
    { role: 'assistant', content: '', tool_calls: odd },
    { role: 'assistant', tool_calls: 'x' },
  );
  const sessions = await HOSTS.find(({ name }) => name === 'picoclaw')?.sessions?.();
  expect(sessions?.read({ path: '/w/sessions/a.jsonl', text, beside: () => 'spoilt' })).toMatchObject([
    { tool: 'exec', arguments: { arguments: [1] } },
  ]);
});
