import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../support/write-files.ts';

/** A git repository on the disk. */
export interface Repository {
  readonly folder: string;
  /** As `extends` names it. */
  readonly source: string;
  /** Runs git in it and returns what it prints. */
  readonly git: (...args: readonly string[]) => string;
  /** Writes files and commits them; returns the commit. */
  readonly commit: (files: Readonly<Record<string, string>>) => string;
}

export function repositoryIn(folder: string): Repository {
  mkdirSync(folder, { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  return {
    folder,
    source: `git+file://${folder}`,
    git,
    commit: (files) => {
      writeFiles(folder, files);
      git('add', '--all');
      git('commit', '--quiet', '--message=change');
      return git('rev-parse', 'HEAD');
    },
  };
}

/** A program that git starts in the place of ssh: `script` is sh, and is not run where git asks what kind of ssh it is. */
export function sshScript(folder: string, script: string): string {
  const path = join(folder, 'ssh.sh');
  writeFiles(folder, { 'ssh.sh': `#!/bin/sh\n[ "$1" = -G ] && exit 1\n${script}\n` });
  execFileSync('chmod', ['+x', path]);
  return path;
}
