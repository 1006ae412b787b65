import { rowOf } from '../../reading/program-name.ts';
import type { ProgramReader } from '../../shell/scope/walker.ts';
import { wrapperSpec } from '../spec/rows.ts';
import { BUILTIN_READERS } from './builtins.ts';
import { CLONE_READERS } from './clones.ts';
import { CONNECTION_READERS } from './connections.ts';
import { CONSOLE_READERS } from './consoles.ts';
import { DECODER_READERS } from './decoders.ts';
import { EVALUATED_ARGUMENT_READERS } from './evaluated-arguments.ts';
import { FETCH_READERS } from './fetchers.ts';
import { FILE_TOOL_READERS } from './file-tools.ts';
import { fd, find } from './find.ts';
import { git } from './git/git.ts';
import { HIDDEN_COMMAND_READERS } from './hidden-commands.ts';
import { INTERPRETER_READERS } from './interpreters.ts';
import { FILTER_READERS } from './line-filters.ts';
import { MOUNT_READERS } from './mounts.ts';
import { OWN_READERS } from './own-program.ts';
import { PATCH_READERS } from './patches.ts';
import { PRINTER_READERS } from './printers.ts';
import { SED_READERS } from './sed.ts';
import { SHELL_READERS } from './shells.ts';
import { TAR_READERS } from './tar.ts';
import { UNPACKER_READERS } from './unpackers.ts';
import { WINDOWS_DELETE_READERS } from './windows-deletes.ts';
import { wrapperReader } from './wrappers.ts';
import { parallel, xargs } from './xargs.ts';

/** Every reader; a program may have several, which look at different things. */
const TABLES: readonly Readonly<Record<string, ProgramReader>>[] = [
  EVALUATED_ARGUMENT_READERS,
  BUILTIN_READERS,
  PRINTER_READERS,
  DECODER_READERS,
  FILTER_READERS,
  SHELL_READERS,
  FETCH_READERS,
  CONNECTION_READERS,
  TAR_READERS,
  UNPACKER_READERS,
  CLONE_READERS,
  FILE_TOOL_READERS,
  MOUNT_READERS,
  SED_READERS,
  HIDDEN_COMMAND_READERS,
  INTERPRETER_READERS,
  CONSOLE_READERS,
  {
    git,
    find,
    gfind: find,
    bfs: find,
    fd,
    fdfind: fd,
    xargs,
    parallel,
    sem: parallel,
    env_parallel: parallel,
    rush: parallel,
  },
  PATCH_READERS,
  OWN_READERS,
  WINDOWS_DELETE_READERS,
];

const known = new Map<string, ProgramReader | undefined>();
/** Programs looked up are kept up to this many: names come from outside. */
const MAX_KNOWN = 512;

/** The reader of a program by its name; undefined if its table says all there is. */
export function programReader(name: string | undefined): ProgramReader | undefined {
  if (name === undefined) return undefined;
  if (known.has(name)) return known.get(name);
  const reader = rowOf(collect, name);
  if (known.size < MAX_KNOWN) known.set(name, reader);
  return reader;
}

/** True if nothing but what it prints needs a reader. */
export function onlyPrints(name: string): boolean {
  const silent = TABLES.filter((table) => table !== PRINTER_READERS && table !== FILTER_READERS);
  return wrapperSpec(name) === undefined && !silent.some((table) => Object.hasOwn(table, name));
}

function collect(name: string): ProgramReader | undefined {
  const found = TABLES.flatMap((table) => (Object.hasOwn(table, name) ? [table[name]] : []));
  const wrapper = wrapperSpec(name);
  const readers = (wrapper === undefined ? found : [wrapperReader(wrapper), ...found]).filter(
    (reader) => reader !== undefined,
  );
  if (readers.length < 2) return readers[0];
  return (call, walker) => {
    const printed = readers.map((reader) => reader(call, walker));
    return printed.find((word) => word !== undefined);
  };
}
