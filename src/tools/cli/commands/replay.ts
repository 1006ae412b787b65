import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { isJsonObject, ownString } from '../../../lib/json.ts';
import { lineSample, type Memories, recordSample } from '../../compare/recorded-samples.ts';
import { type Replayed, replayDecisions } from '../../compare/replay.ts';
import { verdictOf } from '../../compare/verdict.ts';
import { diffJson } from '../../report/diff-json.ts';
import { diffText } from '../../report/diff-text.ts';
import { countOf } from '../../report/quantity.ts';
import { type JudgedMessage, transcriptJson, transcriptText } from '../../report/transcript-text.ts';
import { type Arguments, optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { type EngineLookup, engineLookup, reportErrors } from '../engine-lookup.ts';
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
import { momentOption } from '../since.ts';
import { UsageError } from '../usage-error.ts';

export const replay = {
  operands: '[LOG|-]',
  options: [
    {
      name: 'policies',
      value: 'PATH',
      repeatable: true,
      summary: 'Use these policies instead of those found for each session',
    },
    { name: 'since', value: 'WHEN', summary: 'Only decisions since then: 30m, 24h, 7d, 2w or a date' },
    { name: 'verbose', short: 'v', summary: 'List every call' },
    { name: 'json', summary: 'Print JSON' },
  ],
  details: [
    'LOG is a decision log; your own by default. Replay decides the calls whose messages were kept (policy hook\n--log-input) again, in order, and shows those where the action or the policy changed.',
    'A LOG of host messages or bare calls, one JSON object per line, is a transcript. Replay shows the decision for each\nline.',
    'Kept messages contain no secrets, so policies about secrets may decide differently. The exit code is 1 if a decision\ndiffers.',
  ],
  example: [
    '$ policy replay --since 7d',
    'loosened  git-safety/no-force-push  1 call',
    '  deny → continue  gemini run_shell_command git push -f  2026-11-20T09:38:00.123Z',
    '',
    '1 loosened of 212 calls',
  ],
  async run(args, io) {
    const [name, ...others] = args.operands;
    if (others.length > 0) throw new UsageError(`Cannot replay "${others[0]}" as well: give one log`);
    const lines = await linesOf(name, args, io);
    const engines = engineLookup(optionValues(args, 'policies'), io);
    const memories: Memories = new WeakMap();
    const { items, messages, left } = prepare(lines, engines, memories, io);
    if (engines.errors().length > 0) return reportErrors(engines, io);
    if (items.length + messages.length === 0)
      throw new UsageError(`Cannot replay: there is nothing that can be judged again${leftHint(left)}`);
    const comparison = replayDecisions(items);
    tellLeftOut(left, comparison.failed, io);
    const paint = paintFor(io.stdout, io.env);
    if (args.switches.has('json')) {
      printJson(
        io.stdout,
        diffJson(comparison, {
          without_message: left,
          failed: comparison.failed,
          messages: transcriptJson(messages),
        }),
      );
    } else {
      io.stdout.write(transcriptText(messages, paint));
      if (items.length > 0)
        io.stdout.write(diffText(comparison, { paint, verbose: args.switches.has('verbose') }));
    }
    return comparison.differences.length > 0 ? EXIT_CODE.findings : EXIT_CODE.ok;
  },
} satisfies Command;

async function linesOf(name: string | undefined, args: Arguments, io: Io): Promise<readonly RecordedLine[]> {
  const sinceTime = momentOption(args, 'since') ?? '';
  const lines: readonly RecordedLine[] =
    name === undefined
      ? loggedDecisions(io.env).map((record) => ({ type: 'record', record, place: record.time }))
      : recordedLines(await readInput(name, 'the log', io), name);
  return lines.filter((line) => line.type === 'call' || line.record.time >= sinceTime);
}

function leftHint(left: number): string {
  return left === 0 ? '' : `, for no message was kept: policy hook --log-input keeps them`;
}

function tellLeftOut(left: number, failed: number, io: Io): void {
  tellWithoutMessage(left, io);
  if (failed > 0) io.stderr.write(`Left out ${countOf(failed, 'decision')} that a failure took\n`);
}

interface Prepared {
  readonly items: readonly Replayed[];
  readonly messages: readonly JudgedMessage[];
  /** How many records have no message. */
  readonly left: number;
}

function prepare(
  lines: readonly RecordedLine[],
  { of: engineOf, filesOf }: EngineLookup,
  memories: Memories,
  io: Io,
): Prepared {
  const place = recordingPlace(io, filesOf);
  const items: Replayed[] = [];
  const messages: JudgedMessage[] = [];
  let left = 0;
  for (const line of lines) {
    if (line.type === 'call') {
      const sample = lineSample(line.value, line.place, place, memories);
      if (typeof sample === 'string') throw new UsageError(`Cannot use ${line.place}: ${sample}`);
      const answer = sample.judge(engineOf(io.cwd));
      if (answer !== undefined) messages.push({ sample, verdict: verdictOf(answer) });
      continue;
    }
    const { record } = line;
    const sample = recordSample(record, place, memories);
    if (sample === undefined) left += 1;
    else items.push({ record, sample, engine: engineOf(directoryOf(record, io.cwd)) });
  }
  return { items, messages, left };
}

/** The directory of the session, as the hook would take it for finding policies. */
function directoryOf({ input, setting }: DecisionRecord, cwd: string): string {
  const sent = isJsonObject(input) ? ownString(input, 'cwd') : undefined;
  return sent === undefined || sent === '' ? (setting?.cwd ?? cwd) : sent;
}
