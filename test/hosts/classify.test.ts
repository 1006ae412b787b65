import { describe, expect, test } from 'bun:test';
import { classifyTool } from '../../src/hosts/classify.ts';
import type { HostTool } from '../../src/hosts/host.ts';
import type { JsonObject } from '../../src/lib/json.ts';

const TOOLS: Readonly<Record<string, HostTool>> = {
  run: { classes: ['shell'], aliases: { command: 'line' } },
  look: { classes: ['read'] },
  plan: { classes: ['schedule'], aliases: { prompt: 'message' } },
  'mcp_*': { classes: ['mcp'] },
  mcp_known: { classes: ['memory'] },
};

describe('classifyTool', () => {
  const rows: [string, string, JsonObject | undefined, string[], Record<string, string>][] = [
    ['a tool of the table', 'run', { line: 'ls' }, ['shell'], { command: 'line' }],
    ['a tool of the table with more arguments', 'look', { command: 'ls', url: 'x' }, ['read'], {}],
    ['a tool by the start of its name', 'mcp_a_b', {}, ['mcp'], {}],
    ['a whole name before the start of one', 'mcp_known', { command: 'ls' }, ['memory'], {}],
    ['a name that is only the start', 'mcp_', {}, ['mcp'], {}],
    ['an unknown tool', 'what', {}, ['other'], {}],
    ['a tool that applies patches', 'apply_patch', { input: 'x' }, ['other', 'write'], {}],
    ['an inherited name', 'constructor', {}, ['other'], {}],
    ['an unknown tool whose arguments cannot be read', 'what', undefined, ['other'], {}],
    ['a command', 'mcp_a_b', { command: 'ls' }, ['mcp', 'shell'], {}],
    ['a command by another name', 'what', { cmd: 'ls' }, ['other', 'shell'], { command: 'cmd' }],
    ['a command in other letters', 'what', { Command: 'ls' }, ['other', 'shell'], { command: 'Command' }],
    [
      'a command in other words',
      'what',
      { 'shell-command': 'ls' },
      ['other', 'shell'],
      { command: 'shell-command' },
    ],
    ['a path in other letters', 'what', { FilePath: 'a' }, ['other', 'read', 'write'], { path: 'FilePath' }],
    ['a URL in other letters', 'what', { URL: 'u' }, ['other', 'fetch'], { url: 'URL' }],
    ['a command in words', 'what', { command: ['ls', '-l'] }, ['other', 'shell'], {}],
    ['a command that is no text', 'what', { command: 7 }, ['other'], {}],
    ['a path', 'what', { path: 'a' }, ['other', 'read', 'write'], {}],
    [
      'a path and content by other names',
      'mcp_a_b',
      { file_path: 'a', text: 'b' },
      ['mcp', 'read', 'write'],
      { path: 'file_path', content: 'text' },
    ],
    ['several paths', 'what', { paths: ['a', 'b'] }, ['other', 'read', 'write'], { path: 'paths' }],
    ['a URL', 'what', { uri: 'http://a' }, ['other', 'fetch'], { url: 'uri' }],
    [
      'everything',
      'plan',
      { command: 'ls', path: 'a', url: 'u' },
      ['schedule', 'shell', 'read', 'write', 'fetch'],
      { prompt: 'message' },
    ],
    ['an inherited argument', 'what', JSON.parse('{"__proto__":{"command":"ls"}}'), ['other'], {}],
  ];
  test.each(rows)('finds the classes and names of %s', (_name, tool, args, classes, aliases) => {
    const found = classifyTool(TOOLS, tool, args);
    expect([...found.classes]).toEqual(classes as (typeof found.classes)[number][]);
    expect(found.aliases).toEqual(aliases);
  });

  test('names an argument in its own letters before those in others', () => {
    const args = { COMMAND: 'a', CMD: 'b', command: 'c', Command: 'd' };
    const { aliases, lookalikes } = classifyTool(TOOLS, 'what', args);
    expect([aliases, lookalikes]).toEqual([{}, { command: ['COMMAND', 'Command', 'CMD'] }]);
  });

  test('names every argument that may be the one that the tool uses', () => {
    const args = { path: 'a', cmd: 'ls', command: 'ls', commandLine: 'ls', file: 7, filename: 'b', uri: 'u' };
    expect(classifyTool(TOOLS, 'what', args)).toEqual({
      classes: ['other', 'shell', 'read', 'write', 'fetch'],
      aliases: { url: 'uri' },
      lookalikes: { command: ['cmd', 'commandLine'], path: ['filename'] },
    });
  });

  test('is unsure where the arguments that would tell cannot be read', () => {
    const unread = classifyTool(TOOLS, 'what', undefined);
    expect(unread).toEqual({ classes: ['other'], aliases: {}, unsure: true });
    expect(unread.classes).not.toBe(classifyTool(TOOLS, 'what', {}).classes);
    expect(classifyTool(TOOLS, 'what', undefined)).toBe(unread);
    expect(classifyTool(TOOLS, 'run', undefined).unsure).toBeUndefined();
  });

  test('gives the same list for the same result, whatever the values are', () => {
    expect(classifyTool(TOOLS, 'run', { line: 'a' })).toBe(classifyTool(TOOLS, 'run', undefined));
    expect(classifyTool(TOOLS, 'unknown', { cmd: 'a' })).toBe(
      classifyTool(TOOLS, 'other', { cmd: 'b', more: 1 }),
    );
    expect(classifyTool(TOOLS, 'mcp_a', { cmd: 'a' })).not.toBe(classifyTool(TOOLS, 'other', { cmd: 'a' }));
  });
});
