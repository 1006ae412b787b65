import { expect, test } from 'bun:test';
import { ANALYSES } from '../../src/language/keys/analyses.ts';
import { MATCHERS } from '../../src/language/keys/registry.ts';

test('every matching key has an analysis, and every analysis a key', () => {
  expect([...ANALYSES.keys()].sort()).toEqual(MATCHERS.map(({ key }) => key).sort());
});

test('the keys that are never unknown, or only by what is in them, are these', () => {
  const known = [...ANALYSES].filter(([, { unknownCause }]) => unknownCause === undefined);
  expect(known.map(([key]) => key)).toEqual(['hosts', 'tool_matcher', 'any', 'all', 'not']);
});

test('a key that joins others is as steady as they are', () => {
  const joining = MATCHERS.filter(({ joins }) => joins);
  expect(joining.map(({ key, steady }) => [key, steady])).toEqual([
    ['all', true],
    ['any', true],
    ['not', true],
  ]);
});
