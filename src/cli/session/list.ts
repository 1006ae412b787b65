import { parsePolicyFile } from '../../policy/parse.ts';
import { alignColumns } from '../../report/columns.ts';
import { printable } from '../../report/printable.ts';
import { type SessionFile, sessionFiles } from '../../state/session-store.ts';
import type { Arguments } from '../args.ts';
import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { paintFor, printJson } from '../print.ts';
import { UsageError } from '../usage-error.ts';

/** Version of the shape of `policy session list --json`. */
const VERSION = 1;

/** Lists what was added to the sessions in a directory. */
export function listFiles(
  operands: readonly string[],
  { switches }: Arguments,
  directory: string,
  io: Io,
): number {
  if (operands.length > 0) throw new UsageError(`Cannot use "${operands[0]}": list takes options only`);
  const files = sessionFiles(io.env, directory);
  if (switches.has('json')) {
    const listed = files.map((file) => ({
      id: file.id,
      directory: file.directory,
      added: new Date(file.addedMs).toISOString(),
      policies: policiesOf(file).map(({ id, action }) => ({ id, action })),
    }));
    printJson(io.stdout, { version: VERSION, files: listed });
    return EXIT_CODE.ok;
  }
  if (files.length === 0) io.stdout.write(`Nothing was added to sessions in ${directory}\n`);
  const { bold, dim } = paintFor(io.stdout, io.env);
  const blocks = files.map((file) => {
    const rows = policiesOf(file).map(({ id, action }) => [`  ${action}`, printable(id)]);
    const title = `${bold(printable(file.id))} ${dim(`in ${printable(file.directory)} since ${new Date(file.addedMs).toISOString()}`)}`;
    return `${[title, ...alignColumns(rows)].join('\n')}\n`;
  });
  io.stdout.write(blocks.join(''));
  return EXIT_CODE.ok;
}

function policiesOf({ text, path, id }: SessionFile) {
  return parsePolicyFile(text, path, id).draft?.rules ?? [];
}
