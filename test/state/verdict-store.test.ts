import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('of two processes that ask at once, one gets each question', async () => {
  const folder = temporaryFolder();
  const script = join(import.meta.dir, 'claim-verdicts.ts');
  const claim = (owner: string) =>
    Bun.spawn([process.execPath, script, folder, owner, '2000'], { stdout: 'pipe', stderr: 'inherit' });
  const taken = await Promise.all([claim('a'), claim('b')].map(({ stdout }) => stdout.text()));
  expect(taken.map(Number).reduce((sum, each) => sum + each)).toBe(2000);
});
