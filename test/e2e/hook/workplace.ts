import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Files, writeFiles } from '../../support/write-files.ts';

/** What a hook process has said, and how long it took. */
export interface Said {
  readonly stdout: string;
  readonly stderr: string;
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly tookMs: number;
}

export interface Start {
  readonly args?: readonly string[];
  /** Written at once, then closed. */
  readonly input?: string | Uint8Array;
  /** Writes to stdin itself in place of `input`; closed with the promise. */
  readonly feed?: (stdin: NodeJS.WritableStream) => Promise<void>;
  /** Over the workplace's own; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** A line of sh that starts the program as "$@"; the program itself unless given. */
  readonly shell?: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  /** When it is killed, for what many do at once. */
  readonly killMs?: number;
}

/** A home, a state folder and a project's repository in one folder, apart from those of the machine. */
export interface Workplace {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  /** Where the program keeps its state. */
  readonly state: string;
  /** The environment of every process. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes files below the folder. */
  readonly write: (files: Files) => void;
  /** Runs `policy` to its end. A process that is not through after 20 s is killed. */
  readonly run: (start: Start) => Promise<Said>;
}

const KILL_MS = 50_000;

/** Lays out a workplace in an empty folder. */
export function workplaceIn(folder: string): Workplace {
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(join(project, '.git'), { recursive: true });
  // The folders that tests are given belong to one user alone; other users have to get through.
  chmodSync(folder, 0o755);
  return {
    folder,
    home,
    project,
    state: join(home, '.local/state/policy'),
    env,
    write: (files) => writeFiles(folder, files),
    run: (start) => run({ cwd: project, ...start, env: { ...env, ...start.env } }),
  };
}

/** Makes a workplace with these files, which is deleted after the test. */
export function workplace(files: Files = {}): Workplace {
  const place = workplaceIn(temporaryFolder());
  place.write(files);
  return place;
}

async function run({
  args = [],
  input = '',
  feed,
  env,
  cwd,
  shell,
  user,
  killMs = KILL_MS,
}: Start): Promise<Said> {
  const [program = '', ...rest] = shell === undefined ? [BINARY] : ['sh', '-c', shell, 'sh', BINARY];
  const startMs = performance.now();
  const child = spawn(program, [...rest, ...args], { env: { ...env }, cwd, stdio: 'pipe', ...user });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // A hook may end before it has read everything.
  child.stdin.on('error', () => {});
  const kill = setTimeout(() => child.kill('SIGKILL'), killMs);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  if (feed === undefined) child.stdin.end(input);
  else void feed(child.stdin).finally(() => child.stdin.end());
  const exitCode = await ended;
  clearTimeout(kill);
  return {
    stdout: Buffer.concat(out).toString('utf8'),
    stderr: Buffer.concat(err).toString('utf8'),
    exitCode,
    tookMs: performance.now() - startMs,
  };
}
