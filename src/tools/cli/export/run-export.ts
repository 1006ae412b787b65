import { existsSync } from 'node:fs';
import {
  decisionEvent,
  type ExportedDecision,
  heartbeat,
  measurementsOf,
} from '../../../fleet/export/decision-event.ts';
import type { OtlpSender } from '../../../fleet/export/otlp.ts';
import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { type LogPosition, readLogBatch } from '../../log/read-batch.ts';
import { createRepositoryLookup } from '../past/repository-lookup.ts';
import type { ExportCursors } from './export-cursors.ts';

/** The signals that can be sent, each on its own. */
export const SIGNALS = ['logs', 'metrics'] as const;
export type Signal = (typeof SIGNALS)[number];

export interface ExportPass {
  readonly folder: string;
  readonly url: URL;
  readonly signals: readonly Signal[];
  readonly withContent: boolean;
  /** Digest of the organisation's files; undefined if there are none. */
  readonly organisation: string | undefined;
  readonly sender: OtlpSender;
  readonly cursors: ExportCursors;
  readonly onWarning: (warning: string) => void;
}

/** How many decisions were sent in which form, and why not all of them. */
export interface ExportResult {
  readonly sent: Readonly<Record<Signal, number>>;
  /** The signal that could not be sent, with the cause. */
  readonly failed: { readonly signal: Signal; readonly cause: string } | undefined;
}

/** Sends the unsent decisions. The position is stored after the receiver took them, so some may be sent twice but none is lost. */
export async function runExport(pass: ExportPass): Promise<ExportResult> {
  const sent = { logs: 0, metrics: 0 };
  for (const signal of pass.signals) {
    try {
      for await (const count of batches(pass, signal)) sent[signal] += count;
    } catch (error) {
      return { sent, failed: { signal, cause: messageOf(error) } };
    }
  }
  return { sent, failed: undefined };
}

/** Sends batch by batch, and says how many decisions each had. */
async function* batches(pass: ExportPass, signal: Signal): AsyncGenerator<number> {
  const { cursors, folder, onWarning, sender } = pass;
  const name = `${signal} ${pass.url.href}`;
  const known = cursors.get(name);
  let at: LogPosition | undefined = known === undefined ? undefined : JSON.parse(known);
  const describe = describer();
  for (let isFirst = true; ; isFirst = false) {
    const nowMs = Date.now();
    const { records, next, isGap } = existsSync(folder)
      ? readLogBatch(folder, at, nowMs)
      : { records: [], next: undefined, isGap: false };
    if (isGap) onWarning('Decisions were deleted from the log before they were sent: send more often');
    const decisions = records.map(describe);
    if (signal === 'logs') {
      const events = decisions.map((decision) => decisionEvent(decision, pass.withContent));
      const all = isFirst ? [heartbeat(nowMs, pass.organisation), ...events] : events;
      if (all.length > 0) await sender.logs(all);
    } else if (decisions.length > 0) await sender.metrics(decisions.flatMap(measurementsOf));
    if (next === undefined) return;
    cursors.set(name, JSON.stringify(next));
    at = next;
    yield decisions.length;
  }
}

function describer(): (record: DecisionRecord) => ExportedDecision {
  const repositoryOf = createRepositoryLookup();
  return (record) => ({ record, repository: repositoryOf(record.cwd)?.name ?? undefined });
}
