import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RealHost, Scene } from '../real-host.ts';

/** Where the tests are put: beside the code that they play with. */
const PACKAGE = 'pkg/agent';
const GO = Bun.which('go') ?? '/usr/local/go/bin/go';

/**
 * PicoClaw's own hook code, agent and decoder in the checkout that `PICOCLAW_SRC` names. An overlay adds the Go tests of
 * this folder, which print a line for each scene, so the checkout stays as it is.
 */
export const picoclaw: RealHost = { name: 'picoclaw', missing, play };

function missing(): string | undefined {
  const source = process.env['PICOCLAW_SRC'] ?? '';
  if (!existsSync(join(source, PACKAGE, 'hook_process.go')))
    return 'PICOCLAW_SRC names no checkout of PicoClaw';
  return existsSync(GO) ? undefined : 'Go is not installed';
}

async function* play(policy: string): AsyncIterable<Scene> {
  const source = process.env['PICOCLAW_SRC'] ?? '';
  const before = await changes(source);
  const folder = mkdtempSync(join(tmpdir(), 'picoclaw-'));
  try {
    const overlay = join(folder, 'overlay.json');
    writeFileSync(overlay, JSON.stringify({ Replace: Object.fromEntries(testsIn(source)) }));
    const options = ['-vet=off', '-count=1', '-v', '-timeout=20m', '-tags=goolm,stdjson', '-run=^TestPolicy'];
    const go = Bun.spawn([GO, 'test', ...options, `-overlay=${overlay}`, `./${PACKAGE}`], {
      cwd: source,
      env: { ...process.env, POLICY_BINARY: policy },
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const others: string[] = [];
    for (const line of (await new Response(go.stdout).text()).split('\n')) {
      if (line.startsWith('scene ')) yield JSON.parse(line.slice('scene '.length)) as Scene;
      else others.push(line);
    }
    const ending = (await go.exited) === 0 ? 'passed' : others.slice(-40).join('\n');
    yield { name: "Go's own verdict", expected: 'passed', seen: ending };
  } finally {
    rmSync(folder, { recursive: true });
  }
  yield { name: 'the checkout afterwards', expected: before, seen: await changes(source) };
}

function testsIn(source: string): [string, string][] {
  return readdirSync(import.meta.dir)
    .filter((name) => name.endsWith('_test.go'))
    .map((name) => [join(source, PACKAGE, `policy_${name}`), join(import.meta.dir, name)]);
}

async function changes(source: string): Promise<string> {
  const git = Bun.spawn(['git', 'status', '--porcelain'], { cwd: source, stdout: 'pipe' });
  return (await new Response(git.stdout).text()) || 'unchanged';
}
