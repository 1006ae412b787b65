import { resolve } from 'node:path';
import { realDirectory, repositoryRoots } from '../../policy/source.ts';
import { optionValue } from '../args.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../usage-error.ts';

export const session = {
  operands: 'add FILE|- | list | remove ID',
  options: [
    { name: 'workspace', value: 'DIR', summary: "The session's directory; this one unless given" },
    { name: 'all', summary: 'remove: all that were added here' },
    { name: 'json', summary: 'list: print data; "version" names its shape' },
    { name: 'as-tool', summary: 'add: print what a plugin tool answers, and end with 0' },
  ],
  details: [
    'Policies that are added here are in force in the sessions of this repository, or of this directory outside of one,\nuntil somebody removes them: for an agent, or whoever starts it, to rule out what this task does not need.',
    'They can only restrict. A file with anything else is refused: an action that lets pass or rewrites, tools, judges,\nprograms, settings, exceptions, "disable", "on_error".',
    'Everybody may add. Only a person can remove, in a terminal that no agent has opened.',
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
