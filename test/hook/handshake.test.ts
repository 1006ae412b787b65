import { describe, expect, test } from 'bun:test';
import { handshake } from '../../src/hook/run-lines.ts';
import { picoclaw } from '../../src/hosts/picoclaw/picoclaw.ts';

const SETTING = { version: undefined, env: {}, cwd: '/work', interactive: false };

function met(method: string, params: object) {
  return handshake(picoclaw, SETTING, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
}

describe('handshake', () => {
  test('tells whether approval follows, and says nothing of it for a message that does not', () => {
    expect(met('hook.hello', { version: 1, modes: ['tool', 'approve'] })?.approvalFollows).toBe(true);
    expect(met('hook.hello', { version: 1, modes: ['tool'] })?.approvalFollows).toBe(false);
    const unknown = met('hook.unheard_of', {});
    expect(unknown?.reply.stdout).toContain('deny_tool');
    expect(unknown?.approvalFollows).toBeUndefined();
  });

  test('is none for an event, and for what cannot be read', () => {
    expect(met('hook.before_tool', { tool: 'exec', arguments: {} })).toBeUndefined();
    expect(handshake(picoclaw, SETTING, '{"jsonrpc":')).toBeUndefined();
    const deep = `{"jsonrpc":"2.0","id":1,"method":"hook.hello","params":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    expect(handshake(picoclaw, SETTING, deep)).toBeUndefined();
  });
});
