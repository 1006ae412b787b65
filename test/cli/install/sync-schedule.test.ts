import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { scheduleOf } from '../../../src/tools/cli/install/sync-schedule.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test.each([
  [MINUTE_MS, /^\*\/1 \* \* \* \* root /],
  [7 * MINUTE_MS, /^\*\/6 \* \* \* \* root /],
  [30 * MINUTE_MS, /^\*\/30 \* \* \* \* root /],
  [45 * MINUTE_MS, /^\*\/30 \* \* \* \* root /],
  [HOUR_MS, /^[0-5]?\d \*\/1 \* \* \* root /],
  [5 * HOUR_MS, /^[0-5]?\d \*\/4 \* \* \* root /],
  [24 * HOUR_MS, /^[0-5]?\d 4 \* \* \* root /],
  [7 * 24 * HOUR_MS, /^[0-5]?\d 4 \* \* \* root /],
])('cron starts policy sync at least every %d ms', (everyMs, line) => {
  const [file] = scheduleOf('cron', '/usr/local/lib/policy/bin/policy', everyMs).files;
  const [, times = ''] = file?.text.split('\n') ?? [];
  expect(times).toMatch(line);
  expect(times).toEndWith("root '/usr/local/lib/policy/bin/policy' sync > /dev/null");
});

test('launchd starts policy sync after that many seconds', () => {
  const [file] = scheduleOf('launchd', '/opt/a&b/policy', 30 * MINUTE_MS).files;
  expect(file?.path).toBe('/Library/LaunchDaemons/policy-sync.plist');
  expect(file?.text).toContain('<integer>1800</integer>');
  expect(file?.text).toContain('<string>/opt/a&amp;b/policy</string>\n    <string>sync</string>');
});

test.if(Bun.which('systemd-analyze') !== null)('systemd takes the units', () => {
  const folder = temporaryFolder();
  const { files } = scheduleOf('systemd', '/bin/true', 30 * MINUTE_MS);
  const paths = files.map(({ path, text }) => {
    const copy = join(folder, basename(path));
    writeFileSync(copy, text);
    return copy;
  });
  const { exitCode, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', '--man=no', ...paths]);
  const ours = stderr
    .toString()
    .split('\n')
    .filter((line) => line.includes('policy-sync'));
  expect([exitCode, ours]).toEqual([0, []]);
  expect(files[1]?.text).toContain('OnUnitActiveSec=1800s\nRandomizedDelaySec=180s\n');
});
