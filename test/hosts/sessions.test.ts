import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { HOSTS } from '../../src/hosts/registry.ts';
import type { SessionCall, SessionFile } from '../../src/hosts/sessions.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';

const CALLS = [{ id: 'c1', type: 'function', function: { name: 'exec', arguments: '{"command":"ls"}' } }];

interface SessionCase {
  readonly host: string;
  readonly what: string;
  /** Below the home. */
  readonly path: string;
  readonly text?: string;
  /** What is in a database. */
  readonly tables?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly beside?: Readonly<Record<string, string>>;
  /** Files that list folders. */
  readonly listed?: Readonly<Record<string, string>>;
  readonly calls: readonly SessionCall[];
}

/** The calls that a host reads in a session. */
async function readBy(name: string, text: string, tables?: SessionCase['tables']) {
  const sessions = await HOSTS.find((each) => each.name === name)?.sessions?.();
  return sessions?.read({ path: '/x/a.jsonl', text, beside: () => undefined, rows: rowsOf(tables) });
}

function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Answers queries to a database with these rows. */
function rowsOf(tables: NonNullable<SessionCase['tables']> = {}): SessionFile['rows'] {
  const database = new Database();
  for (const [name, rows] of Object.entries(tables)) {
    const columns = Object.keys(rows[0] ?? {});
    database.run(`CREATE TABLE ${name} (${columns.join(', ')})`);
    for (const row of rows)
      database.run(
        `INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`,
        columns.map((column) => {
          const value = row[column] ?? null;
          return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
        }),
      );
  }
  return (sql) => {
    try {
      return database.query<JsonObject, []>(sql).all();
    } catch {
      return [];
    }
  };
}

/** Two calls, of which the second one was refused, as most hosts keep them. */
function twoCalls(
  tool: string,
  session: string,
  refused: false | undefined,
  more = {},
): readonly SessionCall[] {
  return ['touch made', 'touch forbidden'].map((command, index) => ({
    tool,
    arguments: { command },
    session,
    cwd: '/work/project',
    time: TIME,
    id: `call_${index + 1}`,
    ran: index === 0 ? true : refused,
    ...more,
  }));
}

const TIME = '2026-11-20T09:38:00.000Z';
const TIME_MS = Date.parse(TIME);
const [MADE, FORBIDDEN] = [{ command: 'touch made' }, { command: 'touch forbidden' }];

