import { describe, expect, test } from 'bun:test';
import { compileValueTest, valueTestProblems } from '../../src/language/keys/types/value-test.ts';
import type { Json } from '../../src/lib/json.ts';
import type { Truth } from '../../src/model/truth.ts';

describe('compileValueTest', () => {
  test.each<[spec: Json, values: readonly Json[], truth: Truth]>([
    ['b+', ['abb'], true],
    ['b+', ['a'], false],
    ['b+', [], false],
    ['^3$', [3], true],
    ['^true$', [true], true],
    ['^9007199254740993$', [9007199254740992], 'unknown'],
    ['^9007199254740991$', [9007199254740991], true],
    ['^-?1e', [Number.POSITIVE_INFINITY], 'unknown'],
    [{ not_regex: '3$' }, [9007199254740992], 'unknown'],
    [{ equals: 9007199254740992 }, [9007199254740992], 'unknown'],
    [{ equals: 1 }, [9007199254740992], false],
    [{ one_of: [9007199254740992] }, [9007199254740992], 'unknown'],
    [{ gt: 5 }, [9007199254740992], true],
    ['b', [['a', 'b']], true],
    ['b', [{ x: { y: 'b' } }], true],
    ['b', ['a', 'b'], true],
    [{ not_regex: 'b' }, ['a'], true],
    [{ not_regex: 'b' }, [['a', 'b']], false],
    [{ not_regex: 'b' }, [], false],
    [{ equals: { a: [1] } }, [{ a: [1] }], true],
    [{ equals: 1 }, ['1'], false],
    [{ one_of: ['a', 2] }, [2], true],
    [{ one_of: ['a', 2] }, ['b'], false],
    [{ glob: '*.ts' }, ['a.ts'], true],
    [{ glob: '*.ts' }, ['x/a.ts'], false],
    [{ glob: '*' }, [3], false],
    [{ contains: 'b' }, ['abc'], true],
    [{ contains: 'b' }, [['b']], true],
    [{ contains: { a: 1 } }, [[{ a: 1 }]], true],
    [{ contains: 'b' }, [['abc']], false],
    [{ finds: 'policy hook' }, ['[p]olicy'], true],
    [{ finds: ['a', 'policy'] }, ['^pol.cy$'], true],
    [{ finds: 'policy' }, ['vite'], false],
    [{ finds: 'policy' }, ['('], 'unknown'],
    [{ finds: 'policy' }, [3], false],
    [{ finds: 'policy' }, [], false],
    [{ exists: true }, [], false],
    [{ exists: true }, [null], true],
    [{ exists: false }, [], true],
    [{ gt: 2 }, [3], true],
    [{ gt: 2 }, ['3'], false],
    [{ gte: 2, lt: 4 }, [2], true],
    [{ gte: 2, lt: 4 }, [4], false],
    [{ lte: 2 }, [2], true],
    [{ min_length: 2 }, ['ab'], true],
    [{ min_length: 2 }, [['a']], false],
    [{ max_length: 1 }, ['ab'], false],
    [{ max_length: 1 }, [5], false],
    [{ max_length: 2 }, ['🔒🔑'], true],
    [{ max_length: 1 }, ['🔒🔑'], false],
    [{ min_length: 2 }, ['🔒🔑'], true],
    [{ min_length: 3 }, ['🔒🔑'], false],
    [{ max_length: 2 }, ['e\u0301'], true],
    [{ max_length: 1 }, ['\ud83d'], true],
    [{ max_length: 1 }, [['🔒🔑']], true],
    [{ regex: 'a', not_regex: 'b' }, ['ab'], false],
  ])('%j says of %j: %p', (spec, values, truth) => {
    expect(compileValueTest(spec)(values)).toBe(truth);
  });

  test('takes plain text as a regex or as itself', () => {
    expect(compileValueTest('.', 'regex')(['a'])).toBe(true);
    expect(compileValueTest('.', 'equals')(['a'])).toBe(false);
    expect(compileValueTest('.', 'equals')(['.'])).toBe(true);
  });

  test('is unknown for a text that is too large for its pattern', () => {
    let state = 1;
    const units = Array.from({ length: 1_000_000 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state % 2 === 0 ? 'a' : 'b';
    });
    expect(compileValueTest('[ab]*a[ab]{400}[cd]')([units.join('')])).toBe('unknown');
  });

  test('says where it is wrong', () => {
    expect(valueTestProblems('(')).toHaveLength(1);
    expect(valueTestProblems({ regex: 'a', not_regex: '(', glob: '{' }).map(({ path }) => path)).toEqual([
      ['not_regex'],
      ['glob'],
    ]);
    expect(valueTestProblems('(', 'equals')).toEqual([]);
  });
});
