import { limitWork, MAX_WORK_MS } from '../../../hook/work-limit.ts';
import type { Host } from '../../../hosts/host.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import type { PastCall } from '../../../hosts/sessions.ts';
import { fastHash } from '../../../lib/fast-hash.ts';
import { withTimeLimit } from '../../../lib/time-limit.ts';
import { callSample } from '../../compare/recorded-samples.ts';
import { createScanner, type PastVerdict } from '../../compare/scan.ts';
import { scanHtml, scanJson, scanText } from '../../report/scan.ts';
import { type Arguments, optionValue, optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { type EngineLookup, engineLookup, reportErrors } from '../engine-lookup.ts';
import { EXIT_CODE } from '../exit-code.ts';
import {
  namedSessions,
  readSession,
  type SessionHost,
  type SessionPath,
  usualSessions,
} from '../find-sessions.ts';
import { hostOf } from '../host-option.ts';
import type { Io } from '../io.ts';
import { paintFor, printJson } from '../print.ts';
import { recordingPlace } from '../recorded-calls.ts';
import { momentOption } from '../since.ts';
import { createProgress } from '../test/progress.ts';
import { UsageError } from '../usage-error.ts';
import { writeOutput } from '../write-text.ts';

export const scan = {
  operands: '[PATH]...',
  options: [
    {
      name: 'policies',
      value: 'PATH',
      repeatable: true,
      summary: 'Use these policies instead of those found for each session',
    },
    { name: 'host', value: 'NAME', repeatable: true, summary: 'Only sessions of this agent' },
    { name: 'since', value: 'WHEN', summary: 'Only calls since then: 30m, 24h, 7d, 2w or a date' },
    { name: 'html', value: 'FILE', summary: 'Write the results as an HTML page' },
    { name: 'json', summary: 'Print JSON' },
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
    '  7 calls in 3 sessions  git-safety/no-force-push  gemini  run_shell_command git push -f fork topic',
    '…',
    '',
    '4,812 calls in 96 sessions (96 of gemini): 12 would have been refused (0.2 %)',
  ],
  async run(args, io) {
    const files = await sessionFiles(args, io);
    const since = momentOption(args, 'since') ?? '';
    const engines = engineLookup(optionValues(args, 'policies'), io);
    const judge = judgeOf(engines, io);
    const scanner = createScanner();
    const progress = createProgress(io.stderr);
    let unreadable = 0;
    let calls = 0;
    for (const [index, file] of files.entries()) {
      const session = readSession(file);
      if (session === undefined) unreadable += 1;
      for (const call of session?.calls ?? []) {
        if (session === undefined || (call.time ?? since) < since) continue;
        progress.show(index / files.length, ++calls, 'calls');
        const verdict = judge(session.host, call);
        if (verdict !== undefined) scanner.add(session.host.name, call, verdict);
      }
      if (engines.errors().length > 0) break;
    }
    progress.clear();
    if (engines.errors().length > 0) return reportErrors(engines, io);
    const result = scanner.result();
    const page = optionValue(args, 'html');
    if (page !== undefined) writeOutput(page, scanHtml(result, { unreadable }), io);
    if (args.switches.has('json')) printJson(io.stdout, scanJson(result, { unreadable }));
    else io.stdout.write(scanText(result, { unreadable }, paintFor(io.stdout, io.env)));
    return EXIT_CODE.ok;
  },
} satisfies Command;

async function sessionFiles(args: Arguments, io: Io): Promise<readonly SessionPath[]> {
  const named = optionValues(args, 'host').map(hostOf);
  const hosts: SessionHost[] = [];
  for (const host of named.length > 0 ? named : HOSTS) {
    const sessions = await host.sessions?.();
    if (sessions !== undefined) hosts.push({ host, sessions });
    else if (named.length > 0)
      throw new UsageError(`Cannot scan sessions of ${host.title}: nobody knows how it keeps them`);
  }
  return args.operands.length > 0
    ? namedSessions(args.operands, hosts, io.cwd)
    : usualSessions(hosts, io.env);
}

/** Undefined for a call that the host would not have asked about. */
function judgeOf(engines: EngineLookup, io: Io): (host: Host, call: PastCall) => PastVerdict | undefined {
  const place = recordingPlace(io, engines.filesOf);
  const judge = (host: Host, call: PastCall, cwd: string): PastVerdict | undefined => {
    const engine = engines.of(cwd);
    try {
      const sample = callSample(host, { ...call, cwd }, place);
      if (sample === undefined) return undefined;
      const limit = limitWork(MAX_WORK_MS, (startMs) => startMs + MAX_WORK_MS);
      const answer = withTimeLimit(limit, () => sample.judge(engine));
      if (answer === undefined) return undefined;
      const { action, policyId: policy } = answer.decision;
      return { action, policy, asked: answer.outcome?.hits.some(({ how }) => how === 'unasked') ?? false };
    } catch {
      // The hook would have refused it, too.
      return { action: 'deny', policy: undefined, asked: false };
    }
  };
  // Agents do the same again and again.
  const known = new Map<string, PastVerdict | undefined>();
  return (host, call) => {
    const cwd = call.cwd ?? io.cwd;
    const key = fastHash(JSON.stringify([host.name, cwd, call.tool, call.arguments]));
    if (known.has(key)) return known.get(key);
    const verdict = judge(host, call, cwd);
    known.set(key, verdict);
    return verdict;
  };
}
