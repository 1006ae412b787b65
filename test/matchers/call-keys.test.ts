import { describe, expect, test } from 'bun:test';
import type { BareCall } from '../../src/hosts/host.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import type { Json } from '../../src/lib/json.ts';
import type { Truth } from '../../src/model/truth.ts';
import { ask, factsOf, unreadable } from './support.ts';

type Row = readonly [spec: Json, call: Partial<BareCall>, truth: Truth];

const TOOL = { on: 'before_tool' } as const;

const FORCED = { run: 'rm', flags: { all: ['-r', '-f'] } };

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  hosts: [
    [['gemini'], { context: { host: 'gemini' } }, true],
    [['gemini', 'jcli'], { context: { host: 'picoclaw' } }, false],
  ],
  tool: [
    ['shell', { tool: 'shell' }, true],
    [['read', 'write'], { tool: 'write' }, true],
    ['read', { tool: 'shell' }, false],
    ['read', { tool: 'mcp_files_get', arguments: { path: 'a' } }, true],
    ['shell', { tool: 'mcp_x_run', arguments: { command: 'a' } }, true],
    ['fetch', { tool: 'mcp_x_get', arguments: { url: 'a' } }, true],
    ['other', { tool: 'mcp_x_get', arguments: {} }, false],
    ['mcp', { tool: 'mcp_x_get', arguments: {} }, true],
  ],
  tool_matcher: [
    ['run_shell_command', { tool: 'run_shell_command' }, true],
    ['Shell | Bash', { tool: 'Bash' }, true],
    ['mcp_github_*', { tool: 'mcp_github_merge' }, true],
    ['mcp_github_*', { tool: 'mcp_gitlab_merge' }, false],
    ['bash', { tool: 'Bash' }, false],
    ['*_delete_*', { tool: 'mcp_a_delete_b' }, true],
  ],
  model_prefix: [
    ['gpt-4', { model: 'gpt-4o' }, true],
    [['claude-', 'gpt-4'], { model: 'gpt-3.5' }, false],
    ['gpt-4', {}, 'unknown'],
  ],
  context: [
    [{ chat_type: 'group' }, { context: { chat_type: 'group' } }, true],
    [{ chat_type: 'group' }, { context: { chat_type: 'direct' } }, false],
    [{ chat_type: 'group' }, {}, 'unknown'],
    [{ iteration: { gt: 3 } }, { context: { iteration: 4 } }, true],
    [{ iteration: 4 }, { context: { iteration: 4 } }, true],
    [{ cwd: { glob: '/srv/**' } }, { context: { cwd: '/srv/app' } }, true],
    [{ sender: { exists: false } }, {}, true],
    [{ chat_type: 'group', sender: 'a' }, { context: { chat_type: 'direct' } }, false],
  ],
  event: [
    [{ 'details.type': 'exec' }, { event: { details: { type: 'exec' } } }, true],
    [{ 'details.type': '^edit$' }, { event: { details: { type: 'exec' } } }, false],
    [{ duration: { gte: 5 } }, { event: { duration: 5 } }, true],
    [{ is_error: true }, { event: { is_error: true } }, true],
    [{ is_error: true }, { event: {} }, 'unknown'],
    [{ is_error: { exists: false } }, { event: {} }, true],
  ],
  command: [
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'ls', cmd: 'rm -rf /' } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: ['ls', 'rm -rf /'] } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: ['rm', '-rf', '/'] } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: ['sh', '-c', 'cd /; rm -rf .'] } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'rm', args: ['-rf', '/'] } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'echo', args: ["it's", '; rm -rf /'] } }, false],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'rm', args: [] } }, false],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: ['rm -rf /'] } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'rm', args: '-rf /' } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: ['rm', '-rf'], args: ['/'] } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'sudo rm', Args: ['-rf', '/'] } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'rm', arguments: ['-rf', '/'] } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'rm', argv: ['-rf', '/'], args: [] } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'sh', args: ['-c', 7, 'rm -rf /'] } }, false],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'sh', args: [7, '-c', 'rm -rf /'] } }, false],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'nice', args: ['-n', 7, 'rm', '-rf', '/'] } }, true],
    [FORCED, { tool: 'mcp_x_run', arguments: { command: 'rm', args: { more: '-rf' } } }, false],
  ],
  arguments: [
    [{ command: '^rm\\b' }, { tool: 'mcp_x_run', arguments: { command: 'ls', cmd: 'rm a' } }, true],
    [{ path: 'c' }, { tool: 'mcp_x_get', arguments: { file_path: 'a', file: 'b', paths: ['c'] } }, true],
    [{ command: '^rm\\b' }, { arguments: { command: 'rm a' } }, true],
    [{ command: '^rm\\b' }, { arguments: { command: 'ls' } }, false],
    [{ command: '^rm\\b' }, { arguments: {} }, false],
    [{ path: 'a' }, { tool: 'write_file', arguments: { file_path: 'a' } }, true],
    [{ file_path: 'a' }, { tool: 'write_file', arguments: { file_path: 'a' } }, true],
    [{ path: 'b' }, { tool: 'write_file', arguments: { path: 'a', file_path: 'b' } }, true],
    [{ 'edits.0.path': 'x' }, { tool: 't', arguments: { edits: [{ path: 'x' }] } }, true],
    [{ 'edits.*.path': 'y' }, { tool: 't', arguments: { edits: [{ path: 'x' }, { path: 'y' }] } }, true],
    [{ '*': 'deep' }, { tool: 't', arguments: { a: { b: ['deep'] } } }, true],
    [{ count: { gt: 2 } }, { tool: 't', arguments: { count: 3 } }, true],
    [{ count: '^3$' }, { tool: 't', arguments: { count: 3 } }, true],
    [{ a: 'x', b: 'y' }, { tool: 't', arguments: { a: 'x', b: 'z' } }, false],
    [{ toString: 'x' }, { tool: 't', arguments: {} }, false],
  ],
  arguments_match: [
    [{ required: ['a'] }, { tool: 't', arguments: { a: 1 } }, true],
    [{ required: ['a'] }, { tool: 't', arguments: {} }, false],
  ],
  arguments_violate: [
    [{ required: ['a'] }, { tool: 't', arguments: {} }, true],
    [{ properties: { a: { type: 'string' } } }, { tool: 't', arguments: { a: 'x' } }, false],
  ],
  suspicious_text: [
    [true, { arguments: { command: 'ls' } }, false],
    [true, { arguments: { command: 'ls\u200b' } }, true],
    ['bidi', { arguments: { command: 'ls\u200b' } }, false],
    [['bidi', 'invisible'], { arguments: { command: 'ls\u200b' } }, true],
    ['control', { arguments: { command: 'a\u0000b' } }, true],
    ['control', { arguments: { command: 'a\tb\n' } }, false],
    ['surrogate', { arguments: { command: '\ud800' } }, true],
    ['surrogate', { arguments: { command: '😀' } }, false],
    ['look_alike', { arguments: { command: 'c\u0430t x' } }, true],
    ['look_alike', { arguments: { command: 'ｌｓ' } }, true],
    ['look_alike', { arguments: { command: 'echo привет 東京 Größe' } }, false],
    [true, { arguments: { command: 'echo 👩‍💻' } }, false],
    ['look_alike', { tool: 'fetch', arguments: { url: 'https://ex\u0430mple.com' } }, true],
    [true, { tool: 'write', arguments: { path: 'a', content: 'x\u200b' } }, false],
  ],
};

