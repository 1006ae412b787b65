import { describe, expect, test } from 'bun:test';
import { compareVersions, isVersion } from '../../src/lib/version-order.ts';

describe('isVersion', () => {
  test.each(['0.0.1', '1.2.3', '2026.11.23', '1.0.0-rc.1', '1.0.0-0', '1.0.0-a-b.7'])('takes %s', (text) => {
    expect(isVersion(text)).toBe(true);
  });

  test.each([
    '',
    '1',
    '1.2',
    'v1.2.3',
    '01.2.3',
    '1.2.3-',
    '1.2.3+build',
    '1.2.3 ',
    '1.2.9999999999',
    '1.2.3-a..b',
  ])('does not take %p', (text) => {
    expect(isVersion(text)).toBe(false);
  });
});

test('compareVersions orders as semver.org says', () => {
  const sorted = [
    '0.9.0',
    '1.0.0-0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-rc.2',
    '1.0.0-rc.10',
    '1.0.0',
    '1.0.10',
    '1.2.0',
    '1.10.0',
    '2026.2.1',
    '2026.11.1',
  ];
  for (const [i, a] of sorted.entries())
    for (const [j, b] of sorted.entries())
      expect([a, b, Math.sign(compareVersions(a, b))]).toEqual([a, b, Math.sign(i - j)]);
});
