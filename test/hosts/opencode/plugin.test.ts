import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { opencode } from '../../../src/hosts/opencode/opencode.ts';
import text from '../../../src/hosts/opencode/plugin.js.txt';
import { pluginText } from '../../../src/hosts/plugin/plugin-text.ts';
import { type JsonObject, ownString } from '../../../src/lib/json.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();
const START = { program: join(folder, 'program'), home: folder, version: undefined };
const INPUT = { tool: 'bash', sessionID: 'ses_1', callID: 'call_1' };
/** A program that keeps what it was asked. */
const NOTING = `cat > ${folder}/asked; printf %s '{}'`;

type Hook = (input: JsonObject, output: JsonObject) => Promise<void>;
type Hooks = Readonly<Record<string, Hook>>;
let plugins = 0;
const LOADED = 'plugin.load';
/** What is asked beside that the plugin is loaded. */
const CALLS = Object.keys(opencode.events).filter((event) => event !== LOADED);

/** The hooks as OpenCode gets them, where a line is what they start. */
async function load(command: string, timeout = 20, parentID?: string, events = CALLS): Promise<Hooks> {
  const path = join(folder, `plugin-${++plugins}.js`);
  writeFileSync(path, pluginText(text, { command, timeout, events }));
  const { Policy } = (await import(path)) as { Policy: (input: object) => Promise<Hooks> };
  return Policy({ directory: '/repo', client: { session: { get: async () => ({ data: { parentID } }) } } });
}

/** The hooks where a script is the program of the line that is installed. */
function hooksOf(script: string, timeout?: number, parentID?: string): Promise<Hooks> {
  writeFileSync(START.program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return load(ownString(opencode.hookConfiguration(START), 'command') ?? '', timeout, parentID);
}

/** What becomes of a call: its arguments, or why it does not run. */
async function before(hooks: Hooks, args: JsonObject = {}): Promise<JsonObject | string> {
  try {
    await hooks['tool.execute.before']?.(INPUT, { args });
    return args;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function after(hooks: Hooks, output: JsonObject): Promise<JsonObject> {
  await hooks['tool.execute.after']?.({ ...INPUT, args: { command: 'ls' } }, output);
  return output;
}

function asked(): Promise<JsonObject> {
  return Bun.file(join(folder, 'asked')).json();
}

test('the plugin has at most 65 lines', () => {
  expect(pluginText(text, {}).trimEnd().split('\n').length).toBeLessThanOrEqual(65);
});

test('the plugin says that it is loaded, and does not wait for an answer', async () => {
  writeFileSync(START.program, `#!/bin/sh\n${NOTING}\n`, { mode: 0o755 });
  const command = ownString(opencode.hookConfiguration(START), 'command') ?? '';
  await load(command, 20, undefined, [LOADED]);
  while (!(await Bun.file(join(folder, 'asked')).exists())) await Bun.sleep(10);
  await Bun.sleep(50);
  expect(await asked()).toEqual({ hook_event_name: LOADED, cwd: '/repo' });
  // A hook that fails does not keep it from being loaded.
  expect(Object.keys(await load('exit 2', 20, undefined, [LOADED]))).toContain('tool.execute.before');
});

describe('before a tool the plugin', () => {
  test('lets pass what the program has nothing to say to', async () => {
    expect(await before(await hooksOf(NOTING), { command: 'ls' })).toEqual({ command: 'ls' });
  });

  test('puts other arguments in the place of all', async () => {
    const hooks = await hooksOf(`cat >/dev/null; printf %s '{"updatedInput":{"command":"ls -l"}}'`);
    expect(await before(hooks, { command: 'ls', workdir: 'x' })).toEqual({ command: 'ls -l' });
  });

  test('throws the reason of a refusal', async () => {
    const hooks = await hooksOf("cat >/dev/null; printf %s '{}'; echo No. >&2; exit 2");
    expect(await before(hooks)).toBe('No.');
  });

  test.each(['kill -9 $$', 'exit 0', 'exit 1', 'echo fine', 'echo null', 'echo []', "printf %s '{} {}'"])(
    'throws where the program does `%s`',
    async (script) => {
      expect(await before(await hooksOf(script))).toBeString();
    },
  );

  test.each(['/nonexistent/policy hook', 'true', 'exit 3', 'echo null', 'echo 5'])(
    'throws where the line is `%s`',
    async (line) => {
      expect(await before(await load(line))).toBeString();
    },
  );

  test('throws when its time is up', async () => {
    expect(await before(await hooksOf('exec sleep 30', 0.5))).toBe(
      'The policy hook has failed: no answer within 0.5 s',
    );
  });
});

describe('after a tool the plugin', () => {
  test('leaves a result as it is', async () => {
    expect(await after(await hooksOf(NOTING), { output: 'a' })).toEqual({ output: 'a' });
    expect(await asked()).toMatchObject({ tool_input: { command: 'ls' }, tool_response: 'a' });
  });

  test('puts another in its place, in that of a server too', async () => {
    const text = await hooksOf(`cat >/dev/null; printf %s '{"updatedToolOutput":"[key]"}'`);
    expect(await after(text, { output: 'a' })).toEqual({ output: '[key]' });
    const parts = await hooksOf(`cat >/dev/null; printf %s '{"updatedToolOutput":[{"text":"[key]"}]}'`);
    expect(await after(parts, { content: [{ text: 'a' }] })).toEqual({ content: [{ text: '[key]' }] });
  });

  test('throws the reason in its place', async () => {
    const hooks = await hooksOf("cat >/dev/null; printf %s '{}'; echo Withheld. >&2; exit 2");
    expect(after(hooks, { output: 'a' })).rejects.toThrow('Withheld.');
  });
});

describe('the plugin says who calls', () => {
  const message = { agent: 'build', model: { providerID: 'p', modelID: 'm-1' } };
  const prompt = { message, parts: [{ type: 'text', text: 'one' }, { type: 'file' }] };

  test('as the last prompt of the session was', async () => {
    const hooks = await hooksOf(NOTING);
    await hooks['chat.message']?.({ sessionID: 'ses_1' }, prompt);
    expect(await asked()).toMatchObject({ prompt: 'one\n', model: 'm-1', agent_type: 'build', cwd: '/repo' });
    await before(hooks, { command: 'ls' });
    expect(await asked()).toEqual({
      hook_event_name: 'tool.execute.before',
      session_id: 'ses_1',
      cwd: '/repo',
      tool_name: 'bash',
      tool_input: { command: 'ls' },
      tool_use_id: 'call_1',
      model: 'm-1',
      agent_type: 'build',
    });
  });

  test('and whether it is a subagent', async () => {
    const hooks = await hooksOf(NOTING, 20, 'ses_0');
    await hooks['chat.message']?.({ sessionID: 'ses_1' }, prompt);
    await before(hooks);
    expect(await asked()).toMatchObject({ agent_id: 'ses_1' });
  });
});
