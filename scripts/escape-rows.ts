import { escapingVariables, type Guards } from '../src/hosts/guards.ts';
import type { Json } from '../src/lib/json.ts';
import type { CompiledRow } from '../src/model/compiled-row.ts';
import type { ProgramSpec } from '../src/model/program-spec.ts';

/**
 * The rows of agents, with what starts them past their hooks as the consequence `unguards: hooks`: what adapters know of it
 * is what policies match.
 *
 * @throws Error if an adapter names a program without a row
 */
export function withEscapes(
  rows: ReadonlyMap<string, CompiledRow>,
  all: readonly Guards[],
): ReadonlyMap<string, CompiledRow> {
  const changed = new Map(rows);
  for (const guards of all) {
    for (const program of guards.escapes?.programs ?? []) {
      const row = changed.get(program);
      if (row === undefined) throw new Error(`Cannot build without a row of program "${program}"`);
      changed.set(program, { ...row, spec: withEscape(row.spec ?? {}, guards) });
    }
  }
  return changed;
}

function withEscape(spec: ProgramSpec, guards: Guards): ProgramSpec {
  const { flags = [], values = {}, subcommands = {} } = guards.escapes ?? {};
  const valued = flags.filter((flag) => flag.endsWith('=')).map((flag) => flag.slice(0, -1));
  const tests: Json[] = [
    { environment: [...escapingVariables(guards)] },
    ...(flags.length === 0 ? [] : [{ flags: { any: flags.map((flag) => flag.replace(/=$/, '')) } }]),
    ...Object.entries(values).map(([flag, value]) => ({ flags: { values: { [flag]: value } } })),
  ];
  const own = new Set((spec.values ?? '').split(/[ ,]/));
  const added = valued.filter((flag) => !own.has(flag));
  const whole = Object.entries(subcommands).reduce(
    (made, [words, when]) => withSubcommand(made, words.split(' '), when),
    added.length === 0 ? spec : { ...spec, values: [spec.values, ...added].filter(Boolean).join(' ') },
  );
  return unguarding(whole, tests);
}

function withSubcommand(
  spec: ProgramSpec,
  [word = '', ...rest]: readonly string[],
  when: true | readonly Json[],
): ProgramSpec {
  const inner = spec.subcommands?.[word] ?? { rest: 'mention' };
  const made = rest.length === 0 ? unguarding(inner, when) : withSubcommand(inner, rest, when);
  return { ...spec, subcommands: { ...spec.subcommands, [word]: made } };
}

function unguarding(spec: ProgramSpec, hooks: true | readonly Json[]): ProgramSpec {
  const { consequences = {} } = spec;
  return { ...spec, consequences: { ...consequences, unguards: { ...consequences.unguards, hooks } } };
}
