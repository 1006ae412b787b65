import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../src/lib/json.ts';
import { answerIn } from './in-process.ts';
import { type Workplace, workplace } from './workplace.ts';

const HOUSE = `version: 1
name: house
policies:
  - {id: forbidden, description: d, tool: shell, command: {run: forbidden}, action: deny, reason: Not here}
  - {id: prompts, description: d, on: before_prompt, content: forbidden, action: deny, reason: Not here}
  - {id: rewritten, description: d, command: {run: draft}, action: modify, rewrite: {program: {draft: final}}}
`;

function prepared(): Workplace {
  return workplace({ 'home/.config/policy/house.yaml': HOUSE });
}

const cursor = (place: Workplace, fields: JsonObject): JsonObject => ({
  conversation_id: 'c',
  generation_id: 'g',
  model: 'm',
  session_id: 'c',
  cursor_version: '3.14.7',
  workspace_roots: [place.project],
  user_email: null,
  transcript_path: null,
  ...fields,
});

const vscode = (place: Workplace, fields: JsonObject): JsonObject => ({
  timestamp: '2026-10-20T10:30:00.000Z',
  session_id: 's',
  transcript_path: `${place.home}/chat.json`,
  cwd: place.project,
  ...fields,
});

const shell = (command: string): JsonObject => ({
  hook_event_name: 'preToolUse',
  tool_name: 'Shell',
  tool_input: { command },
  tool_use_id: 't',
  cwd: '',
});
const terminal = (command: string): JsonObject => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'run_in_terminal',
  tool_input: { command, explanation: 'e', isBackground: false },
  tool_use_id: 't',
});

async function ask(place: Workplace, host: string, message: JsonObject, before = '') {
  const said = await answerIn(place, ['--host', host], before + JSON.stringify(message));
  return { ...said, answer: said.stdout === '' ? undefined : (JSON.parse(said.stdout) as JsonObject) };
}

