import { describe, expect, test } from 'bun:test';
import { gemini } from '../../src/hosts/gemini/gemini.ts';
import { createFacts } from '../../src/language/engine/facts.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import type { Truth } from '../../src/model/truth.ts';
import { withinProcessorTime } from '../support/processor-time.ts';
import { ask, factsOf, HOME, WORKSPACE } from './support.ts';

function call(tool: string, args: JsonObject) {
  return factsOf({ on: 'before_tool', tool, arguments: args });
}

const PRIVATE: Json = { private: true };

describe('a URL among the arguments of a tool that nobody explains', () => {
  test.each<[JsonObject, Truth]>([
    [{ url: '10.0.0.1' }, true],
    [{ website: 'http://10.0.0.1/x' }, true],
    [{ website: '10.0.0.1' }, true],
    [{ endpoint: 'http://10.0.0.1' }, true],
    [{ endpoint: '10.0.0.1:80' }, true],
    [{ link: 'https://localhost/a' }, true],
    [{ href: 'http://10.0.0.1' }, true],
    [{ uri: 'http://10.0.0.1' }, true],
    [{ source: 'http://10.0.0.1/a.png' }, true],
    [{ webhook_url: 'http://10.0.0.1' }, true],
    [{ pages: [{ request: { imageURL: 'http://10.0.0.1' } }] }, true],
    [{ endpoint: '/v1/localhost', link: 'localhost is down' }, false],
    [{ website: 'example.com' }, false],
    [{ note: 'http://10.0.0.1' }, false],
  ])('is seen in %j: %p', (args, truth) => {
    expect(ask('url', PRIVATE, call('mcp_a_b', args))).toBe(truth);
  });

  test('is a path where it names a file', () => {
    const facts = call('fetch', { url: 'file:///etc/shadow' });
    expect(ask('path', { match: '/etc/shadow', uses: 'read' }, facts)).toBe(true);
  });
});

describe('a command among them', () => {
  test.each<[JsonObject, Truth]>([
    [{ program: 'rm', args: ['a'] }, true],
    [{ executable: '/opt/my tools/rm', argv: ['a'] }, true],
    [{ script: 'ls\nrm a' }, true],
    [{ script: "rm a\nthe cat's hat" }, true],
    [{ script: "the cat's hat\nrm a" }, false],
    [{ script: "It's done (now)." }, false],
    [{ script: '**Scene 1**' }, 'unknown'],
    [{ command: "It's done" }, 'unknown'],
    [{ command: { text: 'rm a' } }, true],
    [{ command: { type: 'rm', args: [{ a: 1 }] } }, true],
    [{ command: { type: 'move', to: 7 } }, false],
    [{ command: [['ls'], ['rm', 'a']] }, true],
    [{ command: 7 }, false],
    [{ note: 'rm a' }, false],
    [{ command: 'sudo', args: ['rm -rf a'] }, true],
    [{ command: 'git', args: ['commit', '-m', "don't"] }, false],
  ])('is seen in %j: %p', (args, truth) => {
    expect(ask('command', 'rm', call('mcp_a_b', args))).toBe(truth);
  });

  test.each<[JsonObject, Truth]>([
    [{ command: ['sudo', 'rm -rf a'] }, true],
    [{ command: ['npx', '-y', 'rm x'] }, true],
    [{ command: '["rm", "-rf", "a"]' }, true],
    [{ command: '["rm' }, 'unknown'],
    [{ command1: 'ls', command2: 'rm a' }, true],
    [{ cmd_2: 'rm a' }, true],
    [{ command_string: 'rm a' }, true],
    [{ commandText: 'rm a' }, true],
    [{ args: ['rm', '-rf', 'a'] }, true],
    [{ args: [['rm', '-rf', 'a']] }, true],
    [{ name: 'rm', args: ['-rf', 'a'] }, true],
    [{ file: 'rm', args: ['-rf', 'a'] }, true],
    [{ tool: 'sudo', arguments: ['-u', 'x', 'rm', 'a'] }, true],
    [{ args: ['rm', 'a'] }, false],
    [{ name: 'rm', args: ['a'] }, false],
    [{ name: 'rm', arguments: { flag: '-rf' } }, false],
    [{ command: 'ls', name: 'rm', args: ['-rf'] }, false],
    [{ command: 'sudo', subcommand: 'rm', flags: ['-rf'], args: ['a'] }, true],
    [{ command: 'sudo', subcommand: '-n', args: ['rm'] }, true],
    [{ entrypoint: ['rm', 'a'] }, true],
  ])('is seen in the words of %j: %p', (args, truth) => {
    expect(ask('command', 'rm', call('mcp_a_b', args))).toBe(truth);
  });

  test.each<[JsonObject, Truth]>([
    [{ code: 'rm a', language: 'bash' }, true],
    [{ code: 'rm a', lang: 'shell' }, true],
    [{ source: 'rm a', language: 'sh' }, true],
    [{ code: "import os; os.system('rm a')", language: 'python' }, true],
    [{ code: "import os; os.system('rm a')", language: 'Python 3.12' }, true],
    [{ code: "import os; os.system('rm a')" }, true],
    [{ python: "import os; os.system('rm a')" }, true],
    [{ python_code: "import os; os.system('rm a')" }, true],
    [{ code: "require('child_process').execSync('rm a')", runtime: 'node' }, true],
    [{ code: "require('child_process').execSync('rm a')" }, true],
    [{ steps: [{ code: 'rm a', type: 'shell' }] }, true],
    [{ code: "print('rm a')", language: 'python' }, false],
    [{ code: 'rm a', language: 'markdown' }, false],
    [{ code: 'select rm(a)', language: 'sql' }, false],
    [{ code: 'E404' }, false],
    [{ code: 404 }, false],
    [{ postal_code: 'rm a;' }, false],
    [{ source: 'rm a' }, false],
    [{ text: "os.system('rm a')", language: 'python' }, false],
  ])('is seen in the code of %j: %p', (args, truth) => {
    expect(ask('command', 'rm', call('mcp_a_b', args))).toBe(truth);
  });

  test('of a possible name is no argument "command", and no text that could deceive', () => {
    const facts = call('mcp_a_b', { script: 'rm \u202ea', program: 'rm' });
    expect(ask('arguments', { command: 'rm' }, facts)).toBe(false);
    expect(ask('suspicious_text', true, facts)).toBe(false);
    expect(ask('arguments', { command: 'rm' }, call('mcp_a_b', { input: { cmd: 'rm' } }))).toBe(true);
  });

  test('runs in the directory beside it, else in any that the call names', () => {
    const deletes = { deletes: { match: '/srv/data/**' } };
    const asks = (args: JsonObject) => ask('command', deletes, call('mcp_a_b', args));
    expect(asks({ command: 'rm a', workdir: '/srv/data' })).toBe(true);
    expect(asks({ command: 'rm a', options: { cwd: '/srv/data' } })).toBe(true);
    expect(asks({ steps: [{ command: 'rm a', cwd: '/x' }, { cwd: '/srv/data' }] })).toBe(false);
    expect(asks({ command: 'rm a', options: [{ cwd: '/x' }, { cwd: '/srv/data' }] })).toBe(true);
  });
});

