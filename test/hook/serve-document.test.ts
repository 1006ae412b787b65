import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';

async function run(input: string): Promise<{ stdout: string; stderr: string; exitCode: number }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'document-server.ts')], {
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { stdout, stderr, exitCode: await child.exited };
}

describe('serveDocument', () => {
  test.each([
    ['echo', 'echo'],
    ['throw', 'refused throw: a bug'],
    ['slow', 'refused slow: no answer within 500 ms'],
    ['stray rejection', 'refused stray rejection: a stray bug'],
    ['stray error', "refused stray error: SyntaxError: JSON Parse error: Expected '}'"],
  ])('answers %p with %p and nothing else', async (input, stdout) => {
    expect(await run(input)).toEqual({ stdout: `${stdout}\n`, stderr: '', exitCode: 0 });
  });
});
