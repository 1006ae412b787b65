import { expect, test } from 'bun:test';
import { codeRunners } from '../../src/hosts/code-runners.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

test('the language of code is what is said beside it', () => {
  expect(codeRunners('code', 'f()', { code: 'f()', language: 'Python 3.12' })).toEqual(['python3 -c']);
  expect(codeRunners('code', 'f()', { code: 'f()', type: 'text/javascript' })).toEqual(['node -e']);
});

test('a long text beside code is looked at in no time', () => {
  const beside = { code: 'f()', type: `${'1'.repeat(100_000)}x` };
  expect(withinProcessorTime(1_000, () => codeRunners('code', 'f()', beside))).toHaveLength(2);
});
