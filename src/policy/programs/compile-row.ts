import type { Json } from '../../lib/json.ts';
import { CONSEQUENCE_KINDS, type ConsequenceKind } from '../../model/consequences.ts';
import type { Consequences, ProgramRow, Runs } from '../../model/program-row.ts';
import { readFlag } from '../../programs/spec/row-table.ts';

/** A row as it is written, which the schema allows. */
export type WrittenRow = Omit<ProgramRow, ConsequenceKind | 'subcommands'> &
  Readonly<Partial<Record<ConsequenceKind, string | readonly string[] | Readonly<Record<string, Json>>>>> & {
    readonly subcommands?: Readonly<Record<string, WrittenRow>>;
    readonly examples?: Json;
  };

/** `a | b`: names that share a row. */
export function namesOf(key: string): readonly string[] {
  return key.split(' | ');
}

/** A row for the reading. Subcommands take over from the row around them the flags that may stand behind them. */
export function compileRow(written: WrittenRow, around: ProgramRow = {}): ProgramRow {
  const { examples: _, runs, subcommands, ...own } = written;
  const passedOn = around.flags_anywhere === true ? around : {};
  const { flags: outer = [], style, off, abbreviates, flags_anywhere } = passedOn;
  const flags = [...(own.flags ?? []), ...unlessNamed(outer, own.flags ?? [])];
  const row = {
    ...defined({ style, off, abbreviates, flags_anywhere }),
    ...own,
    ...defined({ flags: flags.length === 0 ? undefined : flags }),
    ...Object.fromEntries(CONSEQUENCE_KINDS.flatMap((kind) => consequencesOf(kind, own[kind]))),
  } as ProgramRow;
  const usual = defined({ flags: row.flags, style: row.style });
  return {
    ...row,
    ...(runs === undefined ? {} : { runs: compileRuns({ ...usual, ...runs }) }),
    ...(subcommands === undefined
      ? {}
      : { subcommands: mapRows(subcommands, (inner) => compileRow(inner, row)) }),
  };
}

function compileRuns(runs: Runs): Runs {
  const { subcommands } = runs;
  return subcommands === undefined ? runs : { ...runs, subcommands: mapRows(subcommands, compileRuns) };
}

/** Flags without those of which a spelling is another flag's name already. */
function unlessNamed(flags: readonly string[], own: readonly string[]): readonly string[] {
  const spellingsOf = (flag: string) => readFlag(flag)?.spellings ?? [flag];
  const taken = new Set(own.flatMap(spellingsOf));
  return flags.filter((flag) => !spellingsOf(flag).some((spelling) => taken.has(spelling)));
}

function consequencesOf(
  kind: ConsequenceKind,
  spec: WrittenRow[ConsequenceKind],
): readonly (readonly [ConsequenceKind, Consequences])[] {
  if (spec === undefined) return [];
  const values = typeof spec === 'string' ? [spec] : spec;
  const byValue = Array.isArray(values)
    ? values.map((value: string) => [value, true] as const)
    : Object.entries(values).map(([value, tests]) => [value, [tests].flat()] as const);
  return [[kind, Object.fromEntries(byValue)]];
}

type Nested<Row> = { readonly subcommands?: Readonly<Record<string, Row>> };

/** Each subcommand by its first word: `server delete` is the `delete` of `server`. */
function mapRows<Row extends Nested<Row>, Compiled>(
  rows: Readonly<Record<string, Row>>,
  compile: (row: Row) => Compiled,
): Readonly<Record<string, Compiled>> {
  return Object.fromEntries(Object.entries(nested(rows)).map(([name, row]) => [name, compile(row)] as const));
}

function nested<Row extends Nested<Row>>(rows: Readonly<Record<string, Row>>): Readonly<Record<string, Row>> {
  const found = new Map<string, Row>();
  for (const [key, row] of Object.entries(rows)) {
    for (const name of namesOf(key)) {
      const [first = name, ...rest] = name.split(' ');
      const now = rest.length === 0 ? row : ({ subcommands: { [rest.join(' ')]: row } } as Row);
      const before = found.get(first);
      found.set(first, before === undefined ? now : merged(before, now));
    }
  }
  return Object.fromEntries(found);
}

/** Two parts of one row: `rm: {flags: [-r]}` and `rm cache: {}`. */
function merged<Row extends Nested<Row>>(a: Row, b: Row): Row {
  if (a.subcommands === undefined || b.subcommands === undefined) return { ...a, ...b };
  const subcommands = new Map(Object.entries(nested(a.subcommands)));
  for (const [name, row] of Object.entries(nested(b.subcommands))) {
    const before = subcommands.get(name);
    subcommands.set(name, before === undefined ? row : merged(before, row));
  }
  return { ...a, ...b, subcommands: Object.fromEntries(subcommands) };
}

/** Without the keys that say nothing, as JSON leaves them out. */
function defined<T extends object>(object: { readonly [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
