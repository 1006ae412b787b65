import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type KeptResult, openResults, RESULTS_FILE } from '../../hook/state/result-store.ts';
import { stateFolderPath } from '../../hook/state/state-folder.ts';
import { alignColumns } from '../report/columns.ts';
import { printable } from '../report/printable.ts';
import { countOf, grouped } from '../report/quantity.ts';
import { personOnly } from './allow/person-only.ts';
import { EXIT_CODE } from './exit-code.ts';
import type { Io } from './io.ts';
import { printJson } from './print.ts';

/** Shows the results that policies with `cache` keep, or forgets them. */
export function keptResults(forgets: boolean, asJson: boolean, io: Io): number {
  if (forgets) personOnly('forget kept results', io);
  const folder = stateFolderPath(io.env);
  const store = existsSync(join(folder, RESULTS_FILE.name)) ? openResults(folder, Date.now) : undefined;
  const kept = store?.list() ?? [];
  if (forgets) io.stdout.write(`${countOf(store?.clear() ?? 0, 'result')} forgotten\n`);
  else if (asJson) printJson(io.stdout, kept.map(jsonOf));
  else if (kept.length === 0) io.stdout.write('No results are kept\n');
  else io.stdout.write(`${alignColumns(kept.map(cellsOf)).join('\n')}\n`);
  store?.close();
  return EXIT_CODE.ok;
}

function jsonOf({ policy, tool, bytes, madeMs, expiresMs }: KeptResult) {
  return { policy, tool, bytes, time: timeOf(madeMs), until: timeOf(expiresMs) };
}

function cellsOf({ policy, tool, bytes, madeMs, expiresMs }: KeptResult): string[] {
  return [
    timeOf(madeMs),
    printable(policy),
    printable(tool),
    `${grouped(bytes)} bytes`,
    `until ${timeOf(expiresMs)}`,
  ];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