/** Cursor, VS Code, Devin CLI and Grok Build start the hooks of Claude Code, and VS Code those of Copilot CLI. */
describe('a hook that another host has started answers as that host reads it', () => {
  test.each(['claude', 'cursor'])('Cursor, hook of %s', async (host) => {
    const place = prepared();
    const refused = await ask(place, host, cursor(place, shell('forbidden')));
    expect(refused).toMatchObject({ exitCode: 0, answer: { permission: 'deny' } });
    expect(String(refused.answer?.['user_message'])).toContain('not here');
    const passed = await ask(place, host, cursor(place, shell('ls')));
    expect(passed).toMatchObject({ exitCode: 0, answer: { permission: 'allow' } });
    const rewritten = await ask(place, host, cursor(place, shell('draft')));
    expect(rewritten.answer).toEqual({ permission: 'allow', updated_input: { command: 'final' } });
    const prompt = { hook_event_name: 'beforeSubmitPrompt', prompt: 'do what is forbidden' };
    expect((await ask(place, host, cursor(place, prompt))).answer).toMatchObject({ continue: false });
  });

  test.each(['claude', 'copilot', 'vscode'])('VS Code, hook of %s', async (host) => {
    const place = prepared();
    const refused = await ask(place, host, vscode(place, terminal('forbidden')));
    expect(refused).toMatchObject({
      exitCode: 2,
      answer: { hookSpecificOutput: { permissionDecision: 'deny' } },
    });
    expect(refused.stderr).toContain('not here');
    expect(await ask(place, host, vscode(place, terminal('ls')))).toMatchObject({
      exitCode: 0,
      stdout: '{}',
    });
    // It runs the call as it was where a rewrite does not fit.
    expect(await ask(place, host, vscode(place, terminal('draft')))).toMatchObject({ exitCode: 2 });
    const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'do what is forbidden' };
    const denied = await ask(place, host, vscode(place, prompt));
    expect(denied).toMatchObject({ exitCode: 2, answer: { continue: false } });
  });

  test('Devin CLI, hook of Claude Code: commands and edits', async () => {
    const place = prepared();
    const devin = (tool_name: string, tool_input: JsonObject) =>
      ask(place, 'claude', { hook_event_name: 'PreToolUse', tool_name, tool_input });
    const refused = await devin('exec', { command: 'forbidden', shell_id: 'main' });
    expect(refused).toMatchObject({ exitCode: 2, answer: { decision: 'block' } });
    expect(refused.stderr).toContain('not here');
    // It takes no rewrite.
    expect(await devin('exec', { command: 'draft' })).toMatchObject({ exitCode: 2 });
    expect(await devin('exec', { command: 'ls' })).toMatchObject({ exitCode: 0, stdout: '{}' });
    const edit = { file_path: '.policy/house.yaml', old_string: 'deny', new_string: 'continue' };
    expect(await devin('edit', edit)).toMatchObject({ exitCode: 2, answer: { decision: 'block' } });
  });

  test('Grok Build, hook of Claude Code', async () => {
    const place = prepared();
    const grok = (tool_name: string, tool_input: JsonObject) =>
      ask(place, 'claude', {
        ...{ hookEventName: 'pre_tool_use', hook_event_name: 'PreToolUse', cwd: place.project },
        ...{ sessionId: 's', session_id: 's', timestamp: '2026-11-26T18:45:52Z' },
        ...{ permissionMode: 'default', permission_mode: 'default', toolInputTruncated: false },
        ...{ toolName: tool_name, tool_name, tool_use_id: 'call_1', tool_input },
      });
    const refused = await grok('run_terminal_command', { command: 'forbidden', description: 'd' });
    expect(refused).toMatchObject({
      exitCode: 2,
      answer: { hookSpecificOutput: { permissionDecision: 'deny' } },
    });
    expect(await grok('run_terminal_command', { command: 'ls' })).toMatchObject({
      exitCode: 0,
      stdout: '{}',
    });
    const { answer } = await grok('run_terminal_command', { command: 'draft' });
    expect(JSON.stringify(answer)).toContain('final');
    const write = { file_path: '.policy/x.yaml', content: 'version: 1' };
    expect(await grok('write', write)).toMatchObject({ exitCode: 2 });
    const log = await place.run({ args: ['log', '--json'] });
    expect(log.stdout).toContain('"host":"grok"');
  });

  test('the decision is logged as the one of the host that asked', async () => {
    const place = prepared();
    await ask(place, 'claude', cursor(place, shell('forbidden')));
    const { stdout } = await place.run({ args: ['report', '--json'] });
    expect(JSON.parse(stdout)).toMatchObject({ decisions: 1 });
    const log = await place.run({ args: ['log', '--json'] });
    expect(log.stdout).toContain('"host":"cursor"');
  });

  test('policy explain shows what the hook would answer', async () => {
    const place = prepared();
    const input = JSON.stringify(cursor(place, shell('forbidden')));
    const { stdout } = await place.run({ args: ['explain', '--host', 'claude', '-v', '-'], input });
    expect(stdout).toContain('house/forbidden');
    expect(stdout).toContain('cursor: exit 0, {"permission":"deny"');
  });

  test('a call that cannot be judged is refused as the host that asked reads it', async () => {
    const place = prepared();
    place.write({ 'home/.config/policy/broken.yaml': 'version: 1\npolicies: [' });
    const refused = await ask(place, 'claude', cursor(place, shell('ls')));
    expect(refused).toMatchObject({ exitCode: 0, answer: { permission: 'deny' } });
  });
});

/** Cursor on Windows sends one or two. */
test.each(['\ufeff', '\ufeff\ufeff'])(
  'byte order marks before a message are no part of it: %j',
  async (marks) => {
    const place = prepared();
    for (const host of ['claude', 'cursor']) {
      const asked = (command: string) => ask(place, host, cursor(place, shell(command)), marks);
      expect((await asked('forbidden')).answer).toMatchObject({ permission: 'deny' });
      expect((await asked('ls')).answer).toEqual({ permission: 'allow' });
    }
    const unnamed = await place.run({
      args: ['hook'],
      input: marks + JSON.stringify(cursor(place, shell('forbidden'))),
    });
    expect(JSON.parse(unnamed.stdout)).toMatchObject({ permission: 'deny' });
  },
);
