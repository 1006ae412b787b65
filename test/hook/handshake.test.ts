import { expect, test } from 'bun:test';
import { picoclaw } from '../../src/hosts/picoclaw/picoclaw.ts';
import type { Json } from '../../src/lib/json.ts';
import { testResponder } from '../support/test-responder.ts';

test('a handshake is answered before policies are loaded, and may say that approval follows', async () => {
  const heard: Json[] = [];
  let loads = 0;
  const { respond } = testResponder({
    host: picoclaw,
    policies: () => ({ ok: false, cause: `loaded ${++loads} times` }),
    met: (message) => heard.push(message),
  });
  const say = async (method: string, params: object) =>
    (await respond(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).stdout;
  for (const modes of [['tool', 'approve'], ['tool']]) await say('hook.hello', { version: 1, modes });
  expect(await say('hook.unheard_of', {})).toContain('deny_tool');
  expect(heard.map((message) => picoclaw.approvalFollows?.(message))).toEqual([true, false, undefined]);
  expect(loads).toBe(0);
  expect(await say('hook.before_tool', { tool: 'exec', arguments: {} })).toContain('loaded 1 times');
});
