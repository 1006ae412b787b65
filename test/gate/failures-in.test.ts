import { expect, test } from 'bun:test';
import { failuresIn } from '../../scripts/gate/failures-in.ts';

const PASSING = `bun test v1.4.4 3x PARALLEL

test/a.test.ts:
said by a test
(pass) a [0.04ms]
(skip) b

test/b.test.ts:
(pass) c [0.05ms]
`;
const AGAIN = `
test/c.test.ts:
(pass) d
error: expect(received).toBe(expected)
      at <anonymous> (test/c.test.ts:4:34)
(pass) e (attempt 2) [0.01ms]
(pass) f
`;
const FAILING = `
test/d.test.ts:
(pass) g
\u001b[31merror\u001b[0m: expect(received).toBe(expected)
(fail) h [0.1ms]

test/e.test.ts:
# Unhandled error between tests
error: Cannot find module "x"
`;
const END = ' 3 pass\n 1 fail\n';

test('failuresIn leaves out what passed, with all that it printed', () => {
  expect(failuresIn(PASSING, true)).toBe('');
});

test('failuresIn shows what passed only the second time', () => {
  expect(failuresIn(PASSING + AGAIN, true)).toBe(
    'test/c.test.ts:\nerror: expect(received).toBe(expected)\n      at <anonymous> (test/c.test.ts:4:34)\n(pass) e (attempt 2) [0.01ms]',
  );
});

test('failuresIn shows failures below their files, and errors outside of tests', () => {
  expect(failuresIn(PASSING + FAILING + END, false)).toBe(
    'bun test v1.4.4 3x PARALLEL\n\n\ntest/d.test.ts:\nerror: expect(received).toBe(expected)\n(fail) h [0.1ms]\n\ntest/e.test.ts:\n# Unhandled error between tests\nerror: Cannot find module "x"\n 3 pass\n 1 fail',
  );
});
