import { afterEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';

const MAIN = join(import.meta.dir, '../../src/main.ts');

const policy = (id: string) =>
  `version: 1\npolicies: [{id: ${id}, tool: shell, arguments: {command: '^rm '}, action: deny, reason: No}]\n`;
const tests = (expected: string) => `cases: [{call: {command: rm x}, expect: ${expected}}]\n`;

/** The time at the end of a run. */
const END = / (?:µs|ms|s)\n/;

let stop: (() => void) | undefined;
afterEach(() => {
  stop?.();
  stop = undefined;
});

/** A watching process, and what it has written since it was last asked. */
function watchIn(cwd: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, MAIN, 'test', '--watch', ...args], {
    cwd,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, NO_COLOR: '1' },
  });
  stop = () => child.kill('SIGKILL');
  let written = '';
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) written += decoder.decode(chunk, { stream: true });
  };
  void read(child.stdout);
  void read(child.stderr);
  return {
    /** Waits until something is written, and takes everything up to there. */
    async until(end: RegExp): Promise<string> {
      const deadlineMs = performance.now() + 20_000;
      while (!end.test(written)) {
        if (performance.now() > deadlineMs) throw new Error(`${end} does not come: ${written}`);
        await Bun.sleep(5);
      }
      const taken = written;
      written = '';
      return taken;
    },
  };
}

describe('policy test --watch', () => {
  test('runs again the suite of what has changed, soon', async () => {
    const at = temporaryFolder();
    for (const name of ['a', 'b']) {
      writeFiles(at, {
        [`packs/${name}/policy.yaml`]: policy(name),
        [`packs/${name}/x.test.yaml`]: tests('deny'),
      });
    }
    const watching = watchIn(at, 'packs');
    const first = await watching.until(/watching for changes/);
    expect(first).toContain('2 passed');

    writeFileSync(join(at, 'packs/b/x.test.yaml'), tests('continue'));
    const startMs = performance.now();
    const second = await watching.until(END);
    // The bench holds the bar of 200 ms; a busy machine may take much longer.
    expect(performance.now() - startMs).toBeLessThan(5_000);
    expect(second).toContain('packs/b  0 passed, 1 failed');
    expect(second).not.toContain('packs/a');

    writeFileSync(join(at, 'packs/b/policy.yaml'), policy('b').replace('^rm ', '^mv '));
    expect(await watching.until(END)).toContain('packs/b  1 passed');
  });

  test('follows policies that others extend, new files and broken ones', async () => {
    const at = temporaryFolder({
      'base/base.yaml': policy('base'),
      '.policy/a.yaml':
        'version: 1\nextends: [../base/base.yaml]\npolicies: [{id: x, tool: read, action: deny, reason: No}]\n',
      '.policy/a.test.yaml': tests('deny'),
    });
    const watching = watchIn(at, '.policy');
    await watching.until(/watching for changes/);
    writeFileSync(join(at, 'base/base.yaml'), policy('base').replace('^rm ', '^mv '));
    expect(await watching.until(END)).toContain('0 passed, 1 failed');
    writeFileSync(join(at, '.policy/b.test.yaml'), tests('continue'));
    expect(await watching.until(END)).toContain('.policy  1 passed');
    writeFileSync(join(at, '.policy/b.test.yaml'), 'cases:\n');
    expect(await watching.until(END)).toContain('1 broken test file');
    writeFileSync(join(at, '.policy/b.test.yaml'), tests('continue'));
    expect(await watching.until(END)).toContain('.policy  1 passed');
  });
});
