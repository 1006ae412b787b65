import { compareSets } from '../../compare/comparison.ts';
import { lineSample, type Memories, recordSample } from '../../compare/recorded-samples.ts';
import { type Sample, withoutRepetition } from '../../compare/sample.ts';
import { createEngine } from '../../engine/engine.ts';
import type { Program } from '../../model/policy.ts';
import { diffJson } from '../../report/diff-json.ts';
import { diffText } from '../../report/diff-text.ts';
import { type Arguments, optionValue } from '../args.ts';
import type { Command } from '../command.ts';
import { createSetOpener, type PolicySide } from '../diff/open-set.ts';
import { reportSetErrors } from '../diff/report-set-errors.ts';
import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { paintFor, printJson } from '../print.ts';
import { readInput } from '../read-input.ts';
import {
  loggedDecisions,
  type RecordedLine,
  recordedLines,
  recordingPlace,
  tellWithoutMessage,
} from '../recorded-calls.ts';
import { UsageError } from '../usage-error.ts';

export const diff = {
  operands: 'OLD NEW',
  options: [
    {
      name: 'calls',
      value: 'FILE',
      summary: 'Judge these calls: a JSON object in each line, - for standard input',
    },
    { name: 'log', summary: 'Judge the decisions of the log whose messages were kept' },
    { name: 'verbose', short: 'v', summary: 'List every call' },
    { name: 'json', summary: 'Print data; "version" names its shape' },
  ],
  details: [
    'OLD and NEW are files, folders, builtin:NAME, or git:REV[:PATH]: a revision of this repository, by itself at the\npath of the other side. Each is judged as if it were named with --policies.',
    'Without --calls and --log, the calls are the examples and test cases of both sides. A line of FILE is a bare call,\na message of a host, or a record of the decision log.',
    'Shown is what is decided differently: what got looser first, then what changed, then what got tighter. An approval\nis looser than no opinion. The exit code is 1 if something got looser.',
  ],
  example: [
    '$ policy diff git:main .policy',
    'loosened  git/no-force-push  2 calls',
    '  deny → continue  shell git push -f            git:main:.policy/git.yaml:12',
    '  deny → continue  shell git push origin +main  .policy/git.test.yaml:31',
    '',
    '2 loosened of 48 calls',
  ],
  async run(args, io) {
    const [older, newer, ...others] = args.operands;
    if (older === undefined || newer === undefined || others.length > 0)
      throw new UsageError('Cannot compare: name two sets of policies, OLD and NEW');
    const opener = createSetOpener(io.cwd);
    try {
      const before = opener.open(older, newer);
      const after = opener.open(newer, older);
      if (reportSetErrors([before, after], io)) return EXIT_CODE.invalidPolicy;
      const samples = await samplesFor(args, before, after, io);
      const comparison = compareSets(
        samples,
        createEngine(before.compiled.program),
        createEngine(after.compiled.program),
      );
      if (args.switches.has('json')) printJson(io.stdout, diffJson(comparison));
      else {
        const verbose = args.switches.has('verbose');
        io.stdout.write(diffText(comparison, { paint: paintFor(io.stdout, io.env), verbose }));
      }
      const isLooser = comparison.differences.some(({ change }) => change === 'loosened');
      return isLooser ? EXIT_CODE.findings : EXIT_CODE.ok;
    } finally {
      opener.close();
    }
  },
} satisfies Command;

async function samplesFor(
  args: Arguments,
  before: PolicySide,
  after: PolicySide,
  io: Io,
): Promise<readonly Sample[]> {
  const file = optionValue(args, 'calls');
  const isLog = args.switches.has('log');
  if (file !== undefined && isLog)
    throw new UsageError('Cannot use --calls beside --log: name one source of calls');
  if (file === undefined && !isLog)
    return orNone(
      withoutRepetition([...after.samples(), ...before.samples()]),
      'no examples and no test cases',
    );
  const lines: readonly RecordedLine[] =
    file === undefined
      ? loggedDecisions(io.env).map((record) => ({ type: 'record', record, place: record.time }))
      : recordedLines(await readInput(file, 'the calls', io), file);
  return orNone(recordedSamples(lines, [before, after], io), 'none that can be judged again');
}

function recordedSamples(
  lines: readonly RecordedLine[],
  sides: readonly PolicySide[],
  io: Io,
): readonly Sample[] {
  const filesOf = (program: Program) =>
    sides.find(({ compiled }) => compiled.program === program)?.compiled.paths;
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

function orNone(samples: readonly Sample[], what: string): readonly Sample[] {
  if (samples.length === 0) throw new UsageError(`Cannot compare: there are no calls to judge, ${what}`);
  return samples;
}
