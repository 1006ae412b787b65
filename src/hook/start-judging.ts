import type { Host } from '../hosts/host.ts';
import type { Program } from '../model/policy.ts';
import { type FollowedPolicies, followPolicies } from './follow-policies.ts';
import type { HookIo } from './hook-options.ts';
import { loadPolicySet } from './policy-set.ts';
import type { KeptHistory } from './remembering.ts';
import type { Responder } from './responder.ts';
import type { Arrived, ResponderOptions } from './responder-options.ts';
import type { ResultCache } from './result-cache.ts';
import type { ResultStore } from './result-store.ts';
import { budgetOf, type HookRun, openLog, runResponder } from './run-responder.ts';
import { createProcessMemory } from './state/process-memory.ts';
import { forgottenMs } from './state/results-forgotten.ts';
import { machineSurroundings } from './surroundings.ts';
import { limitWork, MAX_SHARED_WORK_MS } from './work-limit.ts';
import { writeAll } from './write-all.ts';

/** The share of the time left for one of many answers that judging may take by the clock: others may wait behind it. */
const REQUEST_SHARE = 1 / 3;
/** The share of a host's own deadline for which the first of many requests may wait for the policies. */
const LOADING_SHARE = 0.5;

/** Judging in a process that lives on. */
export interface Judging {
  /** Those in force. */
  readonly policies: FollowedPolicies['current'];
  readonly respond: Responder['respond'];
  /** Ends all that would keep the process alive, and writes the rest of the log. */
  readonly stop: () => void;
}

function newHistory(): KeptHistory {
  const { createProcessHistory } =
    require('./state/history/process-history.ts') as typeof import('./state/history/process-history.ts');
  return createProcessHistory();
}

/** The results that the set in force answers with. */
function resultsFor(host: Host, { env }: HookIo): NonNullable<ResponderOptions['results']> {
  let last: { readonly program: Program; readonly cache: ResultCache | undefined } | undefined;
  let store: ResultStore | undefined;
  const make = (program: Program): ResultCache | undefined => {
    if (!program.rules.some(({ params }) => Object.hasOwn(params, 'cache'))) return undefined;
    const { createResultStore } = require('./result-store.ts') as typeof import('./result-store.ts');
    const { createResultCache } = require('./result-cache.ts') as typeof import('./result-cache.ts');
    store ??= createResultStore(Date.now, () => forgottenMs(env));
    return createResultCache(host, program, store);
  };
  return (program) => {
    if (last?.program !== program) last = { program, cache: make(program) };
    return last.cache;
  };
}

/** Judges many messages: policies are loaded once and followed, the memory stays in the process. */
export function startJudging(run: HookRun): Judging {
  const { host, setting, options, io } = run;
  const budgetMs = budgetOf(host, options);
  const log = openLog(options, io, true, (problem) => {
    writeAll(2, `policy: decisions are not logged: ${problem}\n`);
  });
  const policies = followPolicies(() => loadPolicySet(options, io, setting.cwd), budgetMs * LOADING_SHARE);
  const leftMs = ({ event, startMs }: Arrived) =>
    budgetOf(host, options, event.kind) - (performance.now() - startMs);
  let history: KeptHistory | undefined;
  let approvalFollows = false;
  const { respond } = runResponder(run, log, leftMs, {
    policies: policies.current,
    surroundings: (_event, policyFiles) => machineSurroundings(io.env, setting.cwd, policyFiles),
    memory: createProcessMemory(),
    history: () => (history ??= newHistory()),
    results: resultsFor(host, io),
    limit: (arrivedMs = performance.now()) =>
      limitWork(MAX_SHARED_WORK_MS, (nowMs) => nowMs + (arrivedMs + budgetMs - nowMs) * REQUEST_SHARE),
    approvalFollows: () => approvalFollows,
    met: (message) => {
      approvalFollows = host.approvalFollows?.(message) ?? approvalFollows;
    },
  });
  return {
    policies: policies.current,
    respond,
    stop: () => {
      policies.stop();
      log?.close();
    },
  };
}
