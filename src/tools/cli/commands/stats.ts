import { existsSync } from 'node:fs';
import { decisionLogProblem } from '../../../hook/audit/sink.ts';
import { readDecisionLog } from '../../../hook/audit/sink-read.ts';
import { createTallier } from '../../../hook/audit/tally.ts';
import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import { statsJson, statsText } from '../../report/stats.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import { paintFor, printJson } from '../print.ts';
import { momentOption } from '../since.ts';

export const stats = {
  options: [
    { name: 'since', value: 'WHEN', summary: 'Only decisions since then: 30m, 24h, 7d, 2w or a date' },
    { name: 'json', summary: 'Print JSON instead of a table' },
  ],
  details: [
    'Counts come from the decision log in the state folder. "unknown" means that the policy counted as matching because a\nkey was unknown; "skipped" means that it was passed over for that reason. "own time" is what the policy itself took\non average and "slowest" at most, for events where it matched, was unknown or took 100 µs or more. Shared work, such\nas reading a script, counts for the policy that asks first.',
  ],
  example: [
    '$ policy stats --since 7d',
    'policy                    matched  unknown  skipped  monitored  inactive  failed  own time  slowest',
    'git-safety/no-force-push        3        0        0          0         0       0     42 µs    58 µs',
    '',
    '212 decisions from 2026-11-14T08:12:03.412Z to 2026-11-20T09:38:00.123Z: 3 deny, 209 continue; none failed; 18 µs on average',
  ],
  async run(args, io) {
    const sinceTime = momentOption(args, 'since') ?? '';
    const folder = stateFolderPath(io.env);
    const tallier = createTallier();
    const reading = existsSync(folder)
      ? readDecisionLog(folder, (record) => {
          if (record.time >= sinceTime) tallier.add(record);
        })
      : { unreadable: 0 };
    const tally = tallier.result();
    const problem = existsSync(folder) ? decisionLogProblem(folder) : undefined;
    if (problem !== undefined) io.stderr.write(`Decisions are not logged: ${problem}\n`);
    if (args.switches.has('json')) printJson(io.stdout, statsJson(tally, reading.unreadable));
    else io.stdout.write(statsText(tally, reading.unreadable, paintFor(io.stdout, io.env)));
    return EXIT_CODE.ok;
  },
} satisfies Command;
