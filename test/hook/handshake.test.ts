import { expect, test } from 'bun:test';
import { createResponder } from '../../src/hook/responder.ts';
import { picoclaw } from '../../src/hosts/picoclaw/picoclaw.ts';
import type { Json } from '../../src/lib/json.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import { NO_SURROUNDINGS } from '../../src/model/surroundings.ts';

test('a handshake is answered before policies are loaded, and may say that approval follows', async () => {
  const heard: Json[] = [];
  let loads = 0;
  const { respond } = createResponder({
    host: picoclaw,
    setting: { version: undefined, env: {}, cwd: '/work', interactive: false },
    policies: () => ({ ok: false, cause: `loaded ${++loads} times` }),
    surroundings: () => NO_SURROUNDINGS,
    memory: NO_MEMORY,
    nowUs: () => 0,
    nowMs: Date.now,
    limit: () => () => false,
    runTool: () => Promise.reject(new Error('no policy here runs a program')),
    keepInput: false,
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
