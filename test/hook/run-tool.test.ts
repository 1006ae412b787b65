import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../../src/hook/run-tool.ts';
import type { RespondResult } from '../../src/model/decision.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** How long after its start what is left of a tool would write a file. */
const LATER_MS = 1_500;

interface Ran {
  readonly result: RespondResult;
  readonly tookMs: number;
}

async function run(script: string, timeoutMs = 5_000, input = {}): Promise<Ran> {
  const startMs = performance.now();
  const result = await runTool({ argv: ['sh', '-c', script], timeoutMs, input }, 10_000);
  return { result, tookMs: performance.now() - startMs };
}

/** Whether a file has come to be once everything that could write it has had the time. */
async function wrote(file: string): Promise<boolean> {
  await Bun.sleep(LATER_MS + 500);
  return existsSync(file);
}

/** A line of sh that writes a file after a while. */
function writeLater(file: string): string {
  return `sleep ${LATER_MS / 1_000}; echo late > '${file}'`;
}

describe('a tool that is run', () => {
  test('gets its arguments and gives its answer as text or as an object', async () => {
    expect((await run('cat', 5_000, { a: [1] })).result).toEqual({ for_llm: '{"a":[1]}' });
    const object = '{"for_llm":"x","for_user":"y","silent":true,"media":["m",1]}';
    expect((await run(`echo '${object}'`)).result).toEqual({
      for_llm: 'x',
      for_user: 'y',
      silent: true,
      media: ['m'],
    });
  });

  test('that fails, prints too much or is not there gives an error', async () => {
    for (const [script, words] of [
      ['exit 3', 'sh ended with exit code 3'],
      ['kill -9 $$', 'sh was stopped'],
      ['yes', 'too much output'],
      ['head -c 530000 /dev/zero', 'too much output'],
    ] as const) {
      const { result, tookMs } = await run(script);
      expect([script, result]).toEqual([script, { for_llm: expect.stringContaining(words), is_error: true }]);
      expect(tookMs).toBeLessThan(4_000);
    }
    const gone = await runTool({ argv: ['/nowhere/tool'], timeoutMs: 1_000, input: {} }, 1_000);
    expect(gone).toMatchObject({ for_llm: expect.stringContaining('cannot be started'), is_error: true });
  });

  test('says the time that was left in whole milliseconds', async () => {
    const result = await runTool({ argv: ['sleep', '5'], timeoutMs: 5_000, input: {} }, 100.7);
    expect(result.for_llm).toContain('stopped after 100 ms');
  });

  test('ends at its limit with everything that it has started', async () => {
    const file = join(temporaryFolder(), 'late');
    const { result, tookMs } = await run(`(${writeLater(file)}) & wait`, 300);
    expect(result).toEqual({ for_llm: expect.stringContaining('stopped after 300 ms'), is_error: true });
    expect(tookMs).toBeLessThan(LATER_MS);
    expect(await wrote(file)).toBe(false);
  });

  test('answers when it ends, and nothing that it has started outlives it', async () => {
    const file = join(temporaryFolder(), 'late');
    const { result, tookMs } = await run(`(${writeLater(file)}) & echo done`);
    expect(result).toEqual({ for_llm: 'done' });
    expect(tookMs).toBeLessThan(LATER_MS);
    expect(await wrote(file)).toBe(false);
  });

  test.if(Bun.which('setsid') !== null)(
    'is not waited for where something that has left its group holds its output open',
    async () => {
      const file = join(temporaryFolder(), 'pid');
      const { result, tookMs } = await run(
        `setsid sh -c 'echo $$ > "${file}"; exec sleep 30' & sleep 30`,
        300,
      );
      process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
      expect(result.is_error).toBe(true);
      expect(tookMs).toBeLessThan(3_000);
    },
  );
});
