import { isGnuName, programRow } from '../programs/spec/rows.ts';
import { programName } from '../reading/program-name.ts';
import { knownText, type Word } from '../reading/word.ts';

/** `git-reset` is `git reset`, by its name or in the folder where git keeps it. */
export function dashedSubcommand(program: Word): string | undefined {
  const known = knownText(program);
  const name =
    known === undefined ? undefined : /^(?:.*\/git-core\/|\/usr\/bin\/)?git-([a-z-]+)$/.exec(known)?.[1];
  const subcommands = name === undefined ? undefined : programRow('git')?.subcommands;
  return name !== undefined && subcommands !== undefined && Object.hasOwn(subcommands, name)
    ? name
    : undefined;
}

/** The service that a script of the system starts and stops: `/etc/init.d/firewall stop`. */
export function serviceOf(program: Word): string | undefined {
  return /^\/(?:etc|usr\/local\/etc)\/(?:init|rc)\.d\/([\w.-]+)$/.exec(knownText(program) ?? '')?.[1];
}

/** The name under which the rows of programs know a program; undefined if it is computed. */
export function rowName(program: Word): string | undefined {
  return tableName(programName(program)) ?? conventionalName(program);
}

/** Where file names have no case, `GIT` is git; elsewhere there is no such program. */
function tableName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (isGnuName(name)) return name.slice(1);
  if (!/[A-Z]/.test(name)) return name;
  const lower = name.toLowerCase();
  const spec = programRow(lower);
  return spec !== undefined && spec === programRow(name) ? lower : name;
}

/** `$SHELL` is a shell, whichever it is. */
function conventionalName(program: Word): string | undefined {
  const [only] = program;
  const isShell = program.length === 1 && only?.type === 'unknown' && only.variable === 'SHELL';
  return isShell ? 'sh' : undefined;
}
