import { type Escapes, escapingVariables, type Guards } from '../src/hosts/guards.ts';
import type { Json, JsonObject } from '../src/lib/json.ts';
import type { ProgramRow } from '../src/model/program-row.ts';
import { rowTable } from '../src/reader/programs/spec/row-table.ts';

/** An agent without a row of its own is started like this one. */
const USUAL_AGENT = 'amp';

/**
 * The rows of agents, with the commands that start them past their hooks as the consequence `unguards: hooks`: policies match
 * exactly the ones that adapters know.
 */
export function withEscapes(
  rows: ReadonlyMap<string, ProgramRow>,
  all: readonly Guards[],
): ReadonlyMap<string, ProgramRow> {
  const changed = new Map(rows);
  const usual: ProgramRow = { ...rows.get(USUAL_AGENT) };
  for (const guards of all) {
    for (const program of guards.escapes?.programs ?? []) {
      changed.set(program, withEscape(changed.get(program) ?? usual, guards));
    }
  }
  return changed;
}

function withEscape(row: ProgramRow, guards: Guards): ProgramRow {
  const { flags = [], values = {}, subcommands = {}, unasked = {} } = guards.escapes ?? {};
  const tests = [{ environment: [...escapingVariables(guards)] }, ...testsOf({ flags, values })];
  const known = rowTable(row).flags;
  const valued = Object.keys({ ...values, ...unasked.values }).map((flag) => `${flag}=`);
  const added = [...flags, ...valued].filter(
    (flag) => flag.endsWith('=') && known.get(flag.slice(0, -1))?.takes !== '=',
  );
  const whole = Object.entries(subcommands).reduce(
    (made, [words, when]) => withSubcommand(made, words.split(' '), when),
    added.length === 0 ? row : { ...row, flags: [...(row.flags ?? []), ...added] },
  );
  const checks = [...[row.unguards?.['checks'] ?? []].flat(), ...testsOf(unasked)] as readonly Json[];
  return unguarding(
    checks.length === 0 ? whole : { ...whole, unguards: { ...whole.unguards, checks } },
    tests,
  );
}

/** Tests of a command that has one of the flags, or one of the values. */
function testsOf({ flags = [], values = {} }: Pick<Escapes, 'flags' | 'values'>): readonly JsonObject[] {
  return [
    ...(flags.length === 0 ? [] : [{ flags: { any: flags.map((flag) => flag.replace(/=$/, '')) } }]),
    ...Object.entries(values).map(([flag, value]) => ({ flags: { values: { [flag]: value } } })),
  ];
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
