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
import { RUNNER_PROGRAMS, WRAPPER_FLAGS } from './runner-programs.ts';
import { SHELL_BUILTINS } from './shell-builtins.ts';
import { SYSTEM_PROGRAMS } from './system-programs.ts';
import { TEXT_PROGRAMS } from './text-programs.ts';
import { TRANSFER_PROGRAMS } from './transfer-programs.ts';
import { WINDOWS_PROGRAMS } from './windows-programs.ts';

/** Every table; a later one wins. */
const TABLES: readonly ProgramTable[] = [
  WRAPPER_FLAGS,
  WINDOWS_PROGRAMS,
  SYSTEM_PROGRAMS,
  FILE_PROGRAMS,
  TEXT_PROGRAMS,
  ARCHIVE_PROGRAMS,
  NETWORK_PROGRAMS,
  PACKAGE_PROGRAMS,
  CONTAINER_PROGRAMS,
  CLOUD_PROGRAMS,
  RUNNER_PROGRAMS,
  TRANSFER_PROGRAMS,
  SHELL_BUILTINS,
  { git: GIT },
];

let programs: ReadonlyMap<string, ProgramSpec> | undefined;

/** What is known of a program by its name; undefined if no table has it. */
export function programSpec(name: string | undefined): ProgramSpec | undefined {
  programs ??= new Map(TABLES.flatMap((table) => Object.entries(table)));
  return rowOf(programs, name);
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
