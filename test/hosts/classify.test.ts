import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
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
  const rows = load(readFileSync(join(import.meta.dir, 'classify.yaml'), 'utf8')) as [
    string,
    string,
    JsonObject | null,
    string[],
    Record<string, string>,
  ][];
  test.each(rows)('finds the classes and names of %s', (_name, tool, args, classes, aliases) => {
    const found = classifyTool(TOOLS, tool, args ?? undefined);
    expect([...found.classes]).toEqual(classes as (typeof found.classes)[number][]);
    expect(found.aliases).toEqual(aliases);
  });

  test('names an argument in its own letters before those in others', () => {
    const args = { COMMAND: 'a', CMD: 'b', command: 'c', Command: 'd' };
    const { aliases, lookalikes } = classifyTool(TOOLS, 'what', args);
    expect([aliases, lookalikes]).toEqual([{}, { command: [['COMMAND'], ['Command'], ['CMD']] }]);
  });

  test('names every argument that may be the one that the tool uses', () => {
    const args = { path: 'a', cmd: 'ls', command: 'ls', commandLine: 'ls', file: 7, filename: 'b', uri: 'u' };
    const { classes, aliases, lookalikes } = classifyTool(TOOLS, 'what', args);
    expect([...classes]).toEqual(['other', 'shell', 'read', 'write', 'fetch']);
    expect(aliases).toEqual({ url: 'uri' });
    expect(lookalikes).toEqual({ command: [['cmd'], ['commandLine']], path: [['filename']] });
  });

  test('names what may be run, with the words beside it', () => {
    const args = {
      program: 'git',
      args: ['push'],
      input: { command: 'ls', steps: [{ cmd: ['a'], argv: 'b', cwd: '/' }] },
      command: { name: 'rm', args: [] },
    };
    expect(classifyTool(TOOLS, 'what', args).commands).toEqual([
      { at: ['program'], words: [['args']], directories: [], uncertain: true },
      { at: ['input', 'command'], words: [], directories: [], uncertain: false },
      {
        at: ['input', 'steps', 0, 'cmd'],
        words: [['input', 'steps', 0, 'argv']],
        directories: [['input', 'steps', 0, 'cwd']],
        uncertain: false,
      },
      {
        at: ['input', 'steps', 0, 'argv'],
        words: [],
        directories: [['input', 'steps', 0, 'cwd']],
        uncertain: false,
      },
      { at: ['command', 'name'], words: [['command', 'args']], directories: [], uncertain: true },
    ]);
    expect(classifyTool(TOOLS, 'run', args).commands).toBeUndefined();
  });

  test('takes what may be a path or a URL for what it looks like', () => {
    const rows: readonly [JsonObject, string[]][] = [
      [{ source: '~/a', target: 'b' }, ['other', 'read', 'write']],
      [{ source: 'https://example.com/a' }, ['other', 'fetch']],
      [{ source: ['https://example.com/a', '/etc/a'] }, ['other', 'read', 'write', 'fetch']],
      [{ from: 'Ada', to: 'ada@example.com' }, ['other']],
      [{ endpoint: '10.0.0.1:80/x' }, ['other', 'fetch']],
      [{ endpoint: '/v1/users', link: 'more' }, ['other']],
      [{ website: 'example.com' }, ['other', 'fetch']],
      [{ baseUrl: 'x', outputDir: 'y' }, ['other', 'read', 'write', 'fetch']],
      [{ profile: 'x', xpath: '//a', curl: 'y' }, ['other']],
    ];
    for (const [args, classes] of rows)
      expect([args, [...classifyTool(TOOLS, 'what', args).classes]]).toEqual([args, classes as never]);
  });

  test('is unsure of what nests too deep or holds too much', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 140; level += 1) deep = { a: [deep] };
    const many = { all: Array.from({ length: 4_000 }, () => ({ path: 'a' })) };
    const words = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}_args`, 'x']));
    expect(classifyTool(TOOLS, 'what', { command: 'ls', ...words }).unsure).toBe(true);
    expect(classifyTool(TOOLS, 'what', deep)).toMatchObject({ classes: ['other'], unsure: true });
    expect(classifyTool(TOOLS, 'what', many)).toMatchObject({
      classes: ['other', 'read', 'write'],
      unsure: true,
    });
  });

  test('is unsure where the arguments that would tell cannot be read', () => {
    const unread = classifyTool(TOOLS, 'what', undefined);
    expect(unread).toEqual({ classes: ['other'], aliases: {}, unsure: true });
    expect(unread.classes).not.toBe(classifyTool(TOOLS, 'what', {}).classes);
    expect(classifyTool(TOOLS, 'what', undefined)).toBe(unread);
    expect(classifyTool(TOOLS, 'run', undefined).unsure).toBeUndefined();
  });

  test('gives the same list for the same classes, whatever the values are', () => {
    const classes = (tool: string, args: JsonObject | undefined) => classifyTool(TOOLS, tool, args).classes;
    expect(classes('run', { line: 'a' })).toBe(classes('run', undefined));
    expect(classes('unknown', { cmd: 'a' })).toBe(classes('other', { command: 'b', more: 1 }));
    expect(classes('unknown', {})).toBe(classes('other', { more: 1 }));
    expect(classes('mcp_a', { cmd: 'a' })).not.toBe(classes('other', { cmd: 'a' }));
  });
});

test('classifyTool finds the arguments of each object in a list', () => {
  const tools = { Edits: { classes: ['edit'], lists: { edits: { new_text: 'to' } } } } as const;
  const edits = [{ to: 'a' }, { to: 'b' }];
  expect(classifyTool(tools, 'Edits', { edits })).toMatchObject({
    lookalikes: {
      new_text: [
        ['edits', 0, 'to'],
        ['edits', 1, 'to'],
      ],
    },
  });
  expect(classifyTool(tools, 'Edits', { edits: 'x' }).lookalikes).toEqual({ new_text: [] });
  const many = Array.from({ length: 4_000 }, () => ({ to: 'a' }));
  expect(classifyTool(tools, 'Edits', { edits: many }).unsure).toBe(true);
});
