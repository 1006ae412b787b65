import { expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../../src/lib/message-of.ts';

function thrown(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

test.each([
  [() => statSync('/dev/null/x'), 'a part of its path is no folder (ENOTDIR /dev/null/x)'],
  [() => readFileSync('/'), 'it is a folder (EISDIR'],
  [
    () => readFileSync('/nonexistent/of/nobody'),
    'there is no such file or folder (ENOENT /nonexistent/of/nobody)',
  ],
  [() => JSON.parse('{'), 'JSON Parse error'],
])('an error of the system is said in words: %p', (action, text) => {
  expect(messageOf(thrown(action))).toStartWith(text);
});
