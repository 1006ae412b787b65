import { describe, expect, test } from 'bun:test';
import { lockPath, lockText, parseLock } from '../../../src/policy/sources/lock.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('lockPath', () => {
  test.each([
    ['/work/.policy/a.yaml', '/work/.policy/policy.lock'],
    ['/work/.policy/deep/er/a.yaml', '/work/.policy/policy.lock'],
    ['/work/policies/deep/a.yaml', '/work/policies/deep/policy.lock'],
    ['/etc/policy/a.yaml', '/etc/policy/policy.lock'],
  ])('of %s is %s', (path, wanted) => {
    expect(lockPath(path)).toBe(wanted);
  });
});

describe('a lock', () => {
  test('is written with its sources in order, and read again', () => {
    const lock = new Map([
      ['git+https://b', { revision: '2', digest: DIGEST }],
      ['git+https://a', { revision: '1', digest: DIGEST }],
    ]);
    const text = lockText(lock);
    expect(text.indexOf('//a')).toBeLessThan(text.indexOf('//b'));
    expect(text).toEndWith('}\n');
    expect(parseLock(text)).toEqual(lock);
  });

  test.each([
    ['', 'JSON'],
    ['{"version": 1', 'JSON'],
    ['[]', 'JSON'],
    ['{"version": 2, "sources": {}}', 'a newer policy'],
    ['{"version": "1", "sources": {}}', 'not what'],
    ['{"version": 1}', 'not what'],
    ['{"version": 1, "sources": {"git+https://a": {"revision": "1"}}}', 'git+https://a'],
    [
      '{"version": 1, "sources": {"git+https://a": {"revision": "1", "digest": "sha256:../../x"}}}',
      'git+https://a',
    ],
    ['<<<<<<< HEAD\n{}\n', 'JSON'],
  ])('%j cannot be used: %s', (text, cause) => {
    expect(parseLock(text)).toEqual({
      cause: expect.stringContaining(cause),
      hint: expect.stringContaining(cause === 'a newer policy' ? 'install' : 'history'),
    });
  });
});
