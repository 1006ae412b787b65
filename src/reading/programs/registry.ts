import { WRAPPER_PROGRAMS } from '../knowledge/wrapper-programs.ts';
import { rowOf } from '../program-name.ts';
import type { ProgramReader } from '../walker.ts';
import { BUILTIN_READERS } from './builtins.ts';
import { fd, find } from './find.ts';
import { git } from './git.ts';
import { INTERPRETER_READERS } from './interpreters.ts';
import { FILTER_READERS } from './line-filters.ts';
import { PRINTER_READERS } from './printers.ts';
import { SETTINGS_READERS } from './shell-settings.ts';
import { readShell, readSwitchUser } from './shells.ts';
import { TRANSFER_READERS } from './transfers.ts';
import { wrapperReader } from './wrappers.ts';
import { parallel, xargs } from './xargs.ts';

const SHELL_READERS: Readonly<Record<string, ProgramReader>> = {
  ...Object.fromEntries(
    ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'rbash', 'fish', 'csh', 'tcsh'].map((name) => [
      name,
      readShell,
    ]),
  ),
  su: readSwitchUser,
  runuser: readSwitchUser,
};

let readers: ReadonlyMap<string, readonly ProgramReader[]> | undefined;

/** The reader of a program by its name; undefined if its table says all there is. */
export function programReader(name: string | undefined): ProgramReader | undefined {
  readers ??= collect();
  const found = rowOf(readers, name);
  if (found === undefined || found.length < 2) return found?.[0];
  return (call, walker) => {
    const printed = found.map((reader) => reader(call, walker));
    return printed.find((word) => word !== undefined);
  };
}

/** Every reader; a program may have several, which look at different things. */
function collect(): ReadonlyMap<string, readonly ProgramReader[]> {
  const wrappers = Object.entries(WRAPPER_PROGRAMS).map(
    ([name, spec]) => [name, wrapperReader(spec)] as const,
  );
  const tables: readonly (readonly (readonly [string, ProgramReader])[])[] = [
    wrappers,
    Object.entries(BUILTIN_READERS),
    Object.entries(PRINTER_READERS),
    Object.entries(SETTINGS_READERS),
    Object.entries(FILTER_READERS),
    Object.entries(SHELL_READERS),
    Object.entries(TRANSFER_READERS),
    Object.entries(INTERPRETER_READERS),
    Object.entries({ git, find, fd, fdfind: fd, xargs, parallel }),
  ];
  const found = new Map<string, readonly ProgramReader[]>();
  for (const table of tables)
    for (const [name, reader] of table) found.set(name, [...(found.get(name) ?? []), reader]);
  return found;
}
