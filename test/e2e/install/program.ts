import { afterAll, expect } from 'bun:test';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { writeFiles } from '../../support/write-files.ts';

/** What the built program did. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Files by their path below a folder. */
export type Tree = Readonly<Record<string, string>>;

/** The environment of a person with this home. */
export function environmentOf(home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home };
}

/** Runs the built program in a home, without a terminal. */
export function policy(
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Ran {
  const { exitCode, stdout, stderr } = Bun.spawnSync([BINARY, ...args], {
    cwd: home,
    env: { ...environmentOf(home), ...env },
    stdin: 'ignore',
  });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** The same under an account that may not write what others own. */
export function policyAsNobody(home: string, args: readonly string[], program = BINARY): Ran {
  const as = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
  const { exitCode, stdout, stderr } = Bun.spawnSync([...as, program, ...args], {
    cwd: '/',
    env: environmentOf(home),
    stdin: 'ignore',
  });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/**
 * A function that gives a home in which the program was installed: once, and put back for each test as it was then, because
 * an install takes long. It is always the same folder.
 */
export function installedHome(files: Tree, ...args: readonly string[]): () => string {
  let place: string | undefined;
  afterAll(() => {
    if (place !== undefined) rmSync(place, { recursive: true, force: true });
  });
  return () => {
    if (place === undefined) {
      place = realpathSync(mkdtempSync(join(tmpdir(), 'policy-installed-')));
      mkdirSync(join(place, 'home'), { mode: 0o700 });
      writeFiles(join(place, 'home'), files);
      const installed = policy(join(place, 'home'), ['install', '--yes', ...args]);
      expect(installed).toMatchObject({ exitCode: 0, stderr: '' });
      execFileSync('cp', ['-a', 'home', 'kept'], { cwd: place });
    } else execFileSync('sh', ['-c', 'rm -rf home && cp -a kept home'], { cwd: place });
    return join(place, 'home');
  };
}

let known: string | undefined;

/**
 * A home with these files that knows the digest of the program, as one does in which it was installed for another agent: to
 * read so large a file takes longer than all the rest of an install.
 */
export function homeWith(home: string, files: Tree = CONFIGURATIONS): string {
  writeFiles(home, files);
  if (known === undefined) {
    const other = mkdtempSync(join(tmpdir(), 'policy-known-'));
    try {
      expect(policy(other, ['install', '--yes', '--host', 'claude'])).toMatchObject({ exitCode: 0 });
      const folder = join(other, INSTALLED);
      known = readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8');
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  }
  mkdirSync(join(home, INSTALLED), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, INSTALLED, 'other.json'), known, { mode: 0o600 });
  return home;
}

/** Everything below a folder but the state of this program; folders end with a slash. */
export function treeOf(folder: string): Tree {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const kept = names.filter((name) => name !== '.local' && !name.startsWith('.local/'));
  return Object.fromEntries(
    kept.map((name) =>
      statSync(join(folder, name)).isDirectory()
        ? [`${name}/`, '']
        : [name, readFileSync(join(folder, name), 'latin1')],
    ),
  );
}

/** Takes the right to write away from all folders in a folder; for root, who may always write, see `policyAsNobody`. */
export function makeReadOnly(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const path of ['', ...names].map((name) => join(folder, name)))
    if (statSync(path).isDirectory()) chmodSync(path, 0o555);
}

const INSTALLED = '.local/state/policy/installed';

/** Configurations of all hosts, as their own programs leave them. */
export const CONFIGURATIONS: Tree = {
  '.picoclaw/config.json':
    '{\n  "version": 3,\n  "agents": {"defaults": {"workspace": "~/.picoclaw/workspace"}}\n}\n',
  '.gemini/settings.json':
    '{\n    // mine\n    "ui": {"theme": "Dracula"}, /* kept */\n    "general": {}\n}\n',
  '.jdata/agent/data/agent_config.json': '{"disabled_hooks": []}',
};
