import { CONSEQUENCE_KINDS, type ConsequenceKind } from '../../../model/consequences.ts';
import type { ProgramRow } from '../../../model/program-row.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText, wordEquals } from '../../../reader/reading/word.ts';

/** A consequence that a command may have, as the needs of policies name it. */
export function causeNamed(kind: ConsequenceKind, value: string): string {
  return `${kind}:${value}`;
}

/** What running a command may cause, or may where its subcommand is not known: kinds with the names of their values. */
export function causesOf(command: ReadCommand): readonly (readonly [ConsequenceKind, string])[] {
  const { rows, caused } = command;
  const own = caused.map(({ kind, value }) => [kind, causeNamed(kind, value)] as const);
  if (rows.length === 0) return own;
  return [...own, ...rows.flatMap(causesIn), ...unknownRows(command).flatMap(causesBelow)];
}

function causesBelow(row: ProgramRow): readonly (readonly [ConsequenceKind, string])[] {
  return [...causesIn(row), ...Object.values(row.subcommands ?? {}).flatMap(causesBelow)];
}

function causesIn(row: ProgramRow): readonly (readonly [ConsequenceKind, string])[] {
  return CONSEQUENCE_KINDS.flatMap((kind) =>
    Object.keys(row[kind] ?? {}).map((value) => [kind, causeNamed(kind, value)] as const),
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
