import { describe, expect, test } from 'bun:test';
import { createAllowance, type Limit, UNTRUSTED_LIMITS } from '../../src/language/policy/parse/allowance.ts';
import { startOf } from '../../src/language/policy/yaml/problem.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';

describe('an allowance', () => {
  test.each(Object.entries(UNTRUSTED_LIMITS) as readonly (readonly [Limit, number])[])(
    'of %s is used up at %d, and says so once, with what to do',
    (limit, most) => {
      const diagnostics: Diagnostic[] = [];
      const { take } = createAllowance();
      expect(take(limit, most - 1, startOf('a.yaml'), diagnostics)).toBe(true);
      expect(take(limit, 1, startOf('b.yaml'), diagnostics)).toBe(true);
      expect(diagnostics).toEqual([]);
      expect(take(limit, 1, startOf('c.yaml'), diagnostics)).toBe(false);
      expect(take(limit, 1, startOf('d.yaml'), diagnostics)).toBe(false);
      expect(diagnostics).toMatchObject([
        { code: 'limit', severity: 'error', position: { file: 'c.yaml' }, hint: expect.any(String) },
      ]);
    },
  );

  test('that is used up in one way is used up in every way', () => {
    const { take } = createAllowance();
    expect(take('files', UNTRUSTED_LIMITS.files + 1, startOf('a.yaml'), [])).toBe(false);
    expect(take('bytes', 1, startOf('b.yaml'), [])).toBe(false);
  });
});
