import { writeFileSync } from 'node:fs';
import { messageOf } from '../../../lib/message-of.ts';
import { diagnosticsText } from '../../report/diagnostics-text.ts';
import { countOf } from '../../report/quantity.ts';
import { recordFile } from '../../suite/record-file.ts';
import type { SuitePlan } from '../../suite/suite-plan.ts';
import type { Io } from '../io.ts';
import { paintFor } from '../print.ts';
import { UsageError } from '../usage-error.ts';
import { sourceIn, suitePorts } from './suite-ports.ts';

/** Writes the outputs that cases expect into their files, and says so. */
export function updateOutputs(plans: readonly SuitePlan[], io: Io): void {
  const ports = suitePorts(io);
  const paint = paintFor(io.stderr, io.env);
  for (const plan of plans) {
    for (const planned of plan.testFiles) {
      const { text, count, diagnostics } = recordFile(plan, planned, ports);
      for (const block of diagnosticsText(diagnostics, { paint, sourceOf: sourceIn(io.cwd) })) {
        io.stderr.write(`${block}\n`);
      }
      if (text === undefined || count === 0) continue;
      write(planned.path, planned.file, text);
      io.stderr.write(`recorded ${countOf(count, 'output')} in ${planned.file}\n`);
    }
  }
}

function write(path: string, file: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`Cannot write "${file}": ${messageOf(error)}`);
  }
}
