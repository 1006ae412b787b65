import { existsSync } from 'node:fs';
import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import { machineSurroundings } from '../../../hook/surroundings.ts';
import { parseWithExactId } from '../../../lib/exact-numbers.ts';
import type { Json } from '../../../lib/json.ts';
import type { Program } from '../../../model/policy.ts';
import type { RecordingPlace } from '../../compare/recorded-samples.ts';
import { parseRecord } from '../../log/parse-record.ts';
import { readDecisionLog } from '../../log/read-log.ts';
import { countOf } from '../../report/layout/quantity.ts';
import { type Io, UsageError } from '../io.ts';

/** A line of a recording: a logged decision, or the message that was sent. */
export type RecordedLine =
  | { readonly type: 'record'; readonly record: DecisionRecord }
  | { readonly type: 'call'; readonly value: Json; readonly place: string };

/** The lines of a JSONL text; empty ones do not count. */
export function recordedLines(text: string, name: string): readonly RecordedLine[] {
  return text.split('\n').flatMap((line, index): readonly RecordedLine[] => {
    if (line.trim() === '') return [];
    const record = parseRecord(line);
    if (record !== undefined) return [{ type: 'record', record }];
    const place = `${name}:${index + 1}`;
    return [{ type: 'call', value: parse(line, place), place }];
  });
}

/** The records of this user's decision log, oldest first. */
export function loggedDecisions(env: Io['env']): readonly DecisionRecord[] {
  const folder = stateFolderPath(env);
  const records: DecisionRecord[] = [];
  if (existsSync(folder)) readDecisionLog(folder, (record) => records.push(record));
  return records;
}

/** Says how many decisions could not be judged again. */
export function reportUnjudged(count: number, { stderr }: Pick<Io, 'stderr'>): void {
  if (count > 0)
    stderr.write(
      `Left out ${countOf(count, 'decision')} without a message: policy install --log-input keeps them\n`,
    );
}

/**
 * Recordings come from this machine, as far as is known.
 *
 * @param filesOf the files that policies were made from, without links
 */
export function recordingPlace(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  filesOf: (program: Program) => ReadonlySet<string> | undefined,
): RecordingPlace {
  return {
    env,
    cwd,
    surroundings: (event, program) =>
      machineSurroundings(env, String(event.context.cwd ?? cwd), filesOf(program)),
  };
}

function parse(line: string, place: string): Json {
  try {
    return parseWithExactId(line);
  } catch {
    throw new UsageError(
      `Cannot read ${place}: it is not JSON; a recording has one JSON object in each line`,
    );
  }
}
