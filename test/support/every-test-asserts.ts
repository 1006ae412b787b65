// Loaded before the tests of the gate: a test that asserts nothing cannot fail, so it fails.
import { beforeEach, expect } from 'bun:test';

beforeEach(() => {
  expect.hasAssertions();
});
