import { compileNameGlob } from '../../../lib/glob/glob.ts';
import { decideSample, isLeftOpen, refusalIn } from '../../compare/decide.ts';
import { spansSessions } from '../../compare/past-sessions.ts';
import { createRefusalCounter } from '../../compare/refusals.ts';
import { MAX_LISTED, refusalsJson, refusalsPage, refusalsText } from '../../report/history/refusals.ts';
import { countOf } from '../../report/layout/quantity.ts';
import { optionValue, optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE, UsageError } from '../io.ts';
import { hostOf, hostsOption, momentOption, optionsOf, policiesOption } from '../options.ts';
import { engineLookup, reportErrors } from '../past/engine-lookup.ts';
import { pastCalls } from '../past/past-calls.ts';
import { recordingPlace } from '../past/recorded-calls.ts';
import { paintFor, printJson } from '../print.ts';
import { writeOutput } from '../write-text.ts';

export const scan = {
  operands: '[PATH]...',
  isLong: true,
  options: [
    policiesOption('Use these policies instead of those found for each session'),
    hostsOption('Only sessions of this agent'),
    ...optionsOf({
      '--policy ID': 'Only calls that this policy would have refused, with its reason; an id or a glob',
      '--since WHEN': 'Only calls since then: 30m, 24h, 7d, 2w or a date',
      '--html FILE': 'Write the results as an HTML page',
      '--json': 'Print JSON',
    }),
  ],
  details: [
    'Reads the sessions that agents keep on this machine, or those at PATH, decides each tool call in them by the current\npolicies, and shows what they would have refused. It runs nothing and asks no model.',
    'Calls that recur in many sessions come first: either the policy is wrong, or the agent needs an exception. If a\nsession does not record its directory, this one counts. Secrets are redacted.',
  ],
  example: [
    '$ policy scan --since 30d',
    'policy                    action  calls  sessions  agents',
    'git-safety/no-force-push  deny       12         5  gemini',
    '',
    'Look at these first: an exception lets them pass if they were meant',
    '  7 calls in 3 sessions  git-safety/no-force-push  gemini run_shell_command git push -f fork topic',
    '…',
    '',
    '4,812 calls in 96 sessions (96 of gemini): 12 would have been refused (0.2 %)',
  ],
  async run(args, io) {
    const engines = engineLookup(optionValues(args, 'policies'), io);
    const counter = createRefusalCounter();
    const only = optionValue(args, 'policy');
    const isMeant = only === undefined ? () => true : compileNameGlob(only);
    let isKnown = only === undefined;
    let unreadable = 0;
    const choice = {
      paths: args.operands,
      hosts: optionValues(args, 'host').map(hostOf),
      since: momentOption(args, 'since') ?? '',
      across: optionValues(args, 'policies').length > 0 && spansSessions(engines.of(io.cwd).program),
    };
    const place = recordingPlace(io, engines.filesOf);
    for await (const call of pastCalls(choice, place, io, () => unreadable++)) {
      const engine = engines.of(call.cwd ?? io.cwd);
      if (engines.errors().length > 0) break;
      if (call.early === true && engine.program.facts === undefined) continue;
      const decided = call.sample && decideSample(call.sample, engine);
      if (decided === undefined || call.early === true) continue;
      isKnown ||= engine.program.rules.some(({ id }) => isMeant(id));
      const refusals = refusalIn(decided.verdict).filter(({ policy }) => isMeant(policy));
      counter.add(call.host ?? '', call, refusals, isLeftOpen(decided));
    }
    if (engines.errors().length > 0) return reportErrors(engines, io);
    const refusals = counter.result();
    if (!isKnown && refusals.calls > 0)
      throw new UsageError(`Cannot scan for policy "${only}": no policy in force has that id`);
    const notes =
      unreadable === 0 ? [] : [`${countOf(unreadable, 'file')} left out: not a session of a known agent`];
    const page = optionValue(args, 'html');
    if (page !== undefined) writeOutput(page, refusalsPage(refusals, notes), io);
    if (args.switches.has('json'))
      printJson(io.stdout, refusalsJson(refusals, 'host', { unreadable_files: unreadable }));
    else
      io.stdout.write(
        refusalsText(
          refusals,
          { by: 'host', notes, maxListed: only === undefined ? MAX_LISTED : Number.POSITIVE_INFINITY },
          paintFor(io.stdout, io.env),
        ),
      );
    return EXIT_CODE.ok;
  },
} satisfies Command;
