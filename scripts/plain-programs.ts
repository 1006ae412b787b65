import { CONSEQUENCE_KINDS } from '../src/model/consequences.ts';
import type { ProgramRow } from '../src/model/program-row.ts';
import type { PlainProgram } from '../src/reader/commands/plain-script.ts';
import { rowTable } from '../src/reader/programs/spec/row-table.ts';

/** The keys that the row of a program that at most reads may have: for its words, and its output. */
const ALLOWED: readonly (keyof ProgramRow)[] = [
  'flags',
  'leaves_out',
  'tests',
  'style',
  'abbreviates',
  'negates',
  'operands',
  'quiet',
  'speaks',
  'recursive',
  'fallback',
  'help',
  'prints',
  'secret_last',
  'secret_prefix',
  'secret_input',
  'changes',
];
/** The keys that rows of subcommands may have too: flags with which one does more are no plain words. */
const OF_LEVELS: ReadonlySet<string> = new Set<keyof ProgramRow>([
  ...ALLOWED,
  'worded',
  'off',
  'harmless',
  'dry_run',
  'offline',
  'environment',
  'scheme',
  'flags_first',
  'network_with',
  ...CONSEQUENCE_KINDS,
]);
/** The keys of `runs` that tell by its first word whether a program runs words. */
const RUNS = new Set(['flags', 'subcommands', 'skip', 'keeps_status']);
/** A subcommand that skips so many words, and says no more, runs none of them. */
const ALL_WORDS = 99;

/** Roles of words that are neither paths nor hosts. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'secret', 'login', 'settings']);

/** The uses of paths by programs, the strongest first. */
const USES = ['write', 'read', 'list'] as const;

/** The effects that the code of a reader adds to a row: none, that it reads paths among the words, or any. */
export type ReaderCode = 'nothing' | 'shows' | 'acts';

/**
 * Rows in short, that of a program by an empty name and those of its subcommands by theirs: all that do no more than to
 * write, read or list the paths among their words.
 */
export function plainPrograms(
  row: ProgramRow,
  codeOf: (subcommand: string) => ReaderCode,
): ReadonlyMap<string, PlainProgram> {
  const found = new Map<string, PlainProgram>();
  const add = (name: string, levels: readonly ProgramRow[]) => {
    const code = codeOf(name);
    const plain = code === 'acts' ? undefined : plainProgram(levels, name !== '', code === 'shows');
    if (plain !== undefined) found.set(name, plain);
  };
  const { subcommands, network, runs, manifest: _, prints_settings: __, implied: ___, ...rest } = row;
  const { none = [] } = typeof network === 'object' ? network : {};
  const names = [...Object.keys(subcommands ?? {}), ...Object.keys(runs?.subcommands ?? {}), ...none];
  if (names.length === 0) add('', [row]);
  for (const name of new Set(names.filter((each) => addsNothing(row, each)))) {
    const own = subcommands?.[name];
    add(name, own === undefined ? [rest] : [rest, own]);
  }
  return found;
}

/** True if the row of a program gives a subcommand no more effects than the row of that has. */
function addsNothing(row: ProgramRow, name: string): boolean {
  const { network, runs, manifest, prints_settings: printed } = row;
  // Names with other characters would mean something in patterns.
  if (!/^\w[\w-]*$/.test(name) || !isLocal(network, name)) return false;
  if (printed === true || printed?.includes(name) === true || writes(manifest, name)) return false;
  if (runs === undefined) return true;
  if (Object.keys(runs).some((key) => !RUNS.has(key))) return false;
  const own = runs.subcommands?.[name];
  if (own === undefined) return runs.skip === undefined;
  return Object.keys(own).every((key) => key === 'skip') && own.skip === ALL_WORDS;
}

function writes(manifest: ProgramRow['manifest'], name: string): boolean {
  if (manifest === undefined) return false;
  const isNamed = new RegExp(`\\b${name}\\b`).test(manifest.by);
  return isNamed || [name, `${name} x`].some((words) => new RegExp(manifest.by).test(words));
}

function isLocal(network: ProgramRow['network'], name: string): boolean {
  if (network === undefined) return true;
  if (typeof network === 'string') return network === 'none';
  const { none = [], ...uses } = network;
  const goes = Object.values(uses).flat();
  return none.includes(name) || !goes.some((word) => word === name || word.includes('*'));
}

function plainProgram(
  levels: readonly ProgramRow[],
  isSubcommand: boolean,
  shows: boolean,
): PlainProgram | undefined {
  const allowed = isSubcommand ? OF_LEVELS : new Set<string>(ALLOWED);
  if (levels.some((level) => Object.keys(level).some((key) => !allowed.has(key)))) return undefined;
  const row = levels.at(-1) ?? {};
  const { operands } = rowTable(row);
  const flags = levels.flatMap((level) => [...new Set(rowTable(level).flags.values())]);
  if (operands.last !== undefined || flags.some(({ takes }) => takes === '==')) return undefined;
  const roles = new Set([...operands.first, operands.rest ?? 'text']);
  if ([...roles].some((role) => !TEXTS.has(role) && !USES.some((use) => use === role))) return undefined;
  const caused = levels.map(flagsThatCause);
  if (caused.includes(undefined)) return undefined;
  const causing = new Set([
    ...caused.flatMap((each) => each ?? []),
    ...levels.flatMap(({ network_with = {} }) => Object.values(network_with).flat()),
  ]);
  const refused = new Set(causing);
  for (const { role = 'text', spellings } of flags)
    if (!TEXTS.has(role) || spellings.some((spelling) => causing.has(spelling)))
      for (const spelling of spellings) refused.add(spelling);
  const use = shows ? 'read' : USES.find((each) => roles.has(each));
  return {
    ...(use === undefined ? {} : { use }),
    ...(row.fallback === undefined ? {} : { here: true }),
    ...(row.recursive === true ? { recursive: true } : {}),
    ...(typeof row.recursive === 'object' ? { below: row.recursive } : {}),
    ...(refused.size === 0 ? {} : { refused: [...refused] }),
    ...(row.style === 'none' ? { takesDashes: true } : {}),
    ...(shows ? { colons: true } : {}),
    ...(levels.some(({ changes }) => changes?.['files'] !== undefined) ? { changes: true } : {}),
  };
}

/** The flags that cause more than changed files; undefined if other words, or none, cause that too. */
function flagsThatCause(row: ProgramRow): readonly string[] | undefined {
  const tests = CONSEQUENCE_KINDS.flatMap((kind) =>
    Object.entries(row[kind] ?? {}).flatMap(([value, all]) =>
      kind === 'changes' && value === 'files' ? [] : all === true ? [{}] : all,
    ),
  ) as readonly { readonly flags?: { readonly any?: readonly string[] } }[];
  // No variable is set in front of a plain command.
  const onFlags = tests.filter((test) => !Object.hasOwn(test, 'environment'));
  const found = onFlags.map(({ flags }) => flags?.any);
  return found.some((each) => each === undefined) ? undefined : found.flatMap((each) => each ?? []);
}
