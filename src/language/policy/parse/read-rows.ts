import { isJsonObject, type Json, type JsonObject, own, ownItems, ownObject } from '../../../lib/json.ts';
import { CONSEQUENCE_KINDS } from '../../../model/consequences.ts';
import type { Diagnostic, Position, SpecProblem } from '../../../model/diagnostic.ts';
import type { ProgramRow } from '../../../model/program-row.ts';
import { ROLES } from '../../../model/roles.ts';
import { readFlag } from '../../../reader/programs/spec/row-table.ts';
import { programName } from '../../../reader/reading/program-name.ts';
import { textWord } from '../../../reader/reading/word.ts';
import { commandTestProblems } from '../../keys/command/spec.ts';
import { prefixed } from '../../keys/spec-path.ts';
import { problemsAt } from '../yaml/problems-at.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';
import { compileRow, namesOf, type WrittenRow } from './compile-row.ts';
import { validPart } from './valid-part.ts';

/** A program of a file, in the form that the reading takes. */
export interface ProgramDraft {
  readonly name: string;
  readonly row: ProgramRow;
  readonly position: Position;
}

export interface ProgramExample {
  readonly command: string;
  /** The expected result, as it is written. */
  readonly expect: JsonObject;
  readonly position: Position;
}

/** A file's rows of programs. Plain JSON. */
export interface ProgramDrafts {
  readonly rows: readonly ProgramDraft[];
  readonly examples: readonly ProgramExample[];
}

export interface RowsOptions {
  /** Paths that the schema has refused: rows around them are left out. */
  readonly refused?: readonly YamlPath[];
  /** Says whether there is room for a row; there is unless given. */
  readonly take?: (row: JsonObject, position: Position) => boolean;
}

/** Compiles the rows below `programs:` and reports repeated flags or names, unknown roles and unusable tests. */
export function readRows(
  document: YamlDocument,
  diagnostics: Diagnostic[],
  { refused = [], take = () => true }: RowsOptions = {},
): ProgramDrafts {
  const programs = isJsonObject(document.value) ? ownObject(document.value, 'programs') : undefined;
  const rows: ProgramDraft[] = [];
  const examples: ProgramExample[] = [];
  const seen: string[] = [];
  for (const [key, row] of Object.entries(programs ?? {})) {
    const base = ['programs', key];
    const position = document.positionOf(base, 'key');
    const refusedHere = refused.filter((path) => path[0] === 'programs' && path[1] === key);
    if (!isJsonObject(row)) continue;
    if (!take(row, position)) break;
    const sound = validPart(
      row,
      refusedHere.map((path) => path.slice(2)),
    );
    const problems = problemsAt(document, base, [
      ...checkRow(sound),
      ...checkNames(key, seen),
      ...namesOf(key).flatMap(checkProgram),
    ]);
    diagnostics.push(...problems);
    seen.push(...namesOf(key));
    if (problems.length > 0 || refusedHere.length > 0) continue;
    const made = compileRow(row as WrittenRow);
    rows.push(...namesOf(key).map((name) => ({ name, row: made, position })));
    examples.push(...examplesOf(row, base, document));
  }
  return { rows, examples };
}

function checkProgram(name: string): readonly SpecProblem[] {
  if (programName(textWord(name)) === name) return [];
  const message = `Cannot use program "${name}": programs are named without folder, ending and version`;
  return [{ code: 'bad-value', path: [], at: 'key', message, hint: 'write it as in mytool' }];
}

function examplesOf(row: JsonObject, base: YamlPath, document: YamlDocument): readonly ProgramExample[] {
  const own = Object.entries(ownObject(row, 'examples') ?? {}).flatMap(([command, expect]) => {
    const position = document.positionOf([...base, 'examples', command], 'key');
    return isJsonObject(expect) ? [{ command, expect, position }] : [];
  });
  const inner = Object.entries(ownObject(row, 'subcommands') ?? {}).flatMap(([name, sub]) =>
    isJsonObject(sub) ? examplesOf(sub, [...base, 'subcommands', name], document) : [],
  );
  return [...own, ...inner];
}

/** A row, its inner commands, or a subcommand of one of them. */
function checkRow(row: Json): readonly SpecProblem[] {
  if (!isJsonObject(row)) return [];
  return [
    ...prefixed('flags', checkFlags(row)),
    ...CONSEQUENCE_KINDS.flatMap((kind) => prefixed(kind, checkTests(ownObject(row, kind) ?? {}))),
    ...prefixed('runs', checkRow(own(row, 'runs') ?? null)),
    ...prefixed('subcommands', checkSubcommands(ownObject(row, 'subcommands') ?? {})),
  ];
}

/** The tests that a consequence depends on. */
function checkTests(tests: JsonObject): readonly SpecProblem[] {
  return Object.entries(tests).flatMap(([value, test]) => prefixed(value, commandTestProblems(test)));
}

function checkSubcommands(rows: JsonObject): readonly SpecProblem[] {
  const seen: string[] = [];
  return Object.entries(rows).flatMap(([key, row]) => {
    const found = checkNames(key, seen);
    seen.push(...namesOf(key));
    return prefixed(key, [...found, ...checkRow(row)]);
  });
}

function checkNames(key: string, seen: readonly string[]): readonly SpecProblem[] {
  const names = namesOf(key);
  const twice = names.find((name, index) => seen.includes(name) || names.indexOf(name) !== index);
  if (twice === undefined) return [];
  const message = `Cannot use the name "${twice}" twice: it has a row already`;
  return [{ code: 'duplicate-id', path: [], at: 'key', message, hint: 'put both into one row' }];
}

function checkFlags(row: JsonObject): readonly SpecProblem[] {
  const seen = new Set<string>();
  return ownItems(row, 'flags').flatMap((flag, index): readonly SpecProblem[] => {
    const refuse = (message: string, hint: string) =>
      [{ code: 'bad-value', path: [index], message, hint }] as const;
    const { spellings, role } = readFlag(String(flag)) ?? {};
    if (spellings === undefined)
      return refuse(`Cannot read flag "${flag}"`, 'write it like -o,--output=write');
    if (role !== undefined && !Object.hasOwn(ROLES, role))
      return refuse(
        `Cannot use role "${role}" of flag "${flag}": there is none`,
        `use one of ${Object.keys(ROLES).join(', ')}`,
      );
    const twice = spellings.find((spelling) => seen.has(spelling));
    for (const spelling of spellings) seen.add(spelling);
    return twice === undefined
      ? []
      : refuse(`Cannot use flag "${twice}" twice in one list`, 'join its spellings by commas in one place');
  });
}
