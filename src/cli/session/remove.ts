import { removeSessionFile, sessionFiles } from '../../state/session-store.ts';
import { personOnly } from '../allow/person-only.ts';
import type { Arguments } from '../args.ts';
import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';

/** Takes what was added to the sessions in a directory out of force. */
export function removeFiles(
  operands: readonly string[],
  { switches }: Arguments,
  directory: string,
  io: Io,
): number {
  const [id, ...others] = operands;
  const isAll = switches.has('all');
  if (others.length > 0 || (id === undefined) !== isAll)
    throw new UsageError('Cannot remove policies: name one id, or give --all');
  personOnly('remove policies of a session', io);
  const files = sessionFiles(io.env, directory).filter((file) => isAll || file.id === id);
  if (id !== undefined && files.length === 0) {
    io.stderr.write(`Cannot remove "${id}": there are no such policies in ${directory}\n`);
    return EXIT_CODE.findings;
  }
  for (const file of files) removeSessionFile(io.env, file);
  io.stdout.write(files.map((file) => `Removed ${file.id}\n`).join('') || 'There was nothing to remove\n');
  return EXIT_CODE.ok;
}
