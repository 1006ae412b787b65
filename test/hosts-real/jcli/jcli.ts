import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RealHost, Scene } from '../real-host.ts';
import { chainScenes } from './chain-scenes.ts';
import { packagesIn, publishedLock } from './published-lock.ts';
import { setStage } from './stage.ts';
import { talkScenes } from './talk-scenes.ts';

const CARGO = Bun.which('cargo') ?? join(homedir(), '.cargo/bin/cargo');
/** What cargo builds is kept outside of the project, and used again. */
const WORK = join(tmpdir(), 'policy-e2e-jcli');
const LOCK = join(WORK, 'Cargo.lock');

/** jcli as it is published: its hooks and its agent, and the whole of an older version but the terminal. */
export const jcli: RealHost = { name: 'jcli', missing, play };

async function missing(): Promise<string | undefined> {
  if (!existsSync(CARGO)) return 'cargo is not installed';
  for (const name of ['Cargo.toml', 'src'])
    cpSync(join(import.meta.dir, name), join(WORK, name), { recursive: true });
  try {
    const published = await publishedLock();
    writeFileSync(LOCK, published);
    const fetched = cargo('fetch');
    if (!fetched.success) throw new Error(fetched.stderr.toString().trim().split('\n').at(-1));
    const known = new Set(packagesIn(published));
    const added = packagesIn(readFileSync(LOCK, 'utf8')).filter((each) => !known.has(each));
    if (added.length > 0) throw new Error(`cargo adds ${added.join('')}`);
    return undefined;
  } catch (error) {
    return `the crates cannot be had: ${error instanceof Error ? error.message : error}`;
  }
}

async function* play(policy: string): AsyncIterable<Scene> {
  const built = cargo('build', '--locked');
  yield { name: 'cargo build', expected: 'built', seen: built.success ? 'built' : built.stderr.toString() };
  if (!built.success) return;
  const program = join(WORK, 'target/debug/jcli-host');
  const folder = mkdtempSync(join(tmpdir(), 'jcli-'));
  let stages = 0;
  const stageFor: StageFor = (policies, before) =>
    setStage(join(folder, String(++stages)), {
      jcli: program,
      policy,
      policies,
      ...(before === undefined ? {} : { before }),
    });
  try {
    yield* chainScenes(stageFor);
    yield* talkScenes(stageFor);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A stage of its own for a scene, with the user's policies and what comes in front of the hook's command. */
export type StageFor = (policies: string, before?: string) => ReturnType<typeof setStage>;

function cargo(...args: readonly string[]) {
  return Bun.spawnSync([CARGO, ...args], { cwd: WORK, stderr: 'pipe' });
}
