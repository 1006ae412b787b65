import { createEngine } from '../../../language/engine/engine.ts';
import { problem } from '../../../language/policy/yaml/problem.ts';
import { type Diagnostic, errorsIn } from '../../../model/diagnostic.ts';
import { parseTestFile } from '../cases/parse-test-file.ts';
import { answerCase, differencesOf } from '../run-case.ts';
import { type SuitePorts, testedNames, verdictsOf } from '../run-suite.ts';
import type { PlannedFile, SuitePlan } from '../suite-plan.ts';
import { type Recording, recordOutputs } from './record-outputs.ts';

/** The new text of a test file after recording. Undefined text: nothing is to be written. */
export interface RecordedFile {
  readonly text: string | undefined;
  /** Cases whose output was written. */
  readonly count: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Records the outputs of a file's cases with `stdin` that expect none yet, or another one. */
export function recordFile(plan: SuitePlan, planned: PlannedFile, ports: SuitePorts): RecordedFile {
  const nothing: RecordedFile = { text: undefined, count: 0, diagnostics: [] };
  const read = ports.readText(planned.path);
  // The run that follows reports a file that cannot be read or loaded.
  if (!read.ok) return nothing;
  const parsed = parseTestFile(read.text, planned.file, true);
  if (!parsed.ok) return nothing;
  const { policies, cases } = parsed.testFile;
  const raw = cases.filter(({ input, skip }) => input.type === 'raw' && skip === undefined);
  if (raw.length === 0) return nothing;
  const { program, diagnostics } = ports.load(testedNames(policies, planned.path));
  if (errorsIn(diagnostics).length > 0) return nothing;
  const verdicts = verdictsOf(plan, ports);
  if ('code' in verdicts) return nothing;
  const setting = { engine: createEngine(program), verdict: verdicts.answer };
  const recordings = raw.flatMap((test): readonly Recording[] => {
    const answers = answerCase(test, setting);
    const isOutput = ({ key }: { readonly key: string }) => key === 'stdout' || key === 'exit';
    const isRecorded = test.checks.some(isOutput);
    const differs = differencesOf(test, answers).some(isOutput);
    return differs || (!isRecorded && test.checks.length === 0)
      ? [{ test, replies: answers.answer.replies }]
      : [];
  });
  if (recordings.length === 0) return nothing;
  const { text, refused } = recordOutputs(read.text, recordings);
  return {
    text,
    count: recordings.length - refused.length,
    diagnostics: refused.map(({ name, position }) =>
      problem(
        'bad-value',
        position,
        `Cannot record the output of case "${name}": it is written in braces, or shared by an alias`,
        'write each of its keys on a line of its own',
      ),
    ),
  };
}
