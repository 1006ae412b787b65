import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../lib/message-of.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import { FIRST_FILES } from '../init/first-files.ts';
import { UsageError } from '../usage-error.ts';

const FOLDER = '.policy';
const NEXT = ['policy test', "policy explain --command 'git push -f'"];

export const init = {
  options: [],
  details: ['Writes into .policy/ of this directory. A file that is there already is left as it is.'],
  example: [
    '$ policy init',
    'Wrote .policy/first.yaml',
    'Wrote .policy/first.test.yaml',
    '',
    'Try next:',
    ...NEXT.map((command) => `  ${command}`),
  ],
  async run(_args, io) {
    const folder = join(io.cwd, FOLDER);
    attempt(folder, () => mkdirSync(folder, { recursive: true }));
    const lines = FIRST_FILES.map(({ name, text }) => {
      const shown = `${FOLDER}/${name}`;
      return writeNew(join(folder, name), text)
        ? `Wrote ${shown}`
        : `Left ${shown} as it is: it is there already`;
    });
    io.stdout.write(`${[...lines, '', 'Try next:', ...NEXT.map((command) => `  ${command}`)].join('\n')}\n`);
    return EXIT_CODE.ok;
  },
} satisfies Command;

/** False if there is something of this name. */
function writeNew(path: string, text: string): boolean {
  if (existsSync(path)) return false;
  attempt(path, () => writeFileSync(path, text, { flag: 'wx' }));
  return true;
}

function attempt(path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw new UsageError(`Cannot write "${path}": ${messageOf(error)}`);
  }
}
