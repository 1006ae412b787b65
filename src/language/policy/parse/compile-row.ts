import type { Json } from '../../../lib/json.ts';
import { CONSEQUENCE_KINDS, type ConsequenceKind } from '../../../model/consequences.ts';
import type { Consequences, ProgramRow, Runs } from '../../../model/program-row.ts';

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

/** A row for the reading: each name has its own, and consequences have their tests by value. */
export function compileRow({ examples: _, subcommands, ...row }: WrittenRow): ProgramRow {
  const { runs } = row;
  return {
    ...row,
    ...Object.fromEntries(CONSEQUENCE_KINDS.flatMap((kind) => consequencesOf(kind, row[kind]))),
    ...(runs === undefined ? {} : { runs: compileRuns(runs) }),
    ...(subcommands === undefined ? {} : { subcommands: mapRows(subcommands, compileRow) }),
  } as ProgramRow;
}

function compileRuns({ subcommands, ...runs }: Runs): Runs {
  return subcommands === undefined ? runs : { ...runs, subcommands: mapRows(subcommands, compileRuns) };
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
