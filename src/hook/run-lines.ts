import type { Host, HostSetting } from '../hosts/host.ts';
import type { EventKind } from '../model/event.ts';
import { createProcessMemory } from '../state/process-memory.ts';
import { createAskJudges } from './ask-judges.ts';
import { followPolicies } from './follow-policies.ts';
import { handshake } from './handshake.ts';
import { allowPort, approvalPort, budgetOf, type HookRun, nowUs, openLog, TOOL_SHARE } from './hook-run.ts';
import { loadPolicySet } from './policy-set.ts';
import { headOf, readMessage } from './read-message.ts';
import { createResponder } from './responder.ts';
import { runTool } from './run-tool.ts';
import { serveStdio } from './serve-stdio.ts';
import { machineSurroundings } from './surroundings.ts';
import { limitWork, MAX_SHARED_WORK_MS } from './work-limit.ts';
import { writeAll } from './write-all.ts';

/** The share of the time left for one of many answers that judging may take by the clock: others may wait behind it. */
const REQUEST_SHARE = 1 / 3;
/** The share of a host's own deadline for which the first of many requests may wait for the policies. */
const LOADING_SHARE = 0.5;

/** Many messages: policies are loaded once and followed, what is remembered stays in the process. */
export async function runLines({ host, setting, options, io }: HookRun): Promise<number> {
  const budgetMs = budgetOf(host, options);
  const askJudges = createAskJudges(io);
  let approvalFollows = false;
  const log = openLog(options, io, true, (problem) => {
    writeAll(2, `policy: decisions are not logged: ${problem}\n`);
  });
  const policies = followPolicies(() => loadPolicySet(options, io, setting.cwd), budgetMs * LOADING_SHARE);
  const memory = createProcessMemory();
  const exitCode = await serveStdio({
    stdin: io.stdin.stream(),
    handshake: (line) => {
      const met = handshake(host, setting, line);
      approvalFollows = met?.approvalFollows ?? approvalFollows;
      return met?.reply;
    },
    createResponder: () =>
      createResponder({
        host,
        setting,
        policies: policies.current,
        surroundings: (_event, policyFiles) => machineSurroundings(io.env, setting.cwd, policyFiles),
        memory,
        log: (entry) => log?.log(entry),
        allow: allowPort(setting, options, io),
        ...approvalPort(
          options,
          ({ kind }, startUs) => budgetOf(host, options, kind) - (nowUs() - startUs) / 1_000,
        ),
        nowUs,
        nowMs: Date.now,
        limit: (arrivedMs) =>
          limitWork(MAX_SHARED_WORK_MS, (nowMs) => nowMs + (arrivedMs + budgetMs - nowMs) * REQUEST_SHARE),
        runTool: (spec, startUs) => runTool(spec, (budgetMs - (nowUs() - startUs) / 1_000) * TOOL_SHARE),
        judges: {
          ask: (questions, { kind }, startUs) =>
            askJudges(questions, budgetOf(host, options, kind) - (nowUs() - startUs) / 1_000),
          approvalFollows: () => approvalFollows,
        },
        keepInput: options.logInput,
        met: (message) => {
          approvalFollows = host.approvalFollows?.(message) ?? approvalFollows;
        },
      }),
    refuse: (line, cause) => host.refuse(headOf(host, line), cause, setting),
    budgetMs: (line) => budgetOf(host, options, kindOf(line, host, setting)),
  });
  policies.stop();
  log?.close();
  return exitCode;
}

function kindOf(line: string, host: Host, setting: HostSetting): EventKind | undefined {
  const read = readMessage(host, line);
  const decoded = read.ok ? host.decode(read.message, setting) : undefined;
  return decoded?.type === 'event' ? decoded.event.kind : undefined;
}
