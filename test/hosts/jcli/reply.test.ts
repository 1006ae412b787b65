import { describe, expect, test } from 'bun:test';
import { reply } from '../../../src/hosts/jcli/refuse.ts';

describe('reply', () => {
  test('writes no half of a surrogate pair, and leaves all other text as it is', () => {
    const body = {
      tool_error: 'a\ud83d',
      messages: [{ role: 'user', content: '\udc00b😀' }],
      tool_result: '\\ud83d',
    };
    expect(JSON.parse(reply(body).stdout)).toEqual({
      tool_error: 'a\ufffd',
      messages: [{ role: 'user', content: '\ufffdb😀' }],
      tool_result: '\\ud83d',
    });
    expect(reply(body).stdout).not.toMatch(/(?<!\\)\\ud/);
  });
});
