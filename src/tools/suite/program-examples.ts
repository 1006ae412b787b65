import { surroundingsAt, TEST_CWD, TEST_HOME } from '../../language/calls/bare-event.ts';
import { compileCommandTest } from '../../language/keys/command/spec.ts';
import type { ProgramExample } from '../../language/policy/parse/read-rows.ts';
import { problem } from '../../language/policy/yaml/problem.ts';
import { isJsonObject, type Json, own } from '../../lib/json.ts';
import { CONSEQUENCE_KINDS, CONSEQUENCES } from '../../model/consequences.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ProgramRows } from '../../model/policy.ts';
import { readCommand } from '../../reader/commands/read-command.ts';
import type { PathUse, ReadCommand, Reading } from '../../reader/reading/reading.ts';
import { showWord } from '../../reader/reading/word.ts';

/** Reads the examples of rows of programs, and reports those of which something else comes out. */
export function programExampleProblems(
  examples: readonly ProgramExample[],
  programs: ProgramRows | undefined,
): readonly Diagnostic[] {
  return examples.flatMap(({ command, expect, position }) => {
    const reading = readCommand(command, { home: TEST_HOME, cwd: TEST_CWD, programs });
    return Object.entries(OUTCOMES).flatMap(([key, outcomeOf]) => {
      const wanted = own(expect, key);
      const isConsequence = Object.hasOwn(CONSEQUENCES, key);
      if (wanted === undefined && !isConsequence) return [];
      const found = outcomeOf(reading);
      if (isSame(found, wanted)) return [];
      const message = `Cannot confirm the example: "${key}" comes out as ${shown(found)}`;
      const hint =
        found.length === 0
          ? `leave "${key}" out, or fix the row`
          : `write ${key}: ${shown(found)}, or fix the row`;
      return [problem('example', position, message, hint)];
    });
  });
}

type OutcomeOf = (reading: Reading) => readonly string[];

/** The claims that an example may make, with the way to check each. */
const OUTCOMES: Readonly<Record<string, OutcomeOf>> = {
  ...Object.fromEntries(CONSEQUENCE_KINDS.map((kind) => [kind, followsFrom(kind)] as const)),
  network: ({ commands }) => {
    const uses = commands.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.type === 'network' ? [effect.use] : [])),
    );
    return uses.length === 0 ? ['none'] : uses;
  },
  reads: pathsOf('read'),
  writes: pathsOf('write'),
  deletes: pathsOf('delete'),
  executes: pathsOf('execute'),
  runs: ({ commands }) =>
    commands.flatMap(({ name, parent }) => (name === undefined || parent === undefined ? [] : [name])),
};

function followsFrom(kind: keyof typeof CONSEQUENCES): OutcomeOf {
  const tests = Object.keys(CONSEQUENCES[kind].values).map(
    (value) => [value, compileCommandTest({ [kind]: value })] as const,
  );
  return (reading) =>
    tests.flatMap(([value, test]) => {
      const follows = (command: ReadCommand) => test(command, reading, TEST_SURROUNDINGS) === true;
      return reading.commands.some(follows) ? [value] : [];
    });
}

const TEST_SURROUNDINGS = surroundingsAt(TEST_CWD);

function pathsOf(use: PathUse): OutcomeOf {
  return ({ commands }) =>
    commands.flatMap(({ effects }) =>
      effects.flatMap((effect) =>
        effect.type === 'path' && effect.use === use ? [showWord(effect.written)] : [],
      ),
    );
}

function isSame(found: readonly string[], wanted: Json | undefined): boolean {
  const listed = wanted === undefined || isJsonObject(wanted) ? [] : [wanted].flat().map(String);
  return [...new Set(found)].sort().join('\n') === [...new Set(listed)].sort().join('\n');
}

function shown(found: readonly string[]): string {
  const [only, ...others] = new Set(found);
  if (only === undefined) return 'nothing';
  return others.length === 0 ? only : `[${[only, ...others].join(', ')}]`;
}
