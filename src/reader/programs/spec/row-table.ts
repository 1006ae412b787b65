import type { ProgramRow } from '../../../model/program-row.ts';
import type { Role } from '../../../model/roles.ts';
import type { ReadCommand } from '../../reading/reading.ts';

/** A flag of a row: `-o,--output=write`. */
export interface RowFlag {
  readonly spellings: readonly string[];
  /** `=`: it takes a value; `==`: it takes two words, and the second is the value; `?`: its own word may hold a value. */
  readonly takes: '' | '=' | '==' | '?';
  readonly role: Role | undefined;
}

const FLAG = /^([^=?\s]+)(?:(==?|\?)([a-z-]*))?$/;

/** The parts of a flag; undefined if it is malformed. */
export function readFlag(written: string): RowFlag | undefined {
  const [, spellings, takes = '', role = ''] = FLAG.exec(written) ?? [];
  if (spellings === undefined) return undefined;
  return {
    spellings: spellings.split(','),
    takes: takes as RowFlag['takes'],
    role: role === '' ? undefined : (role as Role),
  };
}

/** The roles of operands: of the first ones, of the last of two or more, and of all others. */
interface OperandRoles {
  readonly first: readonly Role[];
  /** Flags that replace the first operand: `grep -e pattern file`. */
  readonly firstUnless: readonly string[] | undefined;
  readonly rest: Role | undefined;
  readonly last: Role | undefined;
  /** Flags that replace the last operand: `cp -t dir file`. */
  readonly lastUnless: readonly string[] | undefined;
}

/** A row, prepared for parsing words. */
export interface RowTable {
  /** By every spelling. */
  readonly flags: ReadonlyMap<string, RowFlag>;
  /** All long flags; undefined if the row does not list them all. */
  readonly long: readonly string[] | undefined;
  readonly operands: OperandRoles;
  readonly whole: RegExp | undefined;
  readonly dashedOperand: RegExp | undefined;
}

const tables = new WeakMap<ProgramRow, RowTable>();

/** The table of a row; made once and kept. */
export function rowTable(row: ProgramRow): RowTable {
  const made = tables.get(row);
  if (made !== undefined) return made;
  const flags = new Map<string, RowFlag>();
  for (const written of row.flags ?? []) {
    const flag = readFlag(written);
    for (const spelling of flag?.spellings ?? []) if (flag !== undefined) flags.set(spelling, flag);
  }
  const table: RowTable = {
    flags,
    long: row.abbreviates === true ? [...flags.keys()].filter((flag) => flag.startsWith('--')) : undefined,
    operands: operandRoles(row),
    whole: row.whole === undefined ? undefined : new RegExp(row.whole),
    dashedOperand: row.dashed_operand === undefined ? undefined : new RegExp(row.dashed_operand),
  };
  tables.set(row, table);
  return table;
}

function operandRoles({ operands = [] }: ProgramRow): OperandRoles {
  const all = operands.map((operand) =>
    typeof operand === 'string' ? { role: operand, unless: undefined } : operand,
  );
  const at = all.findIndex(({ role }) => role.startsWith('...'));
  const first = at < 0 ? all : all.slice(0, at);
  const last = at < 0 ? undefined : all[at + 1];
  return {
    first: first.map(({ role }) => role as Role),
    firstUnless: first[0]?.unless,
    rest: at < 0 ? undefined : (all[at]?.role.slice(3) as Role),
    last: last?.role as Role | undefined,
    lastUnless: last?.unless,
  };
}

const inherited = new WeakMap<ProgramRow, ProgramRow>();

/** The row of a subcommand, with the outer flags that may follow it; undefined if there is none. */
export function subcommandRow(row: ProgramRow, word: string): ProgramRow | undefined {
  const { subcommands = {}, flags_anywhere } = row;
  const inner = Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  if (inner === undefined || flags_anywhere !== true) return inner;
  const made = inherited.get(inner);
  if (made !== undefined) return made;
  const { flags = [], style = 'bundle', off = [], abbreviates } = row;
  const { flags: own } = rowTable(inner);
  const others = flags.filter((flag) => readFlag(flag)?.spellings.some((one) => own.has(one)) !== true);
  const whole = {
    ...(abbreviates === undefined ? {} : { abbreviates }),
    flags_anywhere,
    style,
    off,
    ...inner,
    flags: [...(inner.flags ?? []), ...others],
  };
  inherited.set(inner, whole);
  return whole;
}

const NO_SPELLINGS: readonly string[] = [];

export function otherSpellingsIn(row: ProgramRow, flag: string): readonly string[] {
  const { spellings = NO_SPELLINGS } = rowTable(row).flags.get(flag) ?? {};
  return spellings.length < 2 ? NO_SPELLINGS : spellings.filter((other) => other !== flag);
}

/** The other spellings of a flag: `--force` for the `-f` of `git push`. The subcommand's row counts, else the program's. */
export function otherSpellings({ rows }: Pick<ReadCommand, 'rows'>, flag: string): readonly string[] {
  let found = NO_SPELLINGS;
  for (const row of rows) {
    const own = otherSpellingsIn(row, flag);
    // A spelling that the subcommand uses for another flag does not count.
    found = own.length > 0 ? own : found.filter((other) => otherSpellingsIn(row, other).length === 0);
  }
  return found;
}

/**
 * The role of a flag's value, by any spelling: the subcommand's, unless that only lists a flag of the program, else the
 * program's.
 */
export function flagRole(levels: readonly ProgramRow[], name: string): Role | undefined {
  let listed: readonly string[] | undefined;
  for (const level of levels.toReversed()) {
    const { role, takes } = rowTable(level).flags.get(name) ?? {};
    const spellings = otherSpellingsIn(level, name);
    if (role !== undefined)
      return listed === undefined || listed.join() === spellings.join() ? role : undefined;
    if (takes === '=') listed ??= spellings;
  }
  return undefined;
}
