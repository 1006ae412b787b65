import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { isJsonObject, ownString } from '../../../lib/json.ts';
import { spansSessions } from '../../compare/past-sessions.ts';
import {
  lineSample,
  type Memories,
  type RecordingPlace,
  recordSample,
} from '../../compare/recorded-samples.ts';
import type { KnownCall, Sample } from '../../compare/sample.ts';
import { createTwinJoiner } from '../../log/join-twins.ts';
import { type Arguments, type OptionSpec, optionValues } from '../args.ts';
import { type Io, UsageError } from '../io.ts';
import { momentOption, optionsOf } from '../options.ts';
import { pastCalls } from '../past/past-calls.ts';
import { loggedDecisions, recordedLines } from '../past/recorded-calls.ts';
import { readInput } from '../read-input.ts';
import type { PolicySide } from './open-set.ts';

const SOURCES = ['tests', 'log', 'sessions'];

/** Options that say by which calls two sides are compared, and how much is shown. */
export const COMPARISON_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'calls',
    value: 'SOURCE',
    words: SOURCES,
    isOpen: true,
    repeatable: true,
    summary: 'Compare by tests (the default), log, sessions or a file of JSON lines',
  },
  ...optionsOf({
    '--since WHEN': 'Only logged calls and sessions since then: 30m, 24h, 7d or a date',
    '-v, --verbose': 'List every call',
  }),
];

/** True if the calls are those of tests and examples, which only sets of policies have. */
export function isByTests(args: Arguments): boolean {
  const named = optionValues(args, 'calls');
  return named.length === 0 || named.includes('tests');
}

/** True if a side may go by earlier calls; policies that are found for each session may. */
export function readsHistory(sides: readonly PolicySide[]): boolean {
  return sides.length === 0 || sides.some(({ compiled }) => compiled.program.facts !== undefined);
}

/** The calls that options name, each source in its order. */
export async function knownCalls(
  args: Arguments,
  sides: readonly PolicySide[],
  place: RecordingPlace,
  io: Io,
): Promise<readonly KnownCall[]> {
  const since = momentOption(args, 'since') ?? '';
  const memories: Memories = new WeakMap();
  const named = optionValues(args, 'calls');
  const across = sides.some(({ compiled }) => spansSessions(compiled.program));
  const calls: KnownCall[] = [];
  for (const source of named.length === 0 ? ['tests'] : named) {
    if (source === 'tests') calls.push(...sides.flatMap((side) => side.samples()).map(ofSample));
    else if (source === 'log')
      calls.push(...loggedDecisions(io.env).map((record) => ofRecord(record, place, memories)));
    else if (source === 'sessions')
      for await (const call of pastCalls({ paths: [], hosts: [], since, across }, place, io, () => {}))
        calls.push(call);
    else calls.push(...(await callsIn(source, place, memories, io)));
  }
  const byHistory = readsHistory(sides);
  return calls.flatMap((call) => {
    const early = (call.time ?? since) < since;
    if (!early) return [call];
    return byHistory && call.sample !== undefined ? [{ ...call, early }] : [];
  });
}

/** Logged decisions, messages of hosts and calls as people write them. */
async function callsIn(
  file: string,
  place: RecordingPlace,
  memories: Memories,
  io: Io,
): Promise<readonly KnownCall[]> {
  const calls: KnownCall[] = [];
  const twins = createTwinJoiner((record) => calls.push(ofRecord(record, place, memories)));
  for (const line of recordedLines(await readInput(file, 'the calls', io), file)) {
    if (line.type === 'record') {
      twins.add(line.record);
      continue;
    }
    const sample = lineSample(line.value, line.place, place, memories);
    if (typeof sample === 'string') throw new UsageError(`Cannot use ${line.place}: ${sample}`);
    calls.push(ofSample(sample));
  }
  twins.end();
  return calls;
}

function ofSample(sample: Sample): KnownCall {
  const { label } = sample;
  const unknown = { record: undefined, host: undefined, session: '', cwd: undefined, time: undefined };
  return { ...unknown, sample, label, alike: label };
}

function ofRecord(record: DecisionRecord, place: RecordingPlace, memories: Memories): KnownCall {
  const sample = recordSample(record, place, memories);
  const { host, tool, event, session, time } = record;
  const label = sample?.label ?? [host, tool ?? event ?? ''].join(' ');
  const cwd = directoryOf(record);
  return { sample, record, label, alike: label, host, session: `${host} ${session ?? ''}`, cwd, time };
}

/** The directory of the session, as the hook would take it for finding policies. */
function directoryOf({ input, setting, cwd }: DecisionRecord): string | undefined {
  const sent = isJsonObject(input) ? ownString(input, 'cwd') : undefined;
  return sent === undefined || sent === '' ? (setting?.cwd ?? cwd) : sent;
}
