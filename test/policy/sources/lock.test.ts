import { describe, expect, test } from 'bun:test';
import { lockPath, lockText, parseLock } from '../../../src/language/policy/sources/lock.ts';

const COMMIT = 'c'.repeat(40);
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
      ['git+https://b', { revision: 'b'.repeat(40), digest: DIGEST }],
      ['git+https://a', { revision: 'c'.repeat(40), digest: DIGEST }],
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
    [`{"version": 1, "sources": {"git+https://a": {"revision": "${COMMIT}"}}}`, 'git+https://a'],
    [
      `{"version": 1, "sources": {"git+https://a": {"revision": "${COMMIT}", "digest": "sha256:../../x"}}}`,
      'git+https://a',
    ],
    ['<<<<<<< HEAD\n{}\n', 'JSON'],
  ])('%j cannot be used: %s', (text, cause) => {
    expect(parseLock(text)).toEqual({
      cause: expect.stringContaining(cause),
      hint: expect.stringContaining(cause === 'a newer policy' ? 'install' : 'history'),
    });
  });

  const isUsable = (source: string, revision: string) =>
    parseLock(lockText(new Map([[source, { revision, digest: DIGEST }]]))) instanceof Map;

  test.each([
    ['git+https://a', COMMIT],
    ['git+https://a#main', 'd'.repeat(64)],
    [`git+ssh://a#${COMMIT}`, COMMIT],
    ['https://a/x.tgz', DIGEST],
    ['oci://a/b:1', DIGEST],
    [`oci://a/b:1@${DIGEST}`, DIGEST],
  ])('pins %s to %s', (source, revision) => {
    expect(isUsable(source, revision)).toBe(true);
  });

  test.each([
    ['git+https://a', '--upload-pack=true'],
    ['git+https://a', `+${COMMIT}`],
    ['git+https://a', `${COMMIT}\n`],
    ['git+https://a', 'main'],
    [`git+https://a#${COMMIT}`, 'd'.repeat(40)],
    ['https://a/x.tgz', 'v1'],
    ['oci://a/b:1', '1'],
    [`oci://a/b@${DIGEST}`, `sha256:${'b'.repeat(64)}`],
    ['git+https://a#v1:shell', COMMIT],
    ['./a.yaml', COMMIT],
  ])('cannot pin %s to %s', (source, revision) => {
    expect(isUsable(source, revision)).toBe(false);
  });
});
