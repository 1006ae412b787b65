import type { ProgramRow } from '../src/model/program-row.ts';
import type { Role } from '../src/model/roles.ts';
import { rowTable, subcommandRow } from '../src/reader/programs/spec/row-table.ts';
import type { LiteralMarks } from '../src/reader/secrets/secret-marks.ts';
import type { SecretFinder } from '../src/reader/secrets/secret-span.ts';

/** The literals of detectors by the places where they count, without those that another of the same place is a part of. */
export function literalMarks(finders: readonly SecretFinder[]): LiteralMarks {
  const found = { any: new Set<string>(), run: new Set<string>(), name: new Set<string>() };
  const beside = new Set<string>();
  for (const { literals, mark = 'any', beside: other } of finders)
    for (const literal of literals) {
      if (other !== undefined) beside.add(`${literal}\0${other}`);
      else found[mark === 'name' && !/^[a-z0-9_-]+$/.test(literal) ? 'any' : mark].add(literal);
    }
  const shortest = (literals: ReadonlySet<string>) =>
    [...literals].filter((one) => ![...literals].some((other) => other !== one && one.includes(other)));
  const shortestEnds = (literals: ReadonlySet<string>) =>
    [...literals].filter((one) => ![...literals].some((other) => other !== one && one.endsWith(other)));
  return {
    any: shortest(found.any),
    run: shortest(found.run),
    name: shortestEnds(found.name),
    pairs: [...beside].map((pair) => pair.split('\0')),
  };
}

/** Roles of words in which secrets may be. */
const SECRET_ROLES: ReadonlySet<Role | undefined> = new Set([
  'secret',
  'login',
  'settings',
  'at-file',
  'conninfo',
]);

/**
 * The marks of a command of a program that may have a secret among its words: the letters of its flags, then other texts, all
 * separated by blanks; `*` for every command. Undefined for a program without secrets.
 */
export function secretMarks(row: ProgramRow): string | undefined {
  const all = [...allMarks(row)];
  const letters = all.filter(isLetter).map((flag) => flag.slice(1));
  const marks = all.filter((mark) => !isLetter(mark));
  return all.length === 0 ? undefined : [letters.join(''), ...marks].join(' ');
}

/** The flags of a row, other texts, and the names of subcommands that have others than the row itself. */
function allMarks(row: ProgramRow): ReadonlySet<string> {
  const marks = new Set([...secretFlags(row), ...inputMarks(row), ...(row.secret_prefix ?? [])]);
  if (hasSecretOperands(row)) marks.add('*');
  const subcommands = Object.keys(row.subcommands ?? {});
  const own = new Set(marks);
  for (const name of subcommands)
    if (!allMarks(subcommandRow(row, name) ?? {}).isSubsetOf(own)) marks.add(name);
  return marks;
}

function isLetter(flag: string): boolean {
  return /^-[^-]$/.test(flag);
}

function secretFlags(row: ProgramRow): readonly string[] {
  const flags = [...rowTable(row).flags].filter(([, { role }]) => SECRET_ROLES.has(role));
  return [...flags.map(([spelling]) => spelling), ...(row.secret_last ?? [])];
}

function hasSecretOperands(row: ProgramRow): boolean {
  const { first, rest, last } = rowTable(row).operands;
  return [...first, rest, last].some((role) => SECRET_ROLES.has(role));
}

function inputMarks({ secret_input: input = [] }: ProgramRow): readonly string[] {
  return input === true ? ['*'] : input;
}
