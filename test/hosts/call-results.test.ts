import { expect, test } from 'bun:test';
import { type CallStatus, statusOf } from '../../src/hosts/call-results.ts';
import { mcp as mcpClient } from '../../src/hosts/mcp/mcp.ts';
import { HOSTS, hostNamed } from '../../src/hosts/registry.ts';
import type { JsonObject } from '../../src/lib/json.ts';

const GEMINI = { hook_event_name: 'AfterTool', session_id: 's', cwd: '/r', tool_name: 'run_shell_command' };
const gemini = (llmContent: string, more: JsonObject = {}): JsonObject => ({
  ...GEMINI,
  tool_input: { command: 'x', ...more },
  tool_response: { llmContent, returnDisplay: '' },
});
/** As Gemini CLI marks for the model what others have written. */
const untrusted = (text: string): string => `<untrusted_context>\n${text}\n</untrusted_context>`;
const claude = (more: JsonObject): JsonObject => ({
  session_id: 's',
  cwd: '/r',
  prompt_id: 'p',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'x' },
  tool_use_id: 'toolu_1',
  ...more,
});
const copilot = (text: string, resultType = 'success'): JsonObject => ({
  hook_event_name: 'PostToolUse',
  session_id: 's',
  timestamp: '2026-11-26T00:00:00Z',
  tool_name: 'Bash',
  tool_input: { command: 'x' },
  tool_result: { result_type: resultType, text_result_for_llm: text },
});
const cursor = (more: JsonObject): JsonObject => ({
  conversation_id: 'c',
  generation_id: 'g',
  cursor_version: '3',
  hook_event_name: 'postToolUse',
  tool_name: 'Shell',
  tool_input: { command: 'x' },
  tool_use_id: 't',
  ...more,
});
const droid = (tool_response: string, tool_name = 'Execute'): JsonObject => ({
  session_id: 's',
  permission_mode: 'off',
  hook_event_name: 'PostToolUse',
  tool_name,
  tool_input: { command: 'x' },
  tool_response,
});
const qwen = (more: JsonObject): JsonObject => ({
  session_id: 's',
  timestamp: 't',
  permission_mode: 'yolo',
  hook_event_name: 'PostToolUse',
  tool_name: 'run_shell_command',
  tool_input: { command: 'x', is_background: false },
  tool_use_id: 'i',
  ...more,
});
const opencode = (more: JsonObject): JsonObject => ({
  hook_event_name: 'tool.execute.after',
  session_id: 's',
  tool_name: 'bash',
  tool_input: { command: 'x' },
  tool_use_id: 'c',
  ...more,
});
const openclaw = (more: JsonObject): JsonObject => ({
  ...opencode(more),
  hook_event_name: 'after_tool_call',
  tool_name: 'exec',
});
const kiro = (tool_response: JsonObject, tool_name = 'execute_bash'): JsonObject => ({
  hook_event_name: 'postToolUse',
  cwd: '/r',
  tool_name,
  tool_input: { command: 'x' },
  tool_response,
});
const goose = (event: string, tool_name: string): JsonObject => ({
  event,
  session_id: 's',
  tool_name,
  tool_input: {},
  tool_call_id: 'c',
});
const picoclaw = (args: JsonObject, result: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'hook.after_tool',
  params: { meta: { SessionKey: 's', TurnID: 't' }, tool: 'exec', arguments: args, result },
});
const mcp = (answer: JsonObject): JsonObject => ({
  event: 'result',
  server: 'docs',
  session: 's',
  cwd: '/r',
  call: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'get', arguments: {} } },
  answer,
});

const grok = (tool_response: JsonObject): JsonObject => ({
  hookEventName: 'post_tool_use',
  hook_event_name: 'PostToolUse',
  timestamp: 't',
  session_id: 's',
  tool_name: 'run_terminal_command',
  tool_input: { command: 'x' },
  tool_use_id: 'call_1',
  tool_response,
});

