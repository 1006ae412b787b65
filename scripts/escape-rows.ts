import { escapingVariables, type Guards } from '../src/hosts/guards.ts';
import type { Json } from '../src/lib/json.ts';
import type { ProgramRow } from '../src/model/program-row.ts';
import { rowTable } from '../src/reader/programs/spec/row-table.ts';

/**
 * The rows of agents, with what starts them past their hooks as the consequence `unguards: hooks`: what adapters know of it
 * is what policies match.
 *
 * @throws Error if an adapter names a program without a row
 */
export function withEscapes(
  rows: ReadonlyMap<string, ProgramRow>,
  all: readonly Guards[],
): ReadonlyMap<string, ProgramRow> {
  const changed = new Map(rows);
  for (const guards of all) {
    for (const program of guards.escapes?.programs ?? []) {
      const row = changed.get(program);
      if (row === undefined) throw new Error(`Cannot build without a row of program "${program}"`);
      changed.set(program, withEscape(row, guards));
    }
  }
  return changed;
}

function withEscape(row: ProgramRow, guards: Guards): ProgramRow {
  const { flags = [], values = {}, subcommands = {} } = guards.escapes ?? {};
  const tests: Json[] = [
    { environment: [...escapingVariables(guards)] },
    ...(flags.length === 0 ? [] : [{ flags: { any: flags.map((flag) => flag.replace(/=$/, '')) } }]),
    ...Object.entries(values).map(([flag, value]) => ({ flags: { values: { [flag]: value } } })),
  ];
  const known = rowTable(row).flags;
  const added = flags.filter((flag) => flag.endsWith('=') && known.get(flag.slice(0, -1))?.takes !== '=');
  const whole = Object.entries(subcommands).reduce(
    (made, [words, when]) => withSubcommand(made, words.split(' '), when),
    added.length === 0 ? row : { ...row, flags: [...(row.flags ?? []), ...added] },
  );
  return unguarding(whole, tests);
}

function withSubcommand(
  row: ProgramRow,
  [word = '', ...rest]: readonly string[],
  when: true | readonly Json[],
): ProgramRow {
  const inner: ProgramRow = row.subcommands?.[word] ?? { operands: ['...mention'] };
  const made = rest.length === 0 ? unguarding(inner, when) : withSubcommand(inner, rest, when);
  return { ...row, subcommands: { ...row.subcommands, [word]: made } };
}

function unguarding(row: ProgramRow, hooks: true | readonly Json[]): ProgramRow {
  return { ...row, unguards: { ...row.unguards, hooks } };
}
