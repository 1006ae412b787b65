import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HistoryPlayed, historyScenes, type Wish } from '../history-scenes.ts';
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
    const program = join(folder, 'agent.test');
    const build = ['test', '-c', '-vet=off', '-tags=goolm,stdjson', `-overlay=${overlay}`, '-o', program];
    const built = Bun.spawnSync([GO, ...build, `./${PACKAGE}`], { cwd: source, stderr: 'inherit' });
    yield { name: 'go test -c', expected: 'built', seen: built.success ? 'built' : 'not built' };
    if (!built.success) return;
    const run = (name: string, env: Readonly<Record<string, string>> = {}) =>
      Bun.spawn([program, '-test.v', '-test.timeout=20m', `-test.run=${name}`], {
        cwd: join(source, PACKAGE),
        env: { ...process.env, POLICY_BINARY: policy, ...env },
        stdout: 'pipe',
        stderr: 'inherit',
      });
    yield* historyScenes(async ({ policies, files, wishes }) => {
      const session = join(folder, 'session.json');
      writeFileSync(session, JSON.stringify({ policies, files, script: wishes.map(wished) }));
      const text = await new Response(run('^TestHistory$', { POLICY_SESSION: session }).stdout).text();
      const line = /^played (.*)$/m.exec(text)?.[1];
      if (line === undefined) throw new Error(text);
      return JSON.parse(line) as HistoryPlayed;
    }, LACKS);
    const go = run('^TestPolicy');
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

const LACKS = { retry: 'it only hears that a turn has ended' };

function wished(wish: Wish): string {
  if (typeof wish === 'string') return wish;
  if ('shell' in wish) return `exec!${JSON.stringify({ action: 'run', command: wish.shell })}`;
  return 'read' in wish
    ? `read_file!${JSON.stringify({ path: wish.read })}`
    : `write_file!${JSON.stringify({ path: wish.write, content: 'text' })}`;
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