for (const [key, rows] of Object.entries(ROWS)) {
  describe(key, () => {
    test.each(
      rows.map(
        ([spec, call, truth]) => [JSON.stringify(spec), JSON.stringify(call), truth, spec, call] as const,
      ),
    )('%s says of %s: %p', (_, __, truth, spec, call) => {
      expect(ask(key, spec, factsOf({ ...TOOL, ...call }))).toBe(truth);
    });
  });
}

describe('arguments that cannot be read', () => {
  test.each<[key: string, spec: Json]>([
    ['arguments', { a: 'x' }],
    ['arguments_match', { type: 'object' }],
    ['arguments_violate', { type: 'object' }],
  ])('make %s unknown', (key, spec) => {
    expect(ask(key, spec, unreadable('t'))).toBe('unknown');
  });

  test('make suspicious_text unknown', () => {
    expect(ask('suspicious_text', true, unreadable('shell'))).toBe('unknown');
  });
});

describe('captures', () => {
  test('are those of the pattern that matches', () => {
    const facts = factsOf({ ...TOOL, arguments: { command: 'git push origin' } });
    expect(MATCHER_TABLE.get('arguments')?.captures?.({ command: 'push (\\w+)' }, facts)).toEqual([
      'push origin',
      'origin',
    ]);
    expect(MATCHER_TABLE.get('arguments')?.captures?.({ command: 'pull' }, facts)).toBeUndefined();
  });

  test('say where arguments break a schema', () => {
    const facts = factsOf({ ...TOOL, tool: 't', arguments: {} });
    expect(MATCHER_TABLE.get('arguments_violate')?.captures?.({ required: ['city'] }, facts)?.[0]).toContain(
      'city',
    );
  });
});

describe('content', () => {
  const messages = [
    { role: 'system', content: 'be kind' },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'three' },
  ];
  const request = factsOf({ on: 'before_llm', messages });

  test.each<[spec: Json, truth: Truth]>([
    ['two', true],
    ['four', false],
    [{ scope: 'last_user', test: 'three' }, true],
    [{ scope: 'last_user', test: 'one' }, false],
    [{ scope: 'all', role: 'system', test: 'kind' }, true],
    [{ role: 'assistant', test: 'one' }, false],
    [{ test: { contains: 'hre' } }, true],
  ])('%j: %p', (spec, truth) => {
    expect(ask('content', spec, request)).toBe(truth);
  });

  test('looks at prompts, results and answers', () => {
    expect(ask('content', 'x', factsOf({ on: 'before_prompt', prompt: 'x' }))).toBe(true);
    expect(ask('content', 'x', factsOf({ on: 'after_tool', tool: 'read', result: { a: ['x'] } }))).toBe(true);
    expect(ask('content', 'x', factsOf({ on: 'after_turn', response: 'x' }))).toBe(true);
  });
});

test('a tool whose arguments would show what it does may be in each class that they could show', () => {
  const facts = unreadable('mcp_x_get', true);
  expect(ask('tool', 'shell', facts)).toBe('unknown');
  expect(ask('tool', ['agent', 'fetch'], facts)).toBe('unknown');
  expect(ask('tool', 'agent', facts)).toBe(false);
  expect(ask('tool', ['shell', 'mcp'], facts)).toBe(true);
  expect(ask('command', 'rm', facts)).toBe('unknown');
  expect(ask('path', '**/.env', facts)).toBe('unknown');
  expect(ask('tool', 'shell', unreadable('read'))).toBe(false);
  expect(ask('command', 'rm', unreadable('read'))).toBe(false);
});