/** One call of `ls`, as most hosts keep it. */
function oneCall(tool: string, session: string, cwd: string | undefined, more = {}): SessionCall {
  return { tool, arguments: { command: 'ls' }, session, cwd, time: TIME, ...more };
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
      oneCall('exec', 'agent:main:cli', '/home/user/.picoclaw/workspace', {
        id: 'c1',
        turn: 1,
        event: { meta: { TurnID: 'turn-1' } },
        result: { on: 'after_tool', value: { for_llm: 'a', is_error: false } },
      }),
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
      oneCall('exec', 'cli', '/home/user/.picoclaw/workspace-work', {
        id: 'c1',
        time: undefined,
        event: { meta: { TurnID: 'turn-0' } },
      }),
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
      { type: 'msg', role: 'tool', content: 'b', tool_call_id: 'b' },
      { type: 'clear' },
    ),
    calls: [
      oneCall('Bash', 's-1', undefined, { id: 'a', turn: 1 }),
      oneCall('Bash', 's-1', undefined, {
        arguments: { arguments: 'not json' },
        id: 'b',
        turn: 1,
        result: { on: 'after_tool', value: 'b' },
      }),
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
    calls: [{ id: 'a', tool: 'Read', arguments: {}, session: 's-1', cwd: undefined, time: undefined }],
  },
  {
    host: 'gemini',
    what: 'records in lines, in which a call is written again when it ends',
    path: '.gemini/tmp/project/chats/session-2026-11-20T09-38-abc.jsonl',
    text: lines(
      { sessionId: 'g-1', projectHash: 'h', startTime: TIME, kind: 'main' },
      { id: 'm1', type: 'user', content: 'hi' },
      {
        id: 'm2',
        type: 'gemini',
        timestamp: TIME,
        toolCalls: [{ id: 'c1', name: 'run_shell_command', args: { command: 'ls' }, status: 'scheduled' }],
      },
      { $set: { lastUpdated: '2026-11-20T09:38:01.000Z' } },
      {
        id: 'm2',
        type: 'gemini',
        timestamp: TIME,
        toolCalls: [
          {
            id: 'c1',
            name: 'run_shell_command',
            args: { command: 'ls' },
            status: 'success',
            result: [{ functionResponse: { response: { output: 'Output: a' } } }],
          },
        ],
      },
    ),
    beside: { '../.project_root': '/work/project\n' },
    calls: [
      oneCall('run_shell_command', 'g-1', '/work/project', {
        turn: 1,
        result: { on: 'after_tool', value: { llmContent: 'Output: a' } },
        ran: true,
      }),
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
      oneCall('write_file', 'g-2', undefined, {
        arguments: { file_path: 'a' },
        time: '2025-11-20T09:38:00.000Z',
      }),
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
        timestamp: TIME,
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
        toolUseResult: { stdout: 'a', interrupted: false },
      },
    ),
    calls: [
      oneCall('Bash', 'c-1', '/work/project/sub', {
        id: 'toolu_1',
        ran: true,
        turn: 1,
        result: { on: 'after_tool', value: { stdout: 'a', interrupted: false } },
      }),
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
      oneCall('Read', 'c-1', '/work/project', {
        arguments: {},
        time: undefined,
        id: 'toolu_2',
        ran: false,
        bySubagent: true,
      }),
    ],
  },
  {
    host: 'codex',
    what: 'items in lines, in which shells have several forms',
    path: '.codex/sessions/2026/11/20/rollout-2026-11-20T09-38-00-x.jsonl',
    text: lines(
      {
        timestamp: TIME,
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
      ].map((payload) => ({ timestamp: TIME, type: 'response_item', payload })),
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
      time: TIME,
      event: { turn_id: 'turn-0' },
      ...(index === 0 ? { id: 'a', ran: true, result: { on: 'after_tool' as const, value: 'a.ts' } } : {}),
    })),
  },
  {
    host: 'droid',
    what: 'messages in lines behind the start of the session',
    path: '.factory/sessions/-work-project/d-1.jsonl',
    text: lines(
      { type: 'session_start', id: 'd-1', cwd: '/work/project' },
      ...[
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'Execute', input: MADE }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', is_error: false }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'call_2', name: 'Execute', input: FORBIDDEN }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_2', is_error: true }] },
      ].map((message) => ({ type: 'message', timestamp: TIME, message })),
    ),
    calls: twoCalls('Execute', 'd-1', undefined).map((call) =>
      call.ran === true ? { ...call, result: { on: 'after_tool' as const, value: '' } } : call,
    ),
  },
  {
    host: 'cline',
    what: 'messages in a document, beside one about the session',
    path: '.cline/data/sessions/l-1/l-1.messages.json',
    text: JSON.stringify({
      version: 1,
      agent: 'lead',
      sessionId: 'l-1',
      messages: [
        ...[MADE, FORBIDDEN].map((input, index) => ({
          role: 'assistant',
          content: [{ type: 'tool_use', id: `call_${index + 1}`, name: 'run_commands', input }],
        })),
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call_1', content: [{ success: true }] }],
        },
      ].map((message) => ({ ...message, ts: TIME_MS })),
    }),
    beside: { 'l-1.json': '{"session_id":"l-1","cwd":"/work/project"}' },
    calls: twoCalls('run_commands', 'l-1', undefined),
  },
  {
    host: 'qwen',
    what: 'messages in lines, with parts of Gemini',
    path: '.qwen/projects/-work-project/chats/q-1.jsonl',
    text: lines(
      { message: { role: 'user', parts: [{ text: 'do it' }] } },
      {
        message: {
          role: 'model',
          parts: [
            { functionCall: { id: 'call_1', name: 'run_shell_command', args: MADE } },
            { functionCall: { id: 'call_2', name: 'run_shell_command', args: FORBIDDEN } },
          ],
        },
      },
      {
        message: { role: 'user', parts: [{ functionResponse: { id: 'call_1', response: { output: '' } } }] },
        toolCallResult: { callId: 'call_1', status: 'success', executionStatus: 'success' },
      },
      {
        message: { role: 'user', parts: [{ functionResponse: { id: 'call_2', response: { error: 'no' } } }] },
        toolCallResult: { callId: 'call_2', status: 'error', executionStatus: 'not_started' },
      },
    ).replaceAll(/^\{/gm, `{"sessionId":"q-1","cwd":"/work/project","timestamp":"${TIME}",`),
    calls: twoCalls('run_shell_command', 'q-1', false),
  },
  {
    host: 'copilot',
    what: 'events in lines, with its own names of tools',
    path: '.copilot/session-state/p-1/events.jsonl',
    text: lines(
      ...[
        ['session.start', { sessionId: 'p-1', context: { cwd: '/work/project' } }],
        ['tool.execution_start', { toolCallId: 'call_1', toolName: 'bash', arguments: MADE }],
        ['tool.execution_complete', { toolCallId: 'call_1', success: true }],
        ['tool.execution_start', { toolCallId: 'call_2', toolName: 'bash', arguments: FORBIDDEN }],
        ['tool.execution_complete', { toolCallId: 'call_2', success: false, error: { code: 'denied' } }],
      ].map(([type, data]) => ({ type, data, timestamp: TIME })),
    ),
    calls: twoCalls('Bash', 'p-1', false),
  },
  {
    host: 'grok',
    what: 'notifications in lines',
    path: '.grok/sessions/%2Fwork%2Fproject/r-1/updates.jsonl',
    text: lines(
      ...[
        { sessionUpdate: 'user_message_chunk', content: {} },
        ...[MADE, FORBIDDEN].flatMap((rawInput, index) => [
          {
            sessionUpdate: 'tool_call',
            toolCallId: `call_${index + 1}`,
            title: 'Run',
            rawInput,
            _meta: { 'x.ai/tool': { name: 'run_terminal_command' } },
          },
          { sessionUpdate: 'tool_call_update', toolCallId: `call_${index + 1}`, kind: 'execute' },
        ]),
        { sessionUpdate: 'tool_call_update', toolCallId: 'call_1', status: 'completed' },
        {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'call_2',
          status: 'failed',
          content: [{ type: 'content', content: { type: 'text', text: 'Hook denied: no' } }],
        },
      ].map((update) => ({
        method: 'session/update',
        params: { sessionId: 'r-1', update, _meta: { agentTimestampMs: TIME_MS } },
      })),
    ),
    beside: { 'summary.json': '{"info":{"id":"r-1","cwd":"/work/project"}}' },
    calls: twoCalls('run_terminal_command', 'r-1', false),
  },
  {
    host: 'kimi',
    what: 'events in lines, those of a subagent in a file of its own',
    path: '.kimi-code/sessions/wd_project/session_1/agents/explore-1/wire.jsonl',
    text: lines(
      { type: 'metadata', protocol_version: '1.5', created_at: TIME_MS },
      ...[
        { type: 'tool.call', toolCallId: 'call_1', name: 'Bash', args: MADE },
        { type: 'tool.result', toolCallId: 'call_1', result: { output: '' } },
        { type: 'tool.call', toolCallId: 'call_2', name: 'Bash', args: FORBIDDEN },
        { type: 'tool.result', toolCallId: 'call_2', result: { output: 'no', isError: true } },
      ].map((event) => ({ type: 'context.append_loop_event', event, time: TIME_MS })),
    ),
    beside: { '../../state.json': '{"id":"session_1","cwd":"/work/project"}' },
    calls: twoCalls('Bash', 'session_1', undefined, { bySubagent: true }),
  },
  {
    host: 'opencode',
    what: 'parts of messages in a database',
    path: '.local/share/opencode/opencode.db',
    tables: {
      session: [{ id: 'o-1', directory: '/work/project', parent_id: null }],
      part: [
        { type: 'text', text: 'do it' },
        { type: 'tool', tool: 'bash', callID: 'call_1', state: { status: 'completed', input: MADE } },
        { type: 'tool', tool: 'bash', callID: 'call_2', state: { status: 'error', input: FORBIDDEN } },
      ].map((data) => ({ session_id: 'o-1', time_created: TIME_MS, data })),
    },
    calls: twoCalls('bash', 'o-1', undefined),
  },
  {
    host: 'hermes',
    what: 'messages in a database',
    path: '.hermes/state.db',
    tables: {
      sessions: [{ id: 'h-1', cwd: '/work/project', parent_session_id: null }],
      messages: [
        { role: 'user', content: 'do it' },
        ...[MADE, FORBIDDEN].map((args, index) => ({
          role: 'assistant',
          tool_calls: [
            {
              id: `call_${index + 1}`,
              type: 'function',
              function: { name: 'terminal', arguments: JSON.stringify(args) },
            },
          ],
        })),
        { role: 'tool', tool_call_id: 'call_1', content: '{"output": "", "exit_code": 0}' },
        { role: 'tool', tool_call_id: 'call_2', content: '{"error": "no"}' },
      ].map((message, id) => ({
        id,
        session_id: 'h-1',
        tool_call_id: null,
        tool_calls: null,
        content: '',
        ...message,
        timestamp: TIME_MS / 1_000,
      })),
    },
    calls: twoCalls('terminal', 'h-1', undefined),
  },
  {
    host: 'crush',
    what: 'messages in a database of the project',
    path: 'project/.crush/crush.db',
    tables: {
      sessions: [{ id: 'u-1', parent_session_id: null }],
      messages: [
        [
          'assistant',
          { type: 'tool_call', data: { id: 'call_1', name: 'bash', input: JSON.stringify(MADE) } },
        ],
        ['tool', { type: 'tool_result', data: { tool_call_id: 'call_1', is_error: false } }],
        [
          'assistant',
          { type: 'tool_call', data: { id: 'call_2', name: 'bash', input: JSON.stringify(FORBIDDEN) } },
        ],
        ['tool', { type: 'tool_result', data: { tool_call_id: 'call_2', is_error: true } }],
      ].map(([role, part]) => ({
        session_id: 'u-1',
        role: role as string,
        parts: [part] as Json,
        created_at: TIME_MS / 1_000,
      })),
    },
    listed: {
      '/home/user/.local/share/crush/projects.json':
        '{"projects":[{"path":"/home/user/project","data_dir":"/home/user/project/.crush"}]}',
    },
    calls: twoCalls('bash', 'u-1', undefined, { cwd: '/home/user/project' }),
  },
];

