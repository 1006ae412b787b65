import { describe, expect, test } from 'bun:test';
import type { BareCall } from '../../../src/hosts/host.ts';
import { picoclaw } from '../../../src/hosts/picoclaw/picoclaw.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { TOOL_CLASSES } from '../../../src/model/event.ts';
import { eventOf } from './open-event.ts';
import { current } from './requests.ts';

function toolOf(tool: string, args: JsonObject) {
  return eventOf(current('hook.before_tool', { tool, arguments: args })).tool;
}

describe("PicoClaw's tools", () => {
  const rows: [string, JsonObject, string[], Record<string, string>][] = [
    ['exec', { action: 'run', command: 'ls' }, ['shell'], {}],
    ['exec', { action: 'poll', sessionId: 's' }, ['shell'], {}],
    ['exec', { action: 'write', data: 'rm -rf /\n' }, ['shell'], { command: 'data', content: 'data' }],
    ['exec', { action: 'send-keys', keys: 'rm' }, ['shell'], { command: 'keys', content: 'keys' }],
    ['exec', { action: 'constructor' }, ['shell'], {}],
    ['cron', { action: 'list' }, ['schedule'], { prompt: 'message' }],
    ['cron', { action: 'add', command: 'ls' }, ['schedule', 'shell'], { prompt: 'message' }],
    ['send_file', { path: 'a' }, ['message', 'read'], {}],
    ['mcp_github_push', { repo: 'a' }, ['mcp'], {}],
    ['mcp_shell_run', { cmd: 'ls' }, ['mcp', 'shell'], { command: 'cmd' }],
    ['spawn', { task: 'x' }, ['agent'], { prompt: 'task' }],
    ['i2c', { action: 'scan' }, ['other'], {}],
    ['bash', { command: 'ls' }, ['other', 'shell'], {}],
  ];
  test.each(rows)('%s with %j is %j', (tool, args, classes, aliases) => {
    const found = toolOf(tool, args);
    expect(found?.classes as string[]).toEqual(classes);
    expect(found?.aliases).toEqual(aliases);
    expect(toolOf(tool, args)?.classes).toBe(found?.classes ?? []);
  });

  test('text typed into a live shell is found as a command beside one that the tool ignores', () => {
    const found = toolOf('exec', { action: 'write', command: 'ls', data: 'rm -rf /' });
    expect(found?.aliases['command']).toBe('data');
  });

  test.each(TOOL_CLASSES.filter((name) => name !== 'search'))(
    'a bare call of class %s is a tool of that class',
    (tool) => {
      const message = picoclaw.compose({ on: 'before_tool', tool } satisfies BareCall);
      expect(eventOf(message).tool?.classes).toContain(tool);
    },
  );
});
