import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import { BINARY } from '../../support/binary.ts';
import { writeFiles } from '../../support/write-files.ts';
import { callText } from '../hook/messages.ts';

/** What a process on a machine has said. */
export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine with folders of its own for `/etc`, `/var/lib` and its home. */
export interface Machine {
  readonly folder: string;
  readonly home: string;
  /** Writes files, `etc/policy/org.yaml` for one, that belong to root. */
  readonly write: (files: Readonly<Record<string, string>>) => void;
  /** Runs a script of sh as root. `policy` is the built program. */
  readonly run: (script: string, input?: string) => Promise<Ran>;
  /** What becomes of a shell command of an agent there. */
  readonly fate: (command: string) => Promise<{ readonly fate: 'refused' | 'runs'; readonly said: string }>;
}

/** Only root may lay a folder over that of the machine and have it belong to root. */
export const CAN_BE_ROOT =
  process.getuid?.() === 0 &&
  Bun.spawnSync(['unshare', '--mount', 'mount', '--bind', '/tmp', '/mnt']).exitCode === 0;

export function machineIn(folder: string): Machine {
  const home = join(folder, 'home');
  for (const path of ['etc/policy', 'lib', 'home', 'project/.git', 'bin'])
    mkdirSync(join(folder, path), { recursive: true });
  chmodSync(folder, 0o755);
  const run = (script: string, input = ''): Promise<Ran> => start(folder, script, input);
  return {
    folder,
    home,
    write: (files) => writeFiles(folder, files),
    run,
    fate: async (command) => {
      const call = callText(gemini, command, join(folder, 'project'));
      const { exitCode, stdout, stderr } = await run('policy hook --host gemini', call);
      return { fate: exitCode === 0 ? 'runs' : 'refused', said: stdout + stderr };
    },
  };
}

/** A copy of a machine as it is. */
export function copyOf({ folder }: Machine, to: string): Machine {
  cpSync(folder, to, { recursive: true });
  return machineIn(to);
}

function start(folder: string, script: string, input: string): Promise<Ran> {
  const mounts = 'mount --bind "$1/etc" /etc && mount --bind "$1/lib" /var/lib && cd "$1/project"';
  const child = spawn(
    'unshare',
    ['--mount', 'sh', '-c', `${mounts} && policy() { "$0" "$@"; } && ${script}`, BINARY, folder],
    { env: { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'home') }, stdio: 'pipe' },
  );
  const [out, err] = [[] as Buffer[], [] as Buffer[]];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.on('close', (exitCode) =>
      resolve({ exitCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}