describe.each(CASES)(
  '$host: $what',
  ({ host: name, path, text = '', tables, beside = {}, listed = {}, calls }) => {
    const rows = rowsOf(tables);
    const host = HOSTS.find((each) => each.name === name);
    const absolute = `/home/user/${path}`;

    test('is found at its place and read', async () => {
      const sessions = await host?.sessions?.();
      const found = sessions
        ?.folders({}, '/home/user', (file) => listed[file])
        .some(
          (folder) =>
            absolute.startsWith(`${folder}/`) && sessions.files.test(absolute.slice(folder.length + 1)),
        );
      expect(found).toBe(true);
      expect(sessions?.read({ path: absolute, text, beside: (file) => beside[file], rows })).toEqual([
        ...calls,
      ]);
    });

    test('is taken for a session of no other host', async () => {
      for (const other of HOSTS.filter((each) => each !== host)) {
        const sessions = await other.sessions?.();
        expect(sessions?.read({ path: absolute, text, beside: () => undefined, rows })).toBeUndefined();
      }
    });
  },
);

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
      expect(
        (await sessions?.())?.read({ path, text, beside: () => undefined, rows: () => [] }),
      ).toBeUndefined();
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
  expect(
    sessions?.read({ path: '/w/sessions/a.jsonl', text, beside: () => 'spoilt', rows: () => [] }),
  ).toMatchObject([{ tool: 'exec', arguments: { arguments: [1] } }]);
});

