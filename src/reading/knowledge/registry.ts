import { rowOf } from '../program-name.ts';
import type { ParsedArguments } from '../walker.ts';
import { knownText } from '../word.ts';
import { AGENT_PROGRAMS } from './agent-programs.ts';
import { ARCHIVE_PROGRAMS } from './archive-programs.ts';
import { CLOUD_PROGRAMS } from './cloud-programs.ts';
import { CONTAINER_PROGRAMS } from './container-programs.ts';
import { DATABASE_PROGRAMS } from './database-programs.ts';
import { FILE_PROGRAMS } from './file-programs.ts';
import { GIT } from './git-program.ts';
import { NETWORK_PROGRAMS } from './network-programs.ts';
import { OWN_PROGRAM } from './own-program.ts';
import { PACKAGE_PROGRAMS } from './package-programs.ts';
import type { ProgramSpec, ProgramTable } from './program-spec.ts';
import { RCLONE } from './rclone-program.ts';
import { RUNNER_PROGRAMS, wrapperFlags } from './runner-programs.ts';
import { SHELL_BUILTINS } from './shell-builtins.ts';
import { SYSTEM_PACKAGE_PROGRAMS } from './system-package-programs.ts';
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
  SYSTEM_PACKAGE_PROGRAMS,
  NETWORK_PROGRAMS,
  { rclone: RCLONE },
  DATABASE_PROGRAMS,
  ARCHIVE_PROGRAMS,
  TEXT_PROGRAMS,
  SYSTEM_PROGRAMS,
  WINDOWS_PROGRAMS,
  AGENT_PROGRAMS,
  OWN_PROGRAM,
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

/** A program's table and those of the subcommands that are used, the outermost first. */
export function specLevels(
  spec: ProgramSpec,
  parsed: ParsedArguments,
): readonly [ProgramSpec, ...ProgramSpec[]] {
  const levels: [ProgramSpec, ...ProgramSpec[]] = [spec];
  for (const { word } of parsed.operands.slice(0, parsed.subcommands)) {
    const next = levels.at(-1)?.subcommands?.[knownText(word) ?? ''];
    if (next !== undefined) levels.push(next);
  }
  return levels;
}
