import { describe, expect, test } from 'bun:test';
import type { BareCall, HostTool } from '../../src/hosts/host.ts';
import { nativeCall } from '../../src/hosts/portable-call.ts';

const TOOLS: Readonly<Record<string, HostTool>> = {
  send_file: { classes: ['message', 'read'] },
  run: { classes: ['shell'] },
  load: { classes: ['read'], aliases: { path: 'file' } },
  'mcp_*': { classes: ['mcp'] },
};

describe('nativeCall', () => {
  const rows: [string, Omit<BareCall, 'on'>, object][] = [
    ['nothing is the shell', {}, { tool: 'run', arguments: {} }],
    ['a class is the first tool that is it before all', { tool: 'read' }, { tool: 'load', arguments: {} }],
    ['the class of tools that share a start', { tool: 'mcp' }, { tool: 'mcp_server_tool', arguments: {} }],
    ['a class that the host does not have', { tool: 'memory' }, { tool: 'memory', arguments: {} }],
    ["the host's own name", { tool: 'send_file' }, { tool: 'send_file', arguments: {} }],
    ['a name that nobody knows', { tool: 'other_thing' }, { tool: 'other_thing', arguments: {} }],
    [
      'a portable argument name',
      { tool: 'read', arguments: { path: 'a', n: 1 } },
      { tool: 'load', arguments: { file: 'a', n: 1 } },
    ],
    [
      'both names',
      { tool: 'load', arguments: { path: 'a', file: 'b' } },
      { tool: 'load', arguments: { path: 'a', file: 'b' } },
    ],
  ];
  test.each(rows)('%s', (_name, call, expected) => {
    expect(nativeCall(TOOLS, { on: 'before_tool', ...call }) as object).toEqual(expected);
  });

  test('keeps an argument with the name of an inherited one', () => {
    const args = JSON.parse('{"__proto__":"a","constructor":"b"}');
    expect(JSON.stringify(nativeCall(TOOLS, { on: 'before_tool', arguments: args }).arguments)).toBe(
      JSON.stringify(args),
    );
  });
});
