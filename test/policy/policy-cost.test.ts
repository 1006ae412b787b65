import { describe, expect, test } from 'bun:test';
import { MAX_POLICY_COST, policyCost } from '../../src/language/policy/parse/policy-cost.ts';
import { compileRegex } from '../../src/lib/regex/regex.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

describe('policyCost', () => {
  test.each([
    ['a plain policy', { id: 'a', tool: 'shell', arguments: { command: '\\bgit\\s+push\\b' } }, 100],
    [
      'a list of 1,000 addresses',
      { arguments: { url: { one_of: Array(1_000).fill('https://example.com/') } } },
      60_000,
    ],
    ['a small schema', { arguments_match: { type: 'object', required: ['city'] } }, 6_000],
  ])('of %s is small', (_, policy, atMost) => {
    expect(policyCost(policy)).toBeGreaterThan(0);
    expect(policyCost(policy)).toBeLessThanOrEqual(atMost);
  });

  const REPEATED = '[ab]{900}c'.repeat(10);
  test.each([
    [
      'repetition',
      { arguments: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, REPEATED])) },
    ],
    ['Unicode classes', { arguments: { a: '[\\pL\\pN\\pS]'.repeat(3_500) } }],
    ['long schemas', { arguments_match: { enum: Array.from({ length: 3_000 }, (_, i) => i) } }],
    ['nested alternatives', { any: [{ all: [{ not: { arguments: { a: Array(40).fill(REPEATED) } } }] }] }],
    ['rewrites', { rewrite: { replace: Array(40).fill({ at: '*', regex: REPEATED, with: '' }) } }],
  ])('of %s goes over the maximum', (_, policy) => {
    expect(policyCost(policy)).toBeGreaterThan(MAX_POLICY_COST);
  });

  test('is at least the size of the program that a pattern compiles to', () => {
    for (const pattern of ['a{1000}', '([ab]{30}){30}', '(a|b|c){20}{3}', 'plain', '(?i)[a-z]{100}']) {
      const { RE2JS } = require('re2js') as typeof import('re2js');
      try {
        compileRegex(pattern);
      } catch {
        continue;
      }
      expect(policyCost({ pattern })).toBeGreaterThanOrEqual(RE2JS.compile(pattern).programSize());
    }
  });

  test('is counted in a moment for 4 MiB', () => {
    const large = { reason: '{'.repeat(4 * 1024 * 1024), values: Array(500_000).fill('x') };
    withinProcessorTime(2_000, () => policyCost(large));
  });
});
