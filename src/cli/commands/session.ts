import { resolve } from 'node:path';
import { realDirectory, repositoryRoots } from '../../policy/source.ts';
import { optionValue } from '../args.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../usage-error.ts';

export const session = {
  operands: 'add FILE|- | list | remove ID',
  options: [
    { name: 'workspace', value: 'DIR', summary: "The session's directory; this one by default" },
    { name: 'all', summary: 'remove: everything that was added here' },
    { name: 'json', summary: 'list: print JSON' },
    { name: 'as-tool', summary: 'add: print the answer of a plugin tool, and exit with 0' },
  ],
  details: [
    'The policies apply to all sessions in this repository, or in this directory if it is in none, until somebody removes\nthem. An agent, or whoever starts it, can use them to rule out what this task does not need.',
    'They can only restrict. Files with anything else are refused: an action that lets calls through or rewrites them,\ntools, judges, programs, settings, exceptions, "disable", "on_error".',
    'Anybody may add policies. Only a person can remove them, in a terminal that no agent opened.',
  ],
  example: [
    '$ policy session add no-release.yaml',
    'Added no-release: in force in sessions in /home/me/project and below',
    '$ policy session list',
    'no-release in /home/me/project since 2026-11-20T09:38:00.123Z',
    '  deny  no-release/no-publish',
    '$ policy session remove no-release',
    'Removed no-release',
  ],
  async run(args, io) {
    const [task, ...operands] = args.operands;
    const directory = sessionPlace(resolve(io.cwd, optionValue(args, 'workspace') ?? '.'));
    switch (task) {
      case 'add':
        return (await import('../session/add.ts')).addFile(operands, args, directory, io);
      case 'list':
        return (await import('../session/list.ts')).listFiles(operands, args, directory, io);
      case 'remove':
        return (await import('../session/remove.ts')).removeFiles(operands, args, directory, io);
      default: {
        const what = task === undefined ? 'name what to do' : `Cannot do "${task}"`;
        throw new UsageError(`${what}: write add, list or remove`);
      }
    }
  },
} satisfies Command;

/** The root of the outermost repository around a directory, so that a repository inside of it takes nothing away. */
function sessionPlace(directory: string): string {
  const real = realDirectory(directory);
  return repositoryRoots(real).at(-1) ?? real;
}
