import { expect, test } from 'bun:test';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { homeWith as homeIn, policy } from './program.ts';

const SETTINGS = '.qwen/settings.json';

/** A home in which Qwen Code is of this version; `none` for a home without it. */
function homeWith(version: string) {
  const home = homeIn(temporaryFolder(), { [SETTINGS]: '{}' });
  const env = { PATH: `${home}/bin:/usr/bin:/bin` };
  if (version !== 'none') {
    writeFiles(home, { 'bin/qwen': `#!/bin/sh\necho '${version}'\n` });
    chmodSync(join(home, 'bin/qwen'), 0o755);
  }
  const run = (...args: string[]) => policy(home, [...args, '--host', 'qwen'], env);
  const text = () => readFileSync(join(home, SETTINGS), 'utf8');
  const write = (timeout: number) =>
    writeFiles(home, { [SETTINGS]: text().replaceAll(/"timeout":\s*\d+/g, `"timeout": ${timeout}`) });
  const found = (): readonly string[] =>
    JSON.parse(run('doctor', '--json').stdout).hosts[0].findings.map(({ code }: { code: string }) => code);
  return { run, text, write, found };
}

test.each([
  ['0.24.4', 60_000],
  ['0.25.3', 60],
  ['1.0.0', 60],
  // Right for every version.
  ['none', 60_000],
])('policy install writes what Qwen Code %s takes for a minute: %d', (version, timeout) => {
  const { run, text, found } = homeWith(version);
  expect(run('install', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(text()).toMatch(new RegExp(`"timeout":\\s*${timeout}\\b`));
  expect(found()).not.toContain('timeout');
});

test.each<[string, readonly (readonly [timeout: number, isShort: boolean])[]]>([
  [
    '0.24.4',
    [
      [60, true],
      [60_000, false],
    ],
  ],
  // From 1000 on it takes milliseconds still.
  [
    '0.25.3',
    [
      [60, false],
      [999, false],
      [60_000, false],
      [1_000, true],
      [5, true],
    ],
  ],
])('policy doctor reads as Qwen Code %s does', (version, timeouts) => {
  const { run, write, found } = homeWith(version);
  expect(run('install', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
  for (const [timeout, isShort] of timeouts) {
    write(timeout);
    expect([timeout, found().includes('timeout')]).toEqual([timeout, isShort]);
  }
});