describe('what came of past calls', () => {
  const read = async (host: string, ...values: readonly unknown[]) =>
    (await readBy(host, lines(...values)))?.map(({ result }) => result);

  test('PicoClaw keeps that a command failed only in what it has shown', async () => {
    const results = [
      ['fine', false],
      ['bad\n\n[Command exited with code 2]', true],
      ['Command timed out after 1s', true],
      ['long\n... (truncated, 5 more chars)', null],
    ] as const;
    const messages = results.flatMap(([content], index) => [
      { role: 'assistant', tool_calls: [{ ...CALLS[0], id: `c${index}` }] },
      { role: 'tool', content, tool_call_id: `c${index}` },
    ]);
    expect(await read('picoclaw', ...messages)).toEqual(
      results.map(([for_llm, is_error]) => ({ on: 'after_tool', value: { for_llm, is_error } })),
    );
  });

  test('what Gemini CLI has not run has no result', async () => {
    const call = (status: string, error: string) => ({
      name: 'read_file',
      args: { status, error },
      status,
      result: [{ functionResponse: { response: { error } } }],
    });
    const toolCalls = [
      call('error', 'Tool execution blocked: no'),
      call('error', 'File not found'),
      call('cancelled', 'x'),
    ];
    expect(await read('gemini', { sessionId: 'g', projectHash: 'h' }, { toolCalls })).toEqual([
      undefined,
      { on: 'after_tool', value: { error: { message: 'File not found' } } },
      undefined,
    ]);
  });

  test('Claude Code says in the result itself that a call failed', async () => {
    const message = (content: JsonObject) => ({ sessionId: 'c', message: { content: [content] } });
    const made = message({ type: 'tool_use', id: 't', name: 'Bash', input: {} });
    const failed = { type: 'tool_result', tool_use_id: 't', is_error: true, content: 'Exit code 1' };
    expect(await read('claude', made, message(failed))).toEqual([
      { on: 'tool_failure', value: 'Exit code 1' },
    ]);
  });
});

