import type { Json } from '../../../lib/json.ts';
import type { ConsequenceKind } from '../../../model/consequences.ts';
import type { ProgramRow } from '../../../model/program-row.ts';
import { anyTruth, or, type Truth } from '../../../model/truth.ts';
import { unknownRows } from './causes.ts';
import { listOf } from './names.ts';
import type { CommandTest } from './test.ts';

/** The compiled tests of rows, kept as long as the rows. */
const compiled = { asked: newTests(), excusing: newTests() };

function newTests(): WeakMap<readonly Json[], readonly CommandTest[]> {
  return new WeakMap();
}

/** Compiles a test on the consequences of running a command, by the rows of its program. */
export function consequenceTest(
  kind: ConsequenceKind,
  spec: Json,
  { compile, excuses }: { readonly compile: (spec: Json) => CommandTest; readonly excuses: boolean },
): CommandTest {
  const wanted = new Set(listOf(spec));
  const kept = excuses ? compiled.excusing : compiled.asked;
  const testsOf = (specs: readonly Json[]) => {
    const tests = kept.get(specs) ?? specs.map(compile);
    kept.set(specs, tests);
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

function mayHave(row: ProgramRow, kind: ConsequenceKind, wanted: ReadonlySet<string>): boolean {
  return (
    Object.keys(row[kind] ?? {}).some((value) => wanted.has(value)) ||
    Object.values(row.subcommands ?? {}).some((inner) => mayHave(inner, kind, wanted))
  );
}
