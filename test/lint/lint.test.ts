import { describe, expect, test } from 'bun:test';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../cli/test-io.ts';
import { expectGolden } from '../support/golden.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const GOLDEN = join(import.meta.dir, 'golden');
const CASES = readdirSync(GOLDEN);
const temporaryFolder = temporaryFolders();

function check(cwd: string, ...args: readonly string[]) {
  return runCli(['check', ...args, 'policy.yaml'], { cwd, env: { HOME: '/nonexistent' } });
}

describe('policy check', () => {
  test.each(CASES)('finds what is odd in golden/%s', async (name) => {
    const { stdout, stderr, exitCode } = await check(join(GOLDEN, name));
    expect(stderr).toBe('');
    expectGolden(import.meta.dir, join(name, 'findings.txt'), `${stdout}exit ${exitCode}\n`);
  });

  test.each(['repeated', 'unused-ignores'])('mends what can be mended in golden/%s', async (name) => {
    const folder = temporaryFolder();
    cpSync(join(GOLDEN, name), folder, { recursive: true });
    const { stdout, stderr } = await check(folder, '--fix');
    expect(stderr).toMatch(/^Mended \d+ findings? in 1 file\n$/);
    expectGolden(
      import.meta.dir,
      join(name, 'mended.yaml'),
      readFileSync(join(folder, 'policy.yaml'), 'utf8'),
    );
    expect(stdout).not.toContain('warning duplicate');
    expect((await check(folder, '--fix')).stderr).toBe('');
  });
});