const REFUSED: readonly (readonly [string, boolean, string, boolean | undefined])[] = [
  ["The user doesn't want to proceed with this tool use.", true, 'Bash', false],
  ['Permission to use Bash has been denied.', true, 'Bash', false],
  ['Permission to use Bash with command rm a has been denied.', true, 'Bash', false],
  ['PreToolUse:Bash hook error: [policy hook]: no', true, 'Bash', false],
  ['Hook PreToolUse:Bash denied this tool', true, 'Bash', false],
  ['[Request interrupted by user for tool use]', true, 'Bash', undefined],
  ['Permission to use the printer is missing', true, 'Bash', true],
  ['Permission to use mcp__a__b has been denied.', true, 'mcp__a__b', undefined],
  ['Permission to use Bash has been denied.', false, 'Bash', true],
];

test.each(REFUSED)('Claude Code: %j, an error: %p, of %s', async (content, isError, name, ran) => {
  const text = lines(
    ...[
      { type: 'tool_use', id: 'toolu_1', name, input: {} },
      { type: 'tool_result', tool_use_id: 'toolu_1', content, is_error: isError },
    ].map((part) => ({ sessionId: 's', message: { content: [part] } })),
  );
  const read = await readBy('claude', text);
  expect(read?.map((call) => call.ran)).toEqual([ran]);
});

test.each([
  ['Command blocked by PreToolUse hook: no. Command: ls', 'exec_command', false],
  ['Tool call blocked by PreToolUse hook: no. Tool: view_image', 'view_image', false],
  ['exec command rejected by user', 'exec_command', false],
  ['aborted by user after 61.5s', 'exec_command', undefined],
  ['Request denied by the server', 'mcp__a__b', undefined],
  ['Tool call blocked by PreToolUse hook: no. Tool: mcp__a__b', 'mcp__a__b', undefined],
  ['made', 'exec_command', true],
] as const)('Codex CLI: %j of %s', async (output, name, ran) => {
  const text = lines(
    { type: 'session_meta', payload: { id: 'x' } },
    ...[
      {
        type: 'custom_tool_call',
        name: 'exec',
        input: 'await tools.exec_command({cmd: "ls"})',
        call_id: 'n',
      },
      { type: 'function_call', name, arguments: '{"cmd":"ls"}', call_id: 'a' },
      { type: 'function_call_output', call_id: 'a', output },
    ].map((payload) => ({ type: 'response_item', payload })),
  );
  const read = await readBy('codex', text);
  expect(read?.map((call) => call.ran)).toEqual([ran]);
});

test.each([
  ['claude', lines({ type: 'summary', summary: 'x' }, { type: 'file-history-snapshot' }), {}],
  [
    'opencode',
    '',
    {
      session: [{ id: 'o', directory: '/', parent_id: null }],
      part: [{ session_id: 'o', time_created: 1, data: '{"type":"text"}' }],
    },
  ],
  [
    'hermes',
    '',
    {
      sessions: [{ id: 'h', cwd: '/', parent_session_id: null }],
      messages: [
        {
          id: 1,
          role: 'user',
          content: 'hi',
          tool_call_id: null,
          tool_calls: null,
          session_id: 'h',
          timestamp: 1,
        },
      ],
    },
  ],
  [
    'crush',
    '',
    {
      sessions: [{ id: 'u', parent_session_id: null }],
      messages: [{ session_id: 'u', role: 'user', parts: '[]', created_at: 1 }],
    },
  ],
] as const)('%s: a session without calls can be read', async (name, text, tables) => {
  expect(await readBy(name, text, tables)).toEqual([]);
});

test.each(HOSTS)(
  '$name: the newest known version is the one that was measured',
  async ({ facts, installation }) => {
    const measured = /^measured on (\d[\d.]+)$/.exec(facts)?.[1];
    const { newest } = (await installation()).release;
    expect(newest).toBe(measured ?? newest);
  },
);
