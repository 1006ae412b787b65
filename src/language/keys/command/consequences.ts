import type { Json } from '../../../lib/json.ts';
import { CONSEQUENCE_KINDS, type ConsequenceKind } from '../../../model/consequences.ts';
import type { ProgramRow } from '../../../model/program-row.ts';
import { anyTruth, or, type Truth } from '../../../model/truth.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { wordEquals } from '../../../reader/reading/word.ts';
import { listOf } from './names.ts';
import type { CommandTest } from './test.ts';

/** What the tests of rows compile to; rows are kept, so these are. */
const compiled = new WeakMap<readonly Json[], readonly CommandTest[]>();

/** Compiles a test on what follows from running a command, by what the rows of its program say. */
export function consequenceTest(
  kind: ConsequenceKind,
  spec: Json,
  compile: (spec: Json) => CommandTest,
): CommandTest {
  const wanted = new Set(listOf(spec));
  const testsOf = (specs: readonly Json[]) => {
    const tests = compiled.get(specs) ?? specs.map(compile);
    compiled.set(specs, tests);
    return tests;
  };
  return (command, reading, surroundings) => {
    if (command.name === undefined) return 'unknown';
    if (command.idle) return false;
    if (command.caused.some((each) => each.kind === kind && wanted.has(each.value))) return true;
    let truth: Truth = false;
    for (const row of command.rows) {
      for (const [value, tests] of Object.entries(row[kind] ?? {})) {
        if (!wanted.has(value)) continue;
        if (tests === true) return true;
        truth = or(
          truth,
          anyTruth(testsOf(tests), (test) => test(command, reading, surroundings)),
        );
        if (truth === true) return true;
      }
    }
    return or(truth, unknownRows(command).some((row) => mayHave(row, kind, wanted)) ? 'unknown' : false);
  };
}

/** Rows of subcommands that it may have, where that is not known: `terraform "$X"`. */
function unknownRows({ rows, operands, subcommands, openEnded }: ReadCommand): readonly ProgramRow[] {
  const inner = Object.entries(rows.at(-1)?.subcommands ?? {});
  const operand = operands[subcommands];
  if (operand === undefined) return openEnded ? inner.map(([, row]) => row) : [];
  return inner.flatMap(([name, row]) => (wordEquals(operand, name) === 'unknown' ? [row] : []));
}

function mayHave(row: ProgramRow, kind: ConsequenceKind, wanted: ReadonlySet<string>): boolean {
  return (
    Object.keys(row[kind] ?? {}).some((value) => wanted.has(value)) ||
    Object.values(row.subcommands ?? {}).some((inner) => mayHave(inner, kind, wanted))
  );
}

/** The kinds of which one of its rows has something, or may have where its subcommand is not known. */
export function consequenceKinds(command: ReadCommand): readonly ConsequenceKind[] {
  const { rows, caused } = command;
  if (caused.length > 0) return [...caused.map(({ kind }) => kind), ...kindsOfRows(command)];
  return rows.length === 0 ? [] : kindsOfRows(command);
}

function kindsOfRows(command: ReadCommand): readonly ConsequenceKind[] {
  return [...command.rows.flatMap(kindsIn), ...unknownRows(command).flatMap(kindsBelow)];
}

function kindsBelow(row: ProgramRow): readonly ConsequenceKind[] {
  return [...kindsIn(row), ...Object.values(row.subcommands ?? {}).flatMap(kindsBelow)];
}

function kindsIn(row: ProgramRow): readonly ConsequenceKind[] {
  return CONSEQUENCE_KINDS.filter((kind) => row[kind] !== undefined);
}
