import { expect, test } from 'bun:test';
import { ANALYSES } from '../../src/language/keys/analyses.ts';
import { MATCHERS } from '../../src/language/keys/registry.ts';

test('every matching key has an analysis, and every analysis a key', () => {
  expect([...ANALYSES.keys()].sort()).toEqual(MATCHERS.map(({ key }) => key).sort());
});
