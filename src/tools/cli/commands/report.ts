import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileFilter } from '../../../hook/audit/filter.ts';
import { createHistorian } from '../../../hook/audit/history.ts';
import { readDecisionLog } from '../../../hook/audit/sink-read.ts';
import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { historyHtml } from '../../report/history-html.ts';
import { countOf } from '../../report/quantity.ts';
import { optionValue, optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import { compileFor } from '../policy-place.ts';
import { momentOption } from '../since.ts';
import { UsageError } from '../usage-error.ts';

export const report = {
  options: [
    { name: 'html', value: 'FILE', summary: 'The file to write' },
    { name: 'since', value: 'WHEN', summary: 'Only decisions since then: 30m, 24h, 7d, 2w or a date' },
    { name: 'until', value: 'WHEN', summary: 'Only decisions before then' },
    {
      name: 'policies',
      value: 'PATH',
      repeatable: true,
      summary: 'The policies in force; by default, those found for this directory',
    },
  ],
  details: [
    'Writes the decision log as one page that needs no network: refusals over time, by policy and by agent, slow\npolicies, policies that never matched, and the newest refusals.',
  ],
  example: ['$ policy report --html report.html --since 30d', 'Wrote report.html: 4,812 decisions'],
  async run(args, io) {
    const file = optionValue(args, 'html');
    if (file === undefined) throw new UsageError('Cannot write a report: name a file with --html FILE');
    const isWanted = compileFilter({
      since: momentOption(args, 'since'),
      until: momentOption(args, 'until'),
      hosts: [],
      tools: [],
      policies: [],
      actions: [],
    });
    const historian = createHistorian();
    const folder = stateFolderPath(io.env);
    const { unreadable } = existsSync(folder)
      ? readDecisionLog(folder, (record) => {
          if (isWanted(record)) historian.add(record);
        })
      : { unreadable: 0 };
    const { program, diagnostics } = compileFor(io, optionValues(args, 'policies'));
    const isBroken = diagnostics.some(({ severity }) => severity === 'error');
    const history = historian.result();
    try {
      writeFileSync(
        resolve(io.cwd, file),
        historyHtml(history, { rules: isBroken ? undefined : program.rules, unreadable }),
      );
    } catch (error) {
      throw new UsageError(`Cannot write "${file}": ${messageOf(error)}`);
    }
    io.stdout.write(`Wrote ${file}: ${countOf(history.tally.decisions, 'decision')}\n`);
    return EXIT_CODE.ok;
  },
} satisfies Command;
