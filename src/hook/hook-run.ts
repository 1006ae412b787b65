import type { Host, HostSetting } from '../hosts/host.ts';
import type { Event, EventKind } from '../model/event.ts';
import type { AllowPort } from './allow-port.ts';
import { type DecisionLog, openDecisionLog } from './audit/sink.ts';
import type { HookIo, HookOptions } from './hook-options.ts';
import type { ResponderOptions } from './responder-options.ts';
import { createMachineKey, keyedDigest } from './state/allow/machine-key.ts';
import { openStateFolder } from './state/state-folder.ts';

/** The share of the host's deadline to use; the rest is for starting, writing and a busy machine. */
const USED_SHARE = 0.8;
/** The share of what is left of the time that a plugin tool may take, so that there is time to say that it was late. */
export const TOOL_SHARE = 0.9;
const DAY_MS = 86_400_000;

/** One run of the hook. */
export interface HookRun {
  readonly host: Host;
  readonly setting: HostSetting;
  readonly options: HookOptions;
  readonly io: HookIo;
}

/**
 * Milliseconds for an answer. Where a host waits longer for one kind of event than for the others, `--host-timeout` is
 * about the others: it can only prolong that wait.
 */
export function budgetOf(host: Host, { hostTimeoutS }: HookOptions, kind?: EventKind): number {
  const ownS = host.timeoutS(kind);
  const isUsual = ownS === host.timeoutS(undefined);
  const waitS = isUsual ? (hostTimeoutS ?? ownS) : Math.max(ownS, hostTimeoutS ?? 0);
  return waitS * 1_000 * USED_SHARE;
}

/**
 * The log that the options ask for.
 *
 * @param onProblem for hosts that show people what goes to stderr; one-shot hosts take it for a part of the answer
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
  // Some hosts show each call twice, one right behind the other.
  let last = { text: '', digest: '' };
  const keyed = (text: string): string => {
    if (text !== last.text) last = { text, digest: keyedDigest(key.get(), 'call', text) };
    return last.digest;
  };
  const notes = { keyed, command: logCommand };
  return openDecisionLog({ folder: () => openStateFolder(env), notes, buffered, maxAgeMs, onProblem });
}

/** Finds grants for refused calls; loaded when policies first refuse one. */
export function allowPort(setting: HostSetting, { log }: HookOptions, { env }: HookIo): () => AllowPort {
  let port: AllowPort | undefined;
  const make = () => {
    const { createAllowPort } = require('./allow-port.ts') as typeof import('./allow-port.ts');
    return createAllowPort({ env, setting, nowMs: Date.now, keep: log });
  };
  return () => {
    port ??= make();
    return port;
  };
}

/** Answers policies that ask; loaded when one first does. */
export function approvalPort(
  { approveWith }: HookOptions,
  leftMs: (event: Event, startUs: number) => number,
): Pick<ResponderOptions, 'approve'> {
  if (approveWith === undefined) return {};
  return {
    approve: async (request, event, startUs) => {
      const { askPerson } = require('./approval.ts') as typeof import('./approval.ts');
      return askPerson(approveWith, request, leftMs(event, startUs));
    },
  };
}

/** The clock of the process, in microseconds. */
export function nowUs(): number {
  return performance.now() * 1_000;
}
