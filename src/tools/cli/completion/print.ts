import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { commandWords } from './words.ts';
import { zshCompletion } from './zsh.ts';

/** The shells that complete command lines of this program, and what makes them do so. */
export const COMPLETIONS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `policy completion SHELL`: not a row of the table of commands, which it prints. */
export async function printCompletion(shells: readonly string[], io: Io): Promise<number> {
  const [, script] = Object.entries(COMPLETIONS).find(([name]) => name === shells.join(' ')) ?? [];
  if (script === undefined) {
    const known = Object.keys(COMPLETIONS).join(', ');
    throw new UsageError(`Cannot complete in shell "${shells.join(' ')}": give one of ${known}`);
  }
  io.stdout.write(script(await commandWords()));
  return EXIT_CODE.ok;
}
