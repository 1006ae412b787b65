import type { ProgramRows } from '../../../model/policy.ts';
import type { ProgramRow } from '../../../model/program-row.ts';
import { PROGRAM_FAMILIES, PROGRAM_INDEX } from '../../generated/program-rows.ts';
import { rowOf } from '../../reading/program-name.ts';
import { knownText } from '../../reading/word.ts';
import type { ParsedArguments } from '../../shell/scope/interpreter.ts';
import { subcommandRow } from './row-table.ts';

/** Rows that have been asked for; kept, because parsing keeps its results by row. */
const known = new Map<string, ProgramRow>();
const knownOf = new WeakMap<ProgramRows, Map<string, ProgramRow>>();
const addedRows = new WeakSet<ProgramRow>();

/** The row of a program by its name; undefined if it has none. One that was added comes first: commands are judged without it, too. */
export function programRow(name: string | undefined, programs?: ProgramRows): ProgramRow | undefined {
  return rowOf((each) => {
    const brought = ownRow(each, programs);
    return brought !== undefined && isAdded(brought) ? brought : (shippedRow(each) ?? brought);
  }, name);
}

/** True for a row from a project or a session, whose rows only add. */
export function isAdded(row: ProgramRow): boolean {
  return addedRows.has(row);
}

/** The families of names that have been asked for, and that there are none: looking through the index takes long. */
const families = new Map<string, string | undefined>();
/** So many are kept: names come from outside. */
const MAX_FAMILIES = 4_096;

/** The file below `programs/` that has a program of this very name: `packages`. */
export function programFamily(name: string): string | undefined {
  if (families.has(name)) return families.get(name);
  const family = lineOf(PROGRAM_INDEX, name);
  if (families.size >= MAX_FAMILIES) families.clear();
  families.set(name, family);
  return family;
}

/** The file of this repository that describes a program, by any of its names; undefined if none does. */
export function shippedFile(name: string): string | undefined {
  const family = rowOf(programFamily, isGnuName(name) ? name.slice(1) : name);
  return family === undefined ? undefined : `programs/${family}.yaml`;
}

/** The row of this repository for a program of this very name. */
export function shippedRow(name: string): ProgramRow | undefined {
  const made = known.get(name);
  if (made !== undefined) return made;
  const family = programFamily(name);
  const text = family === undefined ? undefined : lineOf(PROGRAM_FAMILIES[family]?.() ?? '', name);
  if (text === undefined) return undefined;
  const row = JSON.parse(text) as ProgramRow;
  known.set(name, row);
  return row;
}

/** The row that a policy file has for a program of this very name. */
function ownRow(name: string, programs: ProgramRows | undefined): ProgramRow | undefined {
  if (programs === undefined) return undefined;
  const rows = knownOf.get(programs) ?? new Map<string, ProgramRow>();
  const made = rows.get(name);
  if (made !== undefined) return made;
  const added = lineOf(programs.added, name);
  const text = added ?? lineOf(programs.own, name);
  if (text === undefined) return undefined;
  const row = JSON.parse(text) as ProgramRow;
  if (added !== undefined) addedRows.add(row);
  knownOf.set(programs, rows.set(name, row));
  return row;
}

/** The rest of the line that begins with a name, in a text of lines; names come from outside. */
function lineOf(lines: string, name: string): string | undefined {
  if (/[\n\t]/.test(name)) return undefined;
  const start = lines.indexOf(`\n${name}\t`);
  const from = start + name.length + 2;
  return start < 0 ? undefined : lines.slice(from, lines.indexOf('\n', from));
}

/** A program's row and those of the subcommands that are used, the outermost first. */
export function rowLevels(row: ProgramRow, parsed: ParsedArguments): readonly [ProgramRow, ...ProgramRow[]] {
  const levels: [ProgramRow, ...ProgramRow[]] = [row];
  for (const { word } of parsed.operands.slice(0, parsed.subcommands)) {
    const next = subcommandRow(levels.at(-1) ?? row, knownText(word) ?? '');
    if (next !== undefined) levels.push(next);
  }
  return levels;
}

/** Programs of GNU that go by their name behind a `g` where the system has others of that name. */
const GNU_PROGRAMS = new Set(
  'base32 base64 basenc cat chgrp chmod chown cp cut dd env head install ln ls mkdir mv nice nl nohup od paste rm rmdir shred stdbuf tac tail tar tee touch truncate unlink xargs'.split(
    ' ',
  ),
);

/** `grm`, `gdd`. */
export function isGnuName(name: string): boolean {
  return name.startsWith('g') && GNU_PROGRAMS.has(name.slice(1));
}
