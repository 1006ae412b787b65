import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RealHost, Scene } from '../real-host.ts';
import { chainScenes } from './chain-scenes.ts';
import { setStage } from './stage.ts';
import { talkScenes } from './talk-scenes.ts';

const CARGO = Bun.which('cargo') ?? join(homedir(), '.cargo/bin/cargo');
/** What cargo builds is kept outside of the project, and used again. */
const TARGET = join(tmpdir(), 'policy-e2e-jcli');

/** jcli as it is published: its hooks and its agent, and the whole of an older version but the terminal. */
export const jcli: RealHost = { name: 'jcli', missing, play };

function missing(): string | undefined {
  if (!existsSync(CARGO)) return 'cargo is not installed';
  const fetched = cargo('fetch');
  return fetched.success
    ? undefined
    : `the crates cannot be had: ${fetched.stderr.toString().trim().split('\n').at(-1)}`;
}

async function* play(policy: string): AsyncIterable<Scene> {
  const built = cargo('build');
  yield { name: 'cargo build', expected: 'built', seen: built.success ? 'built' : built.stderr.toString() };
  if (!built.success) return;
  const program = join(TARGET, 'debug/jcli-host');
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

function cargo(command: 'fetch' | 'build') {
  return Bun.spawnSync([CARGO, command, '--locked'], {
    cwd: import.meta.dir,
    env: { ...process.env, CARGO_TARGET_DIR: TARGET },
    stderr: 'pipe',
  });
}
