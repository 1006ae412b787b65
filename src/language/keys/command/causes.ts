import { isJsonObject, type Json } from '../../../lib/json.ts';
import { CONSEQUENCE_KINDS, type ConsequenceKind, causeNamed } from '../../../model/consequences.ts';
import type { ProgramRow } from '../../../model/program-row.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText, wordEquals } from '../../../reader/reading/word.ts';
import { hasFlag } from './called-flags.ts';

/** The consequences that a command has, or may have if its subcommand is unknown: kinds with the names of their values. */
export function causesOf(command: ReadCommand): readonly (readonly [ConsequenceKind, string])[] {
  const { rows, caused } = command;
  const own = caused.map(({ kind, value }) => [kind, causeNamed(kind, value)] as const);
  if (rows.length === 0) return own;
  return [
    ...own,
    ...rows.flatMap((row) => causesIn(row, command)),
    ...unknownRows(command).flatMap(causesBelow),
  ];
}

function causesBelow(row: ProgramRow): readonly (readonly [ConsequenceKind, string])[] {
  return [...causesIn(row), ...Object.values(row.subcommands ?? {}).flatMap(causesBelow)];
}

function causesIn(row: ProgramRow, command?: ReadCommand): readonly (readonly [ConsequenceKind, string])[] {
  return CONSEQUENCE_KINDS.flatMap((kind) =>
    Object.entries(row[kind] ?? {}).flatMap(([value, tests]) =>
      command === undefined || tests === true || tests.some((test) => mayPass(test, command))
        ? [[kind, causeNamed(kind, value)] as const]
        : [],
    ),
  );
}

/** False where a test asks for a flag, an operand or a variable, and the command for certain has none of them. */
function mayPass(test: Json, command: ReadCommand): boolean {
  if (!isJsonObject(test)) return true;
  const { environment, flags, args } = test;
  if (environment !== undefined && command.assignments.length === 0) return false;
  const anyOf = isJsonObject(flags) ? flags['any'] : undefined;
  if (anyOf !== undefined && [anyOf].flat().every((name) => hasFlag(command, String(name), 0) === false))
    return false;
  const { operands, subcommands, openEnded } = command;
  if (openEnded || !isJsonObject(args)) return true;
  const count = operands.length - subcommands;
  return (
    count > 1 || (args['rest'] === undefined && (count > 0 || (args['any'] ?? args['first']) === undefined))
  );
}

/** Rows of subcommands that it may have, where that is not known: `terraform "$X"`. */
export function unknownRows({ rows, operands, subcommands, openEnded }: ReadCommand): readonly ProgramRow[] {
  const operand = operands[subcommands];
  const isKnown = operand === undefined ? !openEnded : knownText(operand) !== undefined;
  const below = isKnown ? undefined : rows.at(-1)?.subcommands;
  if (below === undefined) return [];
  const inner = Object.entries(below);
  if (operand === undefined) return inner.map(([, row]) => row);
  return inner.flatMap(([name, row]) => (wordEquals(operand, name) === 'unknown' ? [row] : []));
}
