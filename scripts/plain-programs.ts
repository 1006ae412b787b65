import { CONSEQUENCE_KINDS, causeNamed } from '../src/model/consequences.ts';
import type { ProgramRow, Runs } from '../src/model/program-row.ts';
import type { PlainProgram } from '../src/reader/commands/plain-program.ts';
import { rowTable } from '../src/reader/programs/spec/row-table.ts';

/** The keys that a row may have: for its words, its output, and for its consequences by subcommand. */
const ALLOWED: ReadonlySet<string> = new Set<keyof ProgramRow>([
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
  'edits',
  'fallback',
  'help',
  'prints',
  'secret_last',
  'secret_prefix',
  'secret_input',
  'worded',
  'off',
  'harmless',
  'dry_run',
  'offline',
  'environment',
  'scheme',
  'flags_first',
  'network_with',
  'flags_anywhere',
  'subcommands',
  'runs',
  'network',
  'manifest',
  'prints_settings',
  'implied',
  ...CONSEQUENCE_KINDS,
]);
/** The keys of `runs` that tell by its first word whether a program runs words. */
const RUNS_BY_WORD: ReadonlySet<string> = new Set<keyof Runs>([
  'flags',
  'subcommands',
  'keeps_status',
  'skip',
]);
/** The keys of `runs` that say nothing, or nothing of a command without flags before it. */
const RUNS_BEHIND: ReadonlySet<string> = new Set<keyof Runs>([
  'flags',
  'style',
  'skip',
  'assignments',
  'script',
  'writes',
  'directory',
  'becomes',
  'harmless',
  'keeps_status',
  'hides_status',
  'input',
  'drops_dashes',
]);
/** A subcommand that skips so many words, and says no more, runs none of them. */
const ALL_WORDS = 99;

/** Roles of words that are neither paths nor hosts. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'secret', 'login', 'settings']);

/** The uses of paths by programs, the strongest first. */
const USES = ['write', 'read', 'list'] as const;

/** The effects that the code of a reader adds to a row: none, that it reads paths among the words, or any. */
export type ReaderCode = 'nothing' | 'shows' | 'acts';

/**
 * Rows in short: that of a program by an empty name, those of its subcommands by theirs, and by `*` all that have none. Null are
 * those that may do more than can be said here.
 *
 * @param settings flags whose values may be commands
 */
export function plainPrograms(
  row: ProgramRow,
  codeOf: (subcommand: string) => ReaderCode,
  settings: readonly string[] = [],
): ReadonlyMap<string, PlainProgram | null> {
  const found = new Map<string, PlainProgram | null>();
  addLevel({ found, codeOf, settings, path: [], levels: [row], runs: row.runs });
  const others = (name: string) => found.get([...name.split(' ').slice(0, -1), '*'].join(' '));
  const isLike = (name: string, plain: PlainProgram | null) =>
    plain?.use === undefined && JSON.stringify(plain) === JSON.stringify(others(name));
  const isSaid = (name: string, plain: PlainProgram | null) =>
    /^\*$| \*$/.test(name) || !isLike(name, plain) || found.has(`${name} *`);
  const kept = [...found].filter(([name, plain]) => isSaid(name, plain));
  return kept.every(([, plain]) => plain === null) ? new Map([['', null]]) : new Map(kept);
}

interface Level {
  readonly found: Map<string, PlainProgram | null>;
  readonly codeOf: (subcommand: string) => ReaderCode;
  readonly settings: readonly string[];
  /** The words from the program to it. */
  readonly path: readonly string[];
  /** The rows from that of the program on: a subcommand that is only named has none. */
  readonly levels: readonly ProgramRow[];
  readonly runs: Runs | undefined;
}

