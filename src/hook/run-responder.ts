import type { Host, HostSetting } from '../hosts/host.ts';
import { createTextMemo } from '../lib/text-memo.ts';
import type { EventKind } from '../model/event.ts';
import type { AllowPort } from './allow-port.ts';
import type { AskJudges } from './ask-judges.ts';
import { type DecisionLog, openDecisionLog } from './audit/decision-log.ts';
import type { HookIo, HookOptions } from './hook-options.ts';
import { createResponder, type Responder } from './responder.ts';
import type { Arrived, ResponderOptions } from './responder-options.ts';
import { createMachineKey, keyedDigest } from './state/allow/machine-key.ts';
import { openStateFolder } from './state/state-folder.ts';

/** The share of the host's deadline to use; the rest is for starting, writing and a busy machine. */
const USED_SHARE = 0.8;
/** The share of the remaining time for a plugin tool, so that its timeout can be reported. */
const TOOL_SHARE = 0.9;
const DAY_MS = 86_400_000;

export interface HookRun {
  readonly host: Host;
  readonly setting: HostSetting;
  readonly options: HookOptions;
  readonly io: HookIo;
}

/** Milliseconds for an answer. If a host waits longer for one kind of event, `--host-timeout` can only prolong that wait. */
export function budgetOf(host: Host, { hostTimeoutS }: HookOptions, kind?: EventKind): number {
  const ownS = host.timeoutS(kind);
  const isUsual = ownS === host.timeoutS(undefined);
  const waitS = isUsual ? (hostTimeoutS ?? ownS) : Math.max(ownS, hostTimeoutS ?? 0);
  return waitS * 1_000 * USED_SHARE;
}

/**
 * Opens the log of the options.
 *
 * @param onProblem for hosts that show stderr to people; one-shot hosts read it as a part of the answer
 */
export function openLog(
  { log, logDays, logCommand }: HookOptions,
  { env }: HookIo,
  buffered: boolean,
  onProblem: (problem: string) => void = () => {},
): DecisionLog | undefined {
  if (!log) return undefined;
  const maxAgeMs = logDays === undefined ? undefined : logDays * DAY_MS;
  const key = createMachineKey(env);
  const digests = createTextMemo((text) => keyedDigest(key.get(), 'call', text));
  const notes = { keyed: digests.of, command: logCommand };
  return openDecisionLog({ folder: () => openStateFolder(env), notes, buffered, maxAgeMs, onProblem });
}

type Parts = Pick<ResponderOptions, 'policies' | 'surroundings' | 'memory' | 'history' | 'limit'> &
  Partial<ResponderOptions>;

/**
 * Makes the responder for processes for one or many events. Rarely used parts are loaded late.
 *
 * @param leftMs the remaining time of an event
 */
export function runResponder(
  { host, setting, options, io }: HookRun,
  log: DecisionLog | undefined,
  leftMs: (arrived: Arrived) => number,
  parts: Parts,
): Responder {
  const { approveWith } = options;
  let port: AllowPort | undefined;
  let askJudges: AskJudges | undefined;
  return createResponder({
    host,
    setting,
    log: log?.log,
    keepInput: options.logInput,
    nowUs: () => performance.now() * 1_000,
    nowMs: Date.now,
    allow: () => {
      const { createAllowPort } = require('./allow-port.ts') as typeof import('./allow-port.ts');
      port ??= createAllowPort(setting, Date.now, options.log);
      return port;
    },
    ask: (questions, arrived) => {
      const { createAskJudges } = require('./ask-judges.ts') as typeof import('./ask-judges.ts');
      askJudges ??= createAskJudges(io);
      return askJudges(questions, leftMs(arrived));
    },
    runTool: (spec, arrived) => {
      const { runTool } = require('./run-tool.ts') as typeof import('./run-tool.ts');
      return runTool(spec, leftMs(arrived) * TOOL_SHARE);
    },
    ...(approveWith === undefined
      ? {}
      : {
          approve: async (request, arrived) => {
            const { askPerson } = require('./approval.ts') as typeof import('./approval.ts');
            return askPerson(approveWith, request, leftMs(arrived));
          },
        }),
    ...parts,
  });
}
