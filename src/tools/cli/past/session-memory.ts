import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { factName } from '../../../model/history.ts';
import { alignColumns } from '../../report/layout/columns.ts';
import { printable } from '../../report/layout/printable.ts';
import { personOnly } from '../allow/person-only.ts';
import { askYes } from '../ask.ts';
import { EXIT_CODE, type Io } from '../io.ts';
import { printPlainJson } from '../print.ts';
import { forgetSession, type RememberedCall, rememberedCalls } from './remembered-calls.ts';

export function showSession(session: string, asJson: boolean, io: Io): number {
  const calls = rememberedCalls(stateFolderPath(io.env), session);
  if (asJson) printPlainJson(io.stdout, calls.map(jsonOf));
  else if (calls.length === 0) io.stdout.write(`Nothing is remembered of session ${printable(session)}\n`);
  else
    io.stdout.write(
      alignColumns(calls.map(cellsOf))
        .map((line) => `${line.trimEnd()}\n`)
        .join(''),
    );
  return EXIT_CODE.ok;
}

/** Forgets a session: its calls count for nothing from now on, good or bad. For people alone. */
export async function forgetEarlierCalls(session: string, io: Io): Promise<number> {
  personOnly('forget what a session has done', io);
  const folder = stateFolderPath(io.env);
  const { length } = rememberedCalls(folder, session);
  if (length === 0) return showSession(session, false, io);
  const yes = await askYes(`Forget what session ${printable(session)} has done?`, io);
  if (!yes) return EXIT_CODE.findings;
  personOnly('forget what a session has done', io);
  io.stdout.write(`${forgetSession(folder, session)} calls are forgotten\n`);
  return EXIT_CODE.ok;
}

function jsonOf({ startedMs, fact, hiddenBy, ...call }: RememberedCall): JsonObject {
  return { time: timeOf(startedMs), fact: factName(fact), ...call, hidden_by: hiddenBy ?? null };
}

function cellsOf({ startedMs, host, tool, fact, refused, result, met, hiddenBy }: RememberedCall): string[] {
  const became = refused ? 'refused' : result === 'open' ? 'no result' : result;
  const doubt = met ? hiddenBy : 'may not be one';
  return [
    timeOf(startedMs),
    became,
    host,
    printable(tool),
    printable(factName(fact)),
    doubt === undefined ? '' : `(${doubt})`,
  ];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