function addLevel({ found, codeOf, settings, path, levels, runs: given }: Level): void {
  const runs = given !== undefined && isIdle(given) ? undefined : given;
  const add = (words: readonly string[], wraps: number | undefined) => {
    const code = codeOf(words[0] ?? '');
    const isUnsaid = wraps === ANYWHERE || code === 'acts';
    const plain = isUnsaid ? undefined : plainProgram(levels, words, code === 'shows', settings);
    const isBoth = wraps !== undefined && plain?.use !== undefined;
    found.set(
      words.join(' '),
      plain === undefined || isBoth ? null : { ...plain, ...(wraps === undefined ? {} : { runs: wraps }) },
    );
  };
  const row = levels[path.length];
  const { subcommands = {}, network } = row ?? {};
  const uses = typeof network === 'object' ? Object.values(network).flat() : [];
  const named = [...Object.keys(subcommands), ...Object.keys(runs?.subcommands ?? {}), ...uses];
  const names = new Set(named.filter((name) => WORD.test(name)));
  if (names.size === 0) {
    const isOther = named.some((name) => name !== '.' && !name.includes('*'));
    add(path, isOther ? ANYWHERE : runs === undefined ? undefined : wrapped(runs));
    return;
  }
  const isBySubcommand = runs === undefined || Object.keys(runs).every((key) => RUNS_BY_WORD.has(key));
  add([...path, '*'], isBySubcommand && runs?.skip === undefined ? undefined : ANYWHERE);
  for (const name of names) {
    const own = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    addLevel({
      found,
      codeOf,
      settings,
      path: [...path, name],
      levels: own === undefined ? levels : [...levels, own],
      runs: runsOf(isBySubcommand ? runs : RUNS_WORDS, name),
    });
  }
}

function runsOf(runs: Runs | undefined, name: string): Runs | undefined {
  return runs?.subcommands?.[name] ?? (runs?.skip === undefined ? undefined : RUNS_WORDS);
}

/** The words that it runs may be anywhere. */
const ANYWHERE = -1;

/** How many operands are in front of the command that it runs, if no flag is before that. */
function wrapped(runs: Runs): number {
  const { skip = 0, becomes = {} } = runs;
  const isSaid = skip < ALL_WORDS && Object.keys(runs).every((key) => RUNS_BEHIND.has(key));
  // Names with a dot are left out.
  const isOther = Object.keys(becomes).some((word) => !word.startsWith('-') && !word.includes('.'));
  return runs !== RUNS_WORDS && isSaid && !isOther ? skip : ANYWHERE;
}

/** Runs words, whatever they are. */
const RUNS_WORDS: Runs = { skip: 0 };

/** Names with other characters would mean something in patterns. */
const WORD = /^\w[\w-]*$/;

function isIdle({ skip, ...others }: Runs): boolean {
  return skip === ALL_WORDS && Object.keys(others).length === 0;
}

function usesNetwork({ network }: ProgramRow, name: string | undefined): boolean {
  if (typeof network !== 'object') return network !== undefined && network !== 'none';
  const { none = [], ...uses } = network;
  const named = Object.values(uses).flat();
  if (name !== undefined && none.includes(name)) return false;
  return named.some((word) => word === name || word === '.' || word.includes('*'));
}

/** The file that a subcommand of a program may add something to, and the flags that name another folder for it. */
function manifestOf({ manifest }: ProgramRow, name: string | undefined): ProgramRow['manifest'] {
  if (manifest === undefined || name === undefined) return manifest;
  const isNamed = new RegExp(`\\b${name}\\b`).test(manifest.by);
  const tried = [name, `${name} x`].some((words) => new RegExp(manifest.by).test(words));
  return isNamed || tried ? manifest : undefined;
}