const kimi = (more: JsonObject): JsonObject => ({
  hook_event_name: 'PostToolUse',
  session_id: 's',
  client_type: 'kimi_code_cli',
  tool_name: 'Bash',
  tool_input: { command: 'x' },
  tool_call_id: 'call_1',
  ...more,
});
const hermes = (extra: JsonObject): JsonObject => ({
  hook_event_name: 'post_tool_call',
  session_id: 's',
  tool_name: 'terminal',
  tool_input: { command: 'x' },
  extra: { tool_call_id: 'call_1', ...extra },
});
const devin = (tool_response: JsonObject): JsonObject => ({
  hook_event_name: 'PostToolUse',
  tool_name: 'exec',
  tool_input: { command: 'x' },
  tool_response,
});

const FAILURE = { hook_event_name: 'PostToolUseFailure' };
const RAN = {
  llmContent: 'Command: x\nDirectory: (root)\nOutput: \nError: (none)\nExit Code: 0',
  returnDisplay: '',
};

/** Messages as the hosts send them, cut to what matters. */
const RESULTS: readonly (readonly [string, JsonObject, CallStatus])[] = [
  ['claude', claude({ tool_response: { stdout: 'fine', interrupted: false } }), 'succeeded'],
  ['claude', claude({ ...FAILURE, error: 'Exit code 3\nbad', is_interrupt: false }), 'failed'],
  ['claude', claude({ ...FAILURE, error: 'Exit code 143', is_interrupt: true }), 'unknown'],
  ['claude', claude({ tool_response: { stdout: '', interrupted: true } }), 'unknown'],
  ['claude', claude({ tool_input: { command: 'x', run_in_background: true }, tool_response: {} }), 'unknown'],
  ['claude', claude({ tool_response: { stdout: '', backgroundTaskId: 'b1' } }), 'unknown'],
  ['claude', claude({ tool_response: { returnCodeInterpretation: 'No matches found' } }), 'unknown'],
  ['codex', { ...claude({ tool_response: 'bad\n' }), turn_id: 't' }, 'unknown'],
  ['copilot', copilot('fine\n<shellId: 0 completed with exit code 0>'), 'succeeded'],
  [
    'copilot',
    copilot('<shellId: 0 completed with exit code 0>\n<shellId: 1 completed with exit code 3>'),
    'failed',
  ],
  ['copilot', copilot('<shellId: 0 completed with exit code 0>\nstill running'), 'unknown'],
  ['copilot', { ...copilot('read'), tool_name: 'Read' }, 'succeeded'],
  ['copilot', { ...copilot('read', 'other'), tool_name: 'Read' }, 'unknown'],
  ['copilot', { ...copilot(''), ...FAILURE, tool_result: null, error: 'not executed' }, 'failed'],
  ['cursor', cursor({ tool_output: '{"exitCode":0,"stdout":"x"}' }), 'succeeded'],
  ['cursor', cursor({ tool_output: '{"exitCode":2,"stdout":"\\"exitCode\\":0"}' }), 'failed'],
  ['cursor', cursor({ tool_output: '{"stdout":"x"}' }), 'unknown'],
  ['cursor', cursor({ tool_name: 'Write', tool_output: '{}' }), 'succeeded'],
  [
    'cursor',
    cursor({ hook_event_name: 'postToolUseFailure', error_message: 'e', failure_type: 'error' }),
    'failed',
  ],
  ['cursor', cursor({ hook_event_name: 'postToolUseFailure', failure_type: 'permission_denied' }), 'not_run'],
  ['droid', droid('fine\n\n\n[Process exited with code 0]'), 'succeeded'],
  ['droid', droid('[Process exited with code 0]\nCommand timed out after 1 seconds.'), 'unknown'],
  ['droid', droid('Background process started (PID: 2885)'), 'unknown'],
  ['droid', droid('written', 'Create'), 'succeeded'],
  ['qwen', qwen({ tool_response: RAN }), 'succeeded'],
  ['qwen', qwen({ tool_response: { llmContent: 'Background shell started.\nid: bg_1' } }), 'unknown'],
  [
    'qwen',
    qwen({ tool_response: { llmContent: 'Command timed out after 1000ms\nExit Code: 0' } }),
    'unknown',
  ],
  ['qwen', qwen({ tool_input: { command: 'x', is_background: true }, tool_response: RAN }), 'unknown'],
  ['qwen', qwen({ ...FAILURE, error: 'Exit Code: 3', is_interrupt: false }), 'failed'],
  ['gemini', gemini('Output: fine\nProcess Group PGID: 12'), 'succeeded'],
  ['gemini', gemini(untrusted('Output: fine\nProcess Group PGID: 12')), 'succeeded'],
  ['gemini', gemini(untrusted('Output: bad\nExit Code: 3\nProcess Group PGID: 12')), 'failed'],
  ['gemini', gemini(untrusted('Output: x\nBackground PIDs: 4\nProcess Group PGID: 12')), 'unknown'],
  ['gemini', gemini(untrusted('Output: x\nProcess Group PGID: 12\nExit Code: 1')), 'unknown'],
  ['gemini', gemini('Output: bad\nExit Code: 3\nProcess Group PGID: 12'), 'failed'],
  ['gemini', gemini('Output: (empty)\nSignal: 9\nProcess Group PGID: 12'), 'unknown'],
  ['gemini', gemini('Output: x\nBackground PIDs: 4\nProcess Group PGID: 12'), 'unknown'],
  ['gemini', gemini('Command was cancelled by user before it could complete.'), 'unknown'],
  ['gemini', gemini('Output: x\nProcess Group PGID: 1', { is_background: true }), 'unknown'],
  [
    'gemini',
    gemini(
      'Output: x\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 1',
    ),
    'succeeded',
  ],
  [
    'gemini',
    { ...GEMINI, tool_name: 'read_file', tool_input: {}, tool_response: { error: { message: 'e' } } },
    'failed',
  ],
  [
    'gemini',
    { ...GEMINI, tool_name: 'read_file', tool_input: {}, tool_response: { llmContent: 'x' } },
    'succeeded',
  ],
  [
    'jcli',
    { event: 'post_tool_execution', tool_name: 'Shell', tool_result: 'x', session_id: 's' },
    'unknown',
  ],
  ['kimi', kimi({ tool_output: 'hi\n' }), 'succeeded'],
  ['kimi', kimi({ tool_input: { command: 'x', run_in_background: true }, tool_output: '' }), 'unknown'],
  ['kimi', kimi({ ...FAILURE, error: { message: 'hi\nCommand failed with exit code: 1.' } }), 'failed'],
  ['kimi', kimi({ ...FAILURE, error: { message: 'No.' } }), 'unknown'],
  ['hermes', hermes({ status: 'ok', result: '{"output": "", "exit_code": 0, "error": null}' }), 'succeeded'],
  ['hermes', hermes({ status: 'ok', result: '{"output": "", "exit_code": 3}' }), 'failed'],
  ['hermes', hermes({ status: 'ok', result: 'started' }), 'unknown'],
  ['hermes', hermes({ status: 'blocked', result: '{"error": "No."}' }), 'not_run'],
  ['devin', devin({ success: true, output: 'x', error: null }), 'succeeded'],
  ['devin', devin({ success: false, output: '', error: 'x' }), 'failed'],
  ['jcli', { event: 'post_tool_execution_failure', tool_name: 'Shell', tool_error: 'skipped' }, 'not_run'],
  ['opencode', opencode({ tool_response: 'fine\n', exit_code: 0 }), 'succeeded'],
  ['opencode', opencode({ tool_response: 'bad\n', exit_code: 3 }), 'failed'],
  ['opencode', opencode({ tool_response: 'terminated' }), 'unknown'],
  ['opencode', opencode({ tool_name: 'read', tool_response: 'x' }), 'succeeded'],
  ['openclaw', openclaw({ tool_response: [], status: 'completed', exit_code: 0 }), 'succeeded'],
  ['openclaw', openclaw({ tool_response: [], status: 'completed', exit_code: 1 }), 'failed'],
  ['openclaw', openclaw({ tool_response: 'no', status: 'blocked' }), 'not_run'],
  ['openclaw', openclaw({ tool_response: 'no', status: 'error' }), 'failed'],
  ['openclaw', openclaw({ tool_response: [], status: 'running' }), 'unknown'],
  ['kiro', kiro({ success: true, result: [{ exit_status: '0' }] }), 'succeeded'],
  ['kiro', kiro({ success: true, result: [{ exit_status: '1' }] }), 'failed'],
  ['kiro', kiro({ success: true, result: ['a'] }), 'unknown'],
  ['kiro', kiro({ success: false, result: [] }, 'fs_read'), 'failed'],
  ['kiro', kiro({ success: true, result: [] }, 'fs_read'), 'succeeded'],
  ['goose', goose('PostToolUse', 'developer__shell'), 'unknown'],
  ['goose', goose('PostToolUse', 'developer__write'), 'succeeded'],
  ['goose', goose('PostToolUseFailure', 'developer__shell'), 'failed'],
  ['vscode', { ...claude({ tool_response: 'x' }), timestamp: 't', tool_name: 'editFiles' }, 'unknown'],
  ['windsurf', { agent_action_name: 'post_run_command', tool_info: { command_line: 'x' } }, 'unknown'],
  ['picoclaw', picoclaw({ action: 'run', command: 'x' }, { for_llm: 'fine', is_error: false }), 'succeeded'],
  ['picoclaw', picoclaw({ action: 'run', command: 'x' }, { for_llm: 'bad', is_error: true }), 'failed'],
  ['picoclaw', picoclaw({ action: 'run', background: 'true' }, { is_error: false }), 'unknown'],
  ['picoclaw', picoclaw({ action: 'read' }, { is_error: false }), 'unknown'],
  ['picoclaw', picoclaw({ action: 'run' }, { is_error: false, async: true }), 'unknown'],
  ['grok', grok({ type: 'Bash', exit_code: 0, signal: null }), 'succeeded'],
  ['grok', grok({ type: 'Bash', exit_code: 3, signal: null }), 'failed'],
  ['grok', grok({ type: 'Bash', exit_code: null, signal: 9 }), 'unknown'],
  ['mcp', mcp({ result: { content: [] } }), 'succeeded'],
  ['mcp', mcp({ result: { content: [], isError: true } }), 'failed'],
  ['mcp', mcp({ error: { code: 1, message: 'e' } }), 'failed'],
];

test.each(RESULTS)('of %s %j says that the call has %s', (name, message, status) => {
  const host = name === 'mcp' ? mcpClient : hostNamed(name);
  const decoded = host?.decode(message, { version: undefined, env: {}, cwd: '/r', interactive: false });
  if (host === undefined || decoded?.type !== 'event')
    throw new Error(`not read: ${JSON.stringify(decoded)}`);
  expect(statusOf(host.results, decoded.event)).toBe(status);
  const { by } = host.results;
  expect(decoded.event.callId !== undefined).toBe(by === 'id');
});

test('each host that has an event after a call has results here', () => {
  const withResults = HOSTS.filter(({ events }) => Object.values(events).includes('after_tool'));
  expect(new Set(RESULTS.map(([name]) => name))).toEqual(
    new Set([...withResults.map(({ name }) => name), 'mcp']),
  );
  for (const { results, events } of HOSTS)
    expect(results.by === 'nothing').toBe(!Object.values(events).includes('after_tool'));
});
