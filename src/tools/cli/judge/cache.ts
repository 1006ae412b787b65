import { existsSync } from 'node:fs';
import { openDatabase, STATE_FILE } from '../../../hook/state/database.ts';
import { openStateFolder, stateFolderPath } from '../../../hook/state/state-folder.ts';
import { countOf, grouped } from '../../report/layout/quantity.ts';
import type { Arguments } from '../args.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { printJson } from '../print.ts';
import { clearVerdicts, type VerdictStats, verdictStats } from './verdict-stats.ts';

const NOTHING: VerdictStats = {
  verdicts: 0,
  expired: 0,
  bytes: 0,
  oldestMs: undefined,
  newestMs: undefined,
  usedToday: [],
};

/** `policy judge cache stats|clear`. */
export function manageCache(operands: readonly string[], args: Arguments, io: Io): number {
  const [task, ...others] = operands;
  if ((task !== 'stats' && task !== 'clear') || others.length > 0) {
    throw new UsageError('Cannot tell what to do with the cache: write "cache stats" or "cache clear"');
  }
  const path = `${stateFolderPath(io.env)}/${STATE_FILE}`;
  const database = existsSync(path) ? openDatabase(openStateFolder(io.env)) : undefined;
  if (task === 'clear') {
    const count = database === undefined ? 0 : clearVerdicts(database);
    if (args.switches.has('json')) printJson(io.stdout, { cleared: count });
    else io.stdout.write(`${countOf(count, 'verdict')} forgotten\n`);
  } else {
    const stats = database === undefined ? NOTHING : verdictStats(database, Date.now());
    if (args.switches.has('json')) printJson(io.stdout, statsJson(stats));
    else io.stdout.write(statsText(stats));
  }
  database?.close();
  return EXIT_CODE.ok;
}

function statsJson({ verdicts, expired, bytes, oldestMs, newestMs, usedToday }: VerdictStats) {
  return {
    verdicts,
    expired,
    bytes,
    oldest: timeOf(oldestMs) ?? null,
    newest: timeOf(newestMs) ?? null,
    used_today: usedToday.map((each) => ({ ...each })),
  };
}

function statsText({ verdicts, expired, bytes, oldestMs, newestMs, usedToday }: VerdictStats): string {
  const lines = [
    `${countOf(verdicts, 'verdict')} kept, ${grouped(expired)} of them expired, ${grouped(bytes)} bytes`,
  ];
  if (oldestMs !== undefined) lines.push(`made from ${timeOf(oldestMs)} to ${timeOf(newestMs)}`);
  for (const { judge, calls, tokens } of usedToday) {
    lines.push(`today ${judge}: ${countOf(calls, 'call')}, ${countOf(tokens, 'token')} of its budget`);
  }
  return `${lines.join('\n')}\n`;
}

function timeOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
