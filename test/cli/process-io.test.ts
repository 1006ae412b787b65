import { afterEach, expect, test } from 'bun:test';
import { userInfo } from 'node:os';
import { processIo } from '../../src/tools/cli/process-io.ts';

const { HOME } = process.env;

afterEach(() => {
  if (HOME === undefined) delete process.env['HOME'];
  else process.env['HOME'] = HOME;
});

test.each([undefined, ''])('the home is that of the account where HOME is %p', (home) => {
  if (home === undefined) delete process.env['HOME'];
  else process.env['HOME'] = home;
  const { env } = processIo();
  expect(env['HOME']).toBe(userInfo().homedir);
  expect(env['HOME']).toStartWith('/');
  expect(env['PATH']).toBe(process.env['PATH'] ?? '');
});

test('the environment is the real one where HOME names a folder', () => {
  process.env['HOME'] = '/home/somebody';
  expect(processIo().env['HOME']).toBe('/home/somebody');
});