describe('more arguments than anybody looks through', () => {
  test.each<[string, JsonObject, Truth]>([
    ['rows with contents', { rows: Array.from({ length: 5_000 }, () => ({ text: 'a', body: 'b' })) }, false],
    ['a deep document', { doc: nested(100) }, false],
    ['a deeper document', { doc: nested(300) }, 'unknown'],
    [
      'programs with words',
      { command: Array.from({ length: 9_000 }, (_, i) => [`a${i}`]), args: 'x' },
      'unknown',
    ],
    [
      'commands with long words',
      {
        ...Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`a${i}_command`, 'a'])),
        args: 'x'.repeat(99_999),
      },
      'unknown',
    ],
  ])('are known to be more: %s', (_what, args, truth) => {
    expect(withinProcessorTime(2_000, () => ask('command', 'rm', call('mcp_a_b', args)))).toBe(truth);
  });
});

describe('a test of arguments where more may be there than were looked through', () => {
  const padded = (args: JsonObject) =>
    call('mcp_a_b', { padding: Array.from({ length: 3_005 }, () => ({ path: '/x' })), ...args });

  test.each<[string, Json, JsonObject, Truth]>([
    ['arguments', { command: 'rm' }, { z: { command: 'rm a' } }, 'unknown'],
    ['arguments', { command: 'rm' }, { command: 'rm a' }, true],
    ['arguments', { path: { equals: '/x' } }, {}, true],
    ['arguments', { path: { not_regex: 'y' } }, {}, 'unknown'],
    ['arguments', { url: { exists: false } }, {}, 'unknown'],
    ['arguments', { '*': 'rm' }, {}, false],
    ['arguments', { command: 'rm', '*': 'gone' }, {}, false],
    ['suspicious_text', true, { z: { command: 'rm \u202ea' } }, 'unknown'],
    ['suspicious_text', true, { command: 'rm \u202ea' }, true],
  ])('says of %s %j in %j: %p', (key, spec, args, truth) => {
    expect(ask(key, spec, padded(args))).toBe(truth);
  });
});

function nested(depth: number): JsonObject {
  let value: JsonObject = { type: 'text' };
  for (let level = 0; level < depth; level += 1) value = { child: value };
  return value;
}

describe('a command that is neither a text nor words', () => {
  test.each<[Json, Truth, Truth]>([
    [7, 'unknown', 'unknown'],
    [true, 'unknown', 'unknown'],
    [{ command: 'rm a' }, 'unknown', 'unknown'],
    [[7, 'rm'], true, 'unknown'],
    [[['rm', 'a']], true, 'unknown'],
    [null, false, false],
    [[], false, false],
    [['rm', 7], true, false],
    [['ls', 7], false, false],
  ])('cannot be read in a shell: %j', (command, runsRm, usesEtc) => {
    const facts = call('shell', { command });
    expect(ask('command', 'rm', facts)).toBe(runsRm);
    expect(ask('command', { unreadable: 'syntax' }, facts)).toBe(usesEtc);
    expect(ask('path', '/etc/**', facts)).toBe(usesEtc);
  });
});

test('an argument of the portable name hides no directory of the host', () => {
  const message = {
    hook_event_name: 'BeforeTool',
    tool_name: 'run_shell_command',
    tool_input: { command: 'rm a', cwd: '/tmp', dir_path: '/srv/data' },
    cwd: WORKSPACE,
  };
  const decoded = gemini.decode(message);
  if (decoded.type !== 'event') throw new Error('no event');
  const surroundings = {
    home: HOME,
    workspace: WORKSPACE,
    realPath: (path: string) => path,
    knownAs: () => [],
  };
  const facts = createFacts(decoded.event, NO_MEMORY, () => surroundings);
  expect(ask('command', { deletes: '/srv/data/a' }, facts)).toBe(true);
});
