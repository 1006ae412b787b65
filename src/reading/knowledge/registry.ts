import { rowOf } from '../program-name.ts';
import type { ParsedArguments } from '../walker.ts';
import { knownText } from '../word.ts';
import { ARCHIVE_PROGRAMS } from './archive-programs.ts';
import { CLOUD_PROGRAMS } from './cloud-programs.ts';
import { CONTAINER_PROGRAMS } from './container-programs.ts';
import { FILE_PROGRAMS } from './file-programs.ts';
import { GIT } from './git-program.ts';
import { NETWORK_PROGRAMS } from './network-programs.ts';
import { PACKAGE_PROGRAMS } from './package-programs.ts';
import type { ProgramSpec, ProgramTable } from './program-spec.ts';
import { RUNNER_PROGRAMS, wrapperFlags } from './runner-programs.ts';
import { SHELL_BUILTINS } from './shell-builtins.ts';
import { SYSTEM_PROGRAMS } from './system-programs.ts';
import { TEXT_PROGRAMS } from './text-programs.ts';
import { TRANSFER_PROGRAMS } from './transfer-programs.ts';
import { WINDOWS_PROGRAMS } from './windows-programs.ts';
import { WRAPPER_PROGRAMS } from './wrapper-programs.ts';

/** Every table; the first that has a program wins. */
const TABLES: readonly ProgramTable[] = [
  SHELL_BUILTINS,
  { git: GIT },
  FILE_PROGRAMS,
  TRANSFER_PROGRAMS,
  RUNNER_PROGRAMS,
  CLOUD_PROGRAMS,
  CONTAINER_PROGRAMS,
  PACKAGE_PROGRAMS,
  NETWORK_PROGRAMS,
  ARCHIVE_PROGRAMS,
  TEXT_PROGRAMS,
  SYSTEM_PROGRAMS,
  WINDOWS_PROGRAMS,
];

const wrappers = new Map<string, ProgramSpec>();

/** What is known of a program by its name; undefined if no table has it. */
export function programSpec(name: string | undefined): ProgramSpec | undefined {
  return rowOf(findSpec, name);
}

function findSpec(name: string): ProgramSpec | undefined {
  for (const table of TABLES) if (Object.hasOwn(table, name)) return table[name];
  if (!Object.hasOwn(WRAPPER_PROGRAMS, name)) return undefined;
  // Made when first asked for; kept, because parsing keeps what it works out by table.
  const made = wrappers.get(name) ?? wrapperFlags(WRAPPER_PROGRAMS[name] ?? {});
  wrappers.set(name, made);
  return made;
}

/** The part of a program's table for the subcommand that is used. */
export function subcommandSpec(spec: ProgramSpec, parsed: ParsedArguments): ProgramSpec {
  let found = spec;
  for (const { word } of parsed.operands.slice(0, parsed.subcommands)) {
    const name = knownText(word);
    found = (name === undefined ? undefined : found.subcommands?.[name]) ?? found;
  }
  return found;
}
