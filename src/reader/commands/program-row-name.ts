import { isGnuName, programRow } from '../programs/spec/rows.ts';
import { programName } from '../reading/program-name.ts';
import { knownText, type Word } from '../reading/word.ts';

/** The words that a name means: `git-reset`, also in git's own folder, and `/etc/init.d/firewall stop`. */
export function wordsOfName(program: Word): readonly [string, string] | undefined {
  const known = knownText(program) ?? '';
  const subcommand = /^(?:.*\/git-core\/|\/usr\/bin\/)?git-([a-z-]+)$/.exec(known)?.[1];
  if (subcommand !== undefined && Object.hasOwn(programRow('git')?.subcommands ?? {}, subcommand))
    return ['git', subcommand];
  const service = /^\/(?:etc|usr\/local\/etc)\/(?:init|rc)\.d\/([\w.-]+)$/.exec(known)?.[1];
  return service === undefined ? undefined : ['service', service];
}

/** The name under which the rows of programs know a program; undefined if it is computed. */
export function rowName(program: Word): string | undefined {
  return tableName(programName(program)) ?? conventionalName(program);
}

/** The name in the table: if file names have no case, `GIT` is git; elsewhere it is no program. */
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
