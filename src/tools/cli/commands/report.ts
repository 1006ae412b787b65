import { existsSync } from 'node:fs';
import { decisionLogProblem } from '../../../hook/audit/decision-log.ts';
import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import { ConfigurationProblem } from '../../../hosts/configuration-problem.ts';
import type { InstalledHook, Machine } from '../../../hosts/installation.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { errorsIn } from '../../../model/diagnostic.ts';
import { createHistorian } from '../../log/history.ts';
import { readDecisionLog } from '../../log/read-log.ts';
import type { LocalAgent } from '../../report/history/guarded-html.ts';
import { historyHtml } from '../../report/history/history-html.ts';
import { tallyJson, tallyText } from '../../report/history/tally-text.ts';
import { countOf } from '../../report/layout/quantity.ts';
import { optionValue, optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { prover } from '../doctor/prove.ts';
import { type FoundHost, hostsOn } from '../install/found-hosts.ts';
import { createInstallStore } from '../install/install-store.ts';
import { FILES, machineOf } from '../install/machine.ts';
import { hostVersion } from '../install/newer-host.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { MOMENT_OPTIONS, momentOption, optionsOf, policiesOption } from '../options.ts';
import { compileFor } from '../policy-place.ts';
import { paintFor, printJson } from '../print.ts';
import { writeOutput } from '../write-text.ts';

export const report = {
  isLong: true,
  options: [
    ...MOMENT_OPTIONS,
    ...optionsOf({ '--html FILE': 'Write a page instead of the table' }),
    policiesOption('--html: the policies in force; by default, those found for this directory'),
    ...optionsOf({ '--json': 'Print JSON instead of the table' }),
  ],
  details: [
    'Counts come from the decision log in the state folder. "unknown" means that the policy counted as matching because a\nkey was unknown; "skipped" means that it was passed over for that reason. "own time" is what the policy itself took\non average and "slowest" at most, for events where it matched, was unknown or took 100 µs or more. Shared work, such\nas reading a script, counts for the policy that asks first.',
    'The page needs no network. It shows recent refusals with reasons and filters, refusals over time and\nlikely false alarms, and for each agent how many calls of the last seven days were judged. It contains no codes\nthat let a call pass.',
  ],
  example: [
    '$ policy report --since 7d',
    'policy                    matched  unknown  skipped  monitored  inactive  failed  own time  slowest',
    'git-safety/no-force-push        3        0        0          0         0       0     42 µs    58 µs',
    '',
    '212 decisions from 2026-11-14T08:12:03.412Z to 2026-11-20T09:38:00.123Z: 3 deny, 209 continue; none failed; 18 µs on average',
    '$ policy report --html report.html --since 30d',
    'Wrote report.html: 4,812 decisions',
  ],
  async run(args, io) {
    const file = optionValue(args, 'html');
    const isJson = args.switches.has('json');
    if (file !== undefined && isJson) throw new UsageError('Cannot write a page and JSON: choose one');
    const since = momentOption(args, 'since') ?? '';
    const until = momentOption(args, 'until');
    const folder = stateFolderPath(io.env);
    const historian = createHistorian();
    const { unreadable } = existsSync(folder)
      ? readDecisionLog(folder, (record) => {
          if (record.time >= since && (until === undefined || record.time < until)) historian.add(record);
        })
      : { unreadable: 0 };
    const history = historian.result();
    const problem = existsSync(folder) ? decisionLogProblem(folder) : undefined;
    if (file !== undefined) {
      const { program, diagnostics } = compileFor(io, optionValues(args, 'policies'));
      const isBroken = errorsIn(diagnostics).length > 0;
      const rules = isBroken ? undefined : program.rules;
      const page = historyHtml(history, { rules, unreadable, agents: await agentsHere(io), problem });
      writeOutput(file, page, io);
      io.stdout.write(`Wrote ${file}: ${countOf(history.tally.decisions, 'decision')}\n`);
      return EXIT_CODE.ok;
    }
    if (problem !== undefined) io.stderr.write(`Decisions are not logged: ${problem}\n`);
    if (isJson) printJson(io.stdout, tallyJson(history.tally, unreadable));
    else io.stdout.write(tallyText(history.tally, unreadable, paintFor(io.stdout, io.env)));
    return EXIT_CODE.ok;
  },
} satisfies Command;

/** The agents of this machine, each with its version and whether it starts a hook of ours. None where nobody knows the home. */
async function agentsHere(io: Io): Promise<readonly LocalAgent[]> {
  if (!io.env['HOME']?.startsWith('/')) return [];
  const machine = machineOf(io);
  const found = await hostsOn(machine, HOSTS);
  const proveBy = prover(io, createInstallStore(io.env), Date.now());
  return Promise.all(
    found.map(async (each) => {
      const hooks = hooksOf(each, machine);
      const { proof, findings } = await proveBy(each.host, hooks ?? []);
      return {
        name: each.host.name,
        title: each.host.title,
        hasHook: hooks && hooks.length > 0,
        version: await hostVersion(each, machine),
        proof,
        notes: findings.map(({ message }) => message),
      };
    }),
  );
}

/** Undefined if the configuration cannot be read. */
function hooksOf({ installation }: FoundHost, machine: Machine): readonly InstalledHook[] | undefined {
  try {
    return installation.inspect(machine, FILES).hooks;
  } catch (error) {
    if (error instanceof ConfigurationProblem) return undefined;
    throw error;
  }
}
