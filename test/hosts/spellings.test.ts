import { expect, test } from 'bun:test';
import { missedSpelling } from './missed-spellings.ts';
import { READING_ORACLES } from './reading-oracles.ts';

test('a guarded path is refused however a host takes it to be spelled, and another is not', () => {
  expect(missedSpelling(1, 800)).toBeUndefined();
});

test('the oracles read what the hosts are known to take', () => {
  const reach = (host: string, spelled: string) =>
    READING_ORACLES.find((each) => each.host === host)
      ?.files(spelled)
      .join(' ');
  expect(reach('gemini', '@\0/.policy/x')).toBe('/work/.policy/x');
  expect(reach('qwen', ' /work/.policy/a\\ b\n')).toBe('/work/.policy/a b');
  expect(reach('vscode', 'file:///work/%2Epolicy/x?a#b')).toBe('/work/.policy/x');
  expect(reach('vscode', '.policy/x')).toBe('');
  expect(reach('opencode', '.policy/x\r')).toBe('/work/.policy/x');
  expect(reach('codex', '.policy/x\u0085\u2028')).toBe('/work/.policy/x');
  expect(reach('goose', '@.policy/x')).toBe('/work/@.policy/x');
});
