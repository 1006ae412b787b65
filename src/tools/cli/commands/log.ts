import { existsSync } from 'node:fs';
import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { forgetResults } from '../../../hook/state/results-forgotten.ts';
import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import { suggestionOr } from '../../../lib/closest.ts';
import { ACTIONS } from '../../../model/action.ts';
import { likelyWord } from '../../../model/likely-word.ts';
import { compileFilter } from '../../log/filter.ts';
import { openLogReader, verifyDecisionLog } from '../../log/read-log.ts';
import { createVerifier } from '../../log/verify.ts';
import { recordText, verificationJson, verificationText } from '../../report/history/log.ts';
import { printableJson } from '../../report/layout/printable.ts';
import { grouped } from '../../report/layout/quantity.ts';
import { maySeeCodes, personOnly } from '../allow/person-only.ts';
import { type Arguments, optionValue, optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { hostOf, hostsOption, MOMENT_OPTIONS, momentOption, numberOption, optionsOf } from '../options.ts';
import { paintFor, printJson } from '../print.ts';

const DEFAULT_LAST = 50;
const MAX_LAST = 9_999_999;
const LOOK_EVERY_MS = 200;

export const log = {
  operands: '[verify]',
  isLong: true,
  options: [
    ...MOMENT_OPTIONS,
    hostsOption('Only decisions about this agent'),
    ...optionsOf({
      '--tool NAME...': "Only decisions about this tool; the agent's own name or a glob",
      '--policy ID...': 'Only decisions that this policy took part in; an id or a glob',
      '--action ACTION...': 'Only decisions with this action',
      '-n, --last N': `Only the newest N, 0 for all; ${DEFAULT_LAST} by default in a table`,
      '--session ID': 'Show the recorded calls of a session instead',
      '--forget': 'Forget the calls of --session; only in a terminal of your own',
      '--forget-results': 'Forget all results that policies with cache keep; only in a terminal of your own',
      '-f, --follow': 'Keep printing new decisions',
      '-v, --verbose': 'Show ids, times, sessions, reasons and every policy that took part',
      '--expect DIGEST': 'verify: require a line with this digest, printed by an earlier verify',
      '--json': 'Print the raw log lines; with verify, print JSON',
    }),
  ],
  details: [
    'Shows the decision log in the state folder, oldest first: when, what was decided, for which agent, by which policy, and\nabout what. A terminal of a person also shows the code of a refused call, which policy allow takes; elsewhere and with\n-v there is the id, which policy add-test takes.',
    'Policies with history look at earlier calls. --session shows which calls of a session are kept, for one day, by the name\nthat -v shows: which fact each met, and how it ended. --forget drops them: budgets start anew, and tests count no more.\n--forget-results is about results of tools that answer equal calls; they are gone with the agent, too.',
    'verify checks the log against itself, because each line records what came before it. It reports lines that were\nchanged, removed or inserted, missing files, a truncated end and a missing log, and exits with 1. Whoever can write to\nthe log can also rewrite all of it, so store the digest that verify prints elsewhere and pass it to --expect later.',
  ],
  example: [
    '$ policy log --action deny --since 7d',
    '✗ 2026-11-20 09:38:00Z  deny      gemini    git-safety/no-force-push        K7Q2M9    git push -f origin topic',
    '$ policy log verify',
    '212 lines, as they were written',
    'The digest of the last line is 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
  ],
  async run(args, io) {
    const [task, ...others] = args.operands;
    if (others.length > 0 || (task !== undefined && task !== 'verify'))
      throw new UsageError(`Cannot use "${others[0] ?? task}": write policy log, or policy log verify`);
    if (task !== undefined) return verify(args, io);
    const session = optionValue(args, 'session');
    const forgets = args.switches.has('forget');
    if (args.switches.has('forget-results')) {
      personOnly('forget kept results', io);
      forgetResults(io.env);
      io.stdout.write('Results that were kept until now are forgotten\n');
      return EXIT_CODE.ok;
    }
    if (session === undefined && forgets)
      throw new UsageError('Cannot forget everything: name a session with --session ID');
    if (session === undefined) return show(args, io);
    const { forgetEarlierCalls, showSession } = await import('../past/session-memory.ts');
    return forgets ? forgetEarlierCalls(session, io) : showSession(session, args.switches.has('json'), io);
  },
} satisfies Command;

function verify(args: Arguments, io: Io): number {
  const wanted = optionValue(args, 'expect');
  if (wanted !== undefined && !/^[0-9a-f]{64}$/.test(wanted))
    throw new UsageError(`Cannot use --expect "${wanted}": give the 64 hex digits that verify has printed`);
  const folder = stateFolderPath(io.env);
  const verification = existsSync(folder)
    ? verifyDecisionLog(folder, wanted)
    : createVerifier(undefined, wanted).result();
  if (args.switches.has('json')) printJson(io.stdout, verificationJson(verification));
  else io.stdout.write(verificationText(verification, paintFor(io.stdout, io.env)));
  return verification.findings.length > 0 ? EXIT_CODE.findings : EXIT_CODE.ok;
}

async function show(args: Arguments, io: Io): Promise<number> {
  const isWanted = compileFilter({
    since: momentOption(args, 'since'),
    until: momentOption(args, 'until'),
    hosts: optionValues(args, 'host').map((name) => hostOf(name).name),
    tools: optionValues(args, 'tool'),
    policies: optionValues(args, 'policy'),
    actions: optionValues(args, 'action').map(actionOf),
  });
  const asJson = args.switches.has('json');
  const paint = paintFor(io.stdout, io.env);
  const codes = maySeeCodes(io);
  const text = (line: DecisionRecord) => {
    const record = codes ? line : withoutCodes(line);
    return asJson
      ? `${printableJson(JSON.stringify(record))}\n`
      : recordText(record, args.switches.has('verbose'), paint);
  };
  const last = numberOption(args, 'last', { from: 0, to: MAX_LAST }) ?? (asJson ? 0 : DEFAULT_LAST);
  let found: DecisionRecord[] = [];
  let count = 0;
  const folder = stateFolderPath(io.env);
  const reader = openLogReader(folder, (record) => {
    if (!isWanted(record)) return;
    count += 1;
    found.push(record);
    if (last > 0 && found.length >= 2 * last) found = found.slice(-last);
  });
  const read = (): void => {
    if (existsSync(folder)) reader.read();
  };
  const follows = args.switches.has('follow');

  read();
  if (last > 0) found = found.slice(-last);
  if (count > found.length)
    io.stderr.write(
      `The newest ${grouped(found.length)} of ${grouped(count)} decisions; --last 0 shows all\n`,
    );
  if (count === 0 && !follows && !asJson)
    io.stdout.write(
      [...args.values.keys()].every((name) => name === 'last')
        ? 'No decisions in the log: policy doctor says whether your agents ask\n'
        : 'No such decisions in the log\n',
    );
  for (;;) {
    // One write for many lines; text as a whole could be longer than a string may be.
    for (let at = 0; at < found.length; at += LINES_AT_ONCE)
      io.stdout.write(
        found
          .slice(at, at + LINES_AT_ONCE)
          .map(text)
          .join(''),
      );
    found = [];
    if (!follows || io.stdout.isClosed) break;
    await Bun.sleep(LOOK_EVERY_MS);
    read();
  }
  const { unreadable } = reader.end();
  if (unreadable > 0) io.stderr.write(`${grouped(unreadable)} lines of the log cannot be read\n`);
  return EXIT_CODE.ok;
}

/** Codes are a person's: they are shown only where one reads along. */
function withoutCodes({ code: _, allowed: __, ...record }: DecisionRecord): DecisionRecord {
  return record;
}

const LINES_AT_ONCE = 1_000;

function actionOf(text: string): string {
  if (ACTIONS.some((action) => action === text)) return text;
  const hint = suggestionOr(likelyWord(text, ACTIONS), `it is not one of ${ACTIONS.join(', ')}`);
  throw new UsageError(`Cannot use action "${text}": ${hint}`);
}
