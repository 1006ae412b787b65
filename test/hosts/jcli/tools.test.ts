import { describe, expect, test } from 'bun:test';
import { jcli } from '../../../src/hosts/jcli/jcli.ts';
import { createFacts } from '../../../src/language/engine/facts.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { decide } from '../../../src/model/decision.ts';
import type { Event } from '../../../src/model/event.ts';
import { NO_MEMORY } from '../../../src/model/memory.ts';
import { ask, HOME } from '../../matchers/support.ts';
import { settingOf } from '../transcripts.ts';

const MACHINE = { home: HOME, workspace: '/workspace', realPath: (path: string) => path };

function call(tool: string, args: JsonObject): Event {
  const decoded = jcli.decode(jcli.compose({ on: 'before_tool', tool, arguments: args }), settingOf());
  if (decoded.type !== 'event') throw new Error('no event');
  return decoded.event;
}

describe("jcli's Session", () => {
  test('types a command into a live shell', () => {
    const { tool } = call('Session', { action: 'stdin', sid: 'bg_1', text: 'ls' });
    expect(tool?.classes).toEqual(['shell']);
    expect(tool?.aliases).toEqual({ command: 'text', content: 'text' });
  });

  test('types a newline where the text has a backslash and an n', () => {
    const { tool } = call('Session', { action: 'stdin', sid: 'bg_1', text: String.raw`cd a\nrm \\n b\n` });
    expect(tool?.arguments).toEqual({ action: 'stdin', sid: 'bg_1', text: 'cd a\nrm \\\n b\n' });
  });

  test('types a rewritten text as it is meant, and sends nothing where nothing is rewritten', () => {
    const event = call('Session', { action: 'stdin', sid: 'bg_1', text: String.raw`make all\n` });
    const answer = (text: string) => {
      const subject = { ...event.subject, arguments: { action: 'stdin', sid: 'bg_1', text } };
      return jcli.encode(event, decide({ action: 'modify', subject }), settingOf()).stdout;
    };
    expect(JSON.parse(answer('make -n all\n'))).toEqual({
      tool_arguments: '{"action":"stdin","sid":"bg_1","text":"make -n all\\n"}',
    });
    expect(answer('make all\n')).toBe('{}');
  });

  test.each<JsonObject>([
    { action: 'stdout', sid: 'bg_1', text: String.raw`a\nb` },
    { action: 'quit', sid: 'bg_1' },
    { action: 'constructor' },
    { action: 7, text: 'a' },
    { action: 'stdin', text: 7 },
  ])('%j types no text', (args) => {
    expect(call('Session', args).tool?.arguments).toEqual(args);
  });

  test('leaves the text of other tools alone', () => {
    const args = { command: String.raw`printf 'a\nb'`, text: String.raw`a\nb`, action: 'stdin' };
    expect(call('Shell', args).tool?.arguments).toEqual(args);
  });
});

describe("jcli's shell", () => {
  test.each<[args: JsonObject, directory: string]>([
    [{ interactive: true }, HOME],
    [{ interactive: true, cwd: '' }, HOME],
    [{ interactive: true, cwd: 'lib' }, '/workspace/lib'],
    [{ interactive: false }, '/workspace'],
    [{}, '/workspace'],
  ])('with %j runs in %s', (args, directory) => {
    for (const name of ['Shell', 'Bash']) {
      const facts = createFacts(call(name, { command: 'rm -r a', ...args }), NO_MEMORY, () => MACHINE);
      expect(ask('path', `${directory}/a`, facts)).toBe(true);
    }
  });

  test('is another thing than a tool of that name somewhere else', () => {
    expect(call('Read', { path: 'a', interactive: true }).tool?.extraArguments).toBeUndefined();
  });
});
