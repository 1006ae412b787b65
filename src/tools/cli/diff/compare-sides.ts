import { createEngine } from '../../../language/engine/engine.ts';
import type { Program } from '../../../model/policy.ts';
import { type Comparison, compareSets } from '../../compare/comparison.ts';
import { lineSample, type Memories, recordSample } from '../../compare/recorded-samples.ts';
import { type Sample, withoutRepetition } from '../../compare/sample.ts';
import { type Arguments, type OptionSpec, optionValue } from '../args.ts';
import type { Io } from '../io.ts';
import { readInput } from '../read-input.ts';
import {
  loggedDecisions,
  type RecordedLine,
  recordedLines,
  recordingPlace,
  tellWithoutMessage,
} from '../recorded-calls.ts';
import { UsageError } from '../usage-error.ts';
import type { PolicySide } from './open-set.ts';

/** Options that say by which calls two sets are compared, and how much is shown. */
export const COMPARISON_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'calls',
    value: 'FILE',
    summary: 'Use these calls: one JSON object per line; - for standard input',
  },
  { name: 'log', summary: 'Use the logged decisions that kept their messages' },
  { name: 'verbose', short: 'v', summary: 'List every call' },
];

/** The calls that the options of a comparison name: those of tests and examples unless they name others. */
export async function samplesFor(
  args: Arguments,
  before: PolicySide,
  after: PolicySide,
  io: Io,
): Promise<readonly Sample[]> {
  const file = optionValue(args, 'calls');
  const isLog = args.switches.has('log');
  if (file !== undefined && isLog)
    throw new UsageError('Cannot use --calls beside --log: name one source of calls');
  if (file === undefined && !isLog) return withoutRepetition([...after.samples(), ...before.samples()]);
  const lines: readonly RecordedLine[] =
    file === undefined
      ? loggedDecisions(io.env).map((record) => ({ type: 'record', record, place: record.time }))
      : recordedLines(await readInput(file, 'the calls', io), file);
  return recordedSamples(lines, [before, after], io);
}

function recordedSamples(
  lines: readonly RecordedLine[],
  sides: readonly PolicySide[],
  io: Io,
): readonly Sample[] {
  const filesOf = (program: Program) =>
    sides.find(({ compiled }) => compiled.program === program)?.compiled.inForce;
  const place = recordingPlace(io, filesOf);
  const memories: Memories = new WeakMap();
  let left = 0;
  const samples = lines.flatMap((line): readonly Sample[] => {
    const sample =
      line.type === 'record'
        ? recordSample(line.record, place, memories)
        : lineSample(line.value, line.place, place, memories);
    if (typeof sample === 'string') throw new UsageError(`Cannot use ${line.place}: ${sample}`);
    if (sample === undefined) left += 1;
    return sample === undefined ? [] : [sample];
  });
  tellWithoutMessage(left, io);
  return samples;
}

/** What there is none of where there are no samples. */
export function noSamples(args: Arguments): string {
  return args.values.has('calls') || args.switches.has('log')
    ? 'none that can be judged again'
    : 'no examples and no test cases';
}

/** Judges every sample by both sides. */
export function compareSides(samples: readonly Sample[], before: PolicySide, after: PolicySide): Comparison {
  return compareSets(samples, createEngine(before.compiled.program), createEngine(after.compiled.program));
}