function plainProgram(
  levels: readonly ProgramRow[],
  path: readonly string[],
  shows: boolean,
  settings: readonly string[],
): PlainProgram | undefined {
  if (levels.some((level) => Object.keys(level).some((key) => !ALLOWED.has(key)))) return undefined;
  const nameAt = (index: number) => (path[index] === '*' ? undefined : path[index]);
  const printing = levels.map(({ prints_settings: printed }) => printed);
  if (printing.some((printed, index) => printed === true || printed?.includes(path[index] ?? '')))
    return undefined;
  const row = levels.at(-1) ?? {};
  const { operands } = rowTable(row);
  const flags = levels.flatMap((level) => [...new Set(rowTable(level).flags.values())]);
  if (operands.last !== undefined) return undefined;
  const roles = new Set([...operands.first, operands.rest ?? 'text']);
  if ([...roles].some((role) => !TEXTS.has(role) && !USES.some((use) => use === role))) return undefined;
  const caused = levels.map(causedBy);
  const manifest = manifestOf(levels[0] ?? {}, nameAt(0));
  const more = new Set(levels.flatMap(({ network_with = {} }) => Object.values(network_with).flat()));
  const refused = new Set([...more, ...settings, ...(manifest?.folder ?? [])]);
  const below = new Set(typeof row.recursive === 'object' ? row.recursive : []);
  const paths: Record<string, readonly string[]> = {};
  const byFlags: Record<string, readonly string[]> = {};
  for (const [cause, named] of caused.flatMap((each) => each.byFlags)) {
    const all = flags.filter(({ spellings }) => spellings.some((each) => named.includes(each)));
    const found = [...named, ...all.flatMap(({ spellings }) => spellings)];
    byFlags[cause] = [...new Set([...(byFlags[cause] ?? []), ...found])];
  }
  for (const { role = 'text', spellings, takes } of flags) {
    const use = USES.find((each) => each === role);
    const isSaid = use !== undefined || TEXTS.has(role) || role === 'files';
    const isPlain = isSaid && takes !== '==' && !spellings.some((each) => more.has(each));
    if (isPlain && use !== undefined) paths[use] = [...(paths[use] ?? []), ...spellings];
    for (const spelling of spellings)
      if (!isPlain) refused.add(spelling);
      else if (role === 'files') below.add(spelling);
  }
  const use = shows ? 'read' : USES.find((each) => roles.has(each));
  const editing = flags.filter(({ spellings }) => spellings.some((each) => editFlags(row).includes(each)));
  const edits = [...new Set([...editFlags(row), ...editing.flatMap(({ spellings }) => spellings)])];
  const causes = [...new Set(caused.flatMap(({ always }) => always))];
  return {
    ...(use === undefined ? {} : { use }),
    ...(row.fallback === undefined ? {} : { fallback: row.fallback }),
    ...(row.recursive === true ? { recursive: true } : {}),
    ...(row.edits === undefined ? {} : { edits: row.edits === true || edits }),
    ...(below.size === 0 ? {} : { below: [...below] }),
    ...(Object.keys(paths).length === 0 ? {} : { paths }),
    ...(refused.size === 0 ? {} : { refused: [...refused] }),
    ...(Object.keys(byFlags).length === 0 ? {} : { caused: byFlags }),
    ...(row.style === 'none' ? { takesDashes: true } : {}),
    ...(shows ? { colons: true } : {}),
    ...(causes.length === 0 ? {} : { causes }),
    ...(levels.some((level, index) => usesNetwork(level, nameAt(index))) ? { network: true } : {}),
    ...(manifest === undefined ? {} : { manifest: manifest.file }),
  };
}

function editFlags({ edits }: ProgramRow): readonly string[] {
  return edits === undefined || edits === true ? [] : edits;
}

/** The consequences of a row: with some flags only, or with any. */
function causedBy(row: ProgramRow): {
  readonly byFlags: readonly (readonly [cause: string, flags: readonly string[]])[];
  readonly always: readonly string[];
} {
  const byFlags: (readonly [string, readonly string[]])[] = [];
  const always: string[] = [];
  for (const kind of CONSEQUENCE_KINDS)
    for (const [value, all] of Object.entries(row[kind] ?? {}))
      for (const test of (all === true ? [{}] : all) as readonly FlagTest[]) {
        // No variable is set in front of a plain command.
        if (Object.hasOwn(test, 'environment')) continue;
        if (test.flags?.any === undefined) always.push(causeNamed(kind, value));
        else byFlags.push([causeNamed(kind, value), [test.flags.any].flat()]);
      }
  return { byFlags, always };
}

interface FlagTest {
  readonly flags?: { readonly any?: string | readonly string[] };
}
