import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LONGEST, writeTimings } from '../../scripts/gate/longest-first.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the gate knows a time of every test file, and starts only files that are there', () => {
  const path = join(temporaryFolder(), 'dist/timings.json');
  writeTimings(join(import.meta.dir, '../..'), path);
  const { files } = JSON.parse(readFileSync(path, 'utf8'));
  expect(files).toMatchObject({ 'test/gate/longest-first.test.ts': 200, 'test/e2e/main.test.ts': 4_000 });
  expect(Object.keys(LONGEST).filter((name) => files[`test/${name}`] === undefined)).toEqual([]);
});
