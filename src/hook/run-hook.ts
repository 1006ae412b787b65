import { resolve } from 'node:path';
import { type DecisionLog, openDecisionLog } from '../audit/sink.ts';
import type { Host, HostSetting, Reply } from '../hosts/host.ts';
import { hostNamed } from '../hosts/registry.ts';
import { versionProblem } from '../hosts/version-problem.ts';
import { runSteps } from '../lib/steps.ts';
import { OutOfTime } from '../lib/time-limit.ts';
import type { Event, EventKind } from '../model/event.ts';
import { openDatabase } from '../state/database.ts';
import { createProcessMemory } from '../state/process-memory.ts';
import { createSqliteMemory } from '../state/sqlite-memory.ts';
import { openStateFolder } from '../state/state-folder.ts';
import type { AllowPort } from './allow-port.ts';
import { createAskJudges } from './ask-judges.ts';
import { causeOf } from './failure.ts';
import { followPolicies } from './follow-policies.ts';
import { handshake } from './handshake.ts';
import type { HookIo, HookOptions } from './hook-options.ts';
import { peekMessage } from './peek-message.ts';
import { loadPolicySet } from './policy-set.ts';
import { headOf, readMessage } from './read-message.ts';
import { recogniseHost, refuseUnknownHost } from './recognise-host.ts';
import { createResponder, type ResponderOptions } from './responder.ts';
import { runTool } from './run-tool.ts';
import { serveDocument } from './serve-document.ts';
import { serveStdio } from './serve-stdio.ts';
import { sessionDirectory, workspaceOf } from './session-directory.ts';
import { machineSurroundings } from './surroundings.ts';
import { limitWork, MAX_SHARED_WORK_MS, MAX_WORK_MS } from './work-limit.ts';
import { writeAll } from './write-all.ts';

/** The share of the host's own deadline that is used; the rest is for starting, writing and a busy machine. */
const USED_SHARE = 0.8;
/** The share of the time left for one of many answers that judging may take by the clock: others may wait behind it. */
const REQUEST_SHARE = 1 / 3;

/** The share of what is left of it that a plugin tool may take, so that there is time to say that it was late. */
const TOOL_SHARE = 0.9;

/** The share of it for which the first of many requests may wait for the policies. */
const LOADING_SHARE = 0.5;

const DAY_MS = 86_400_000;

/** How long the first message may take that shows which host it is: less than the most impatient of them waits. */
const RECOGNITION_MS = 3_000;

/** Runs the hook until its host is done with it, and returns the exit code. Never rejects. */
export async function runHook(options: HookOptions, io: HookIo): Promise<number> {
  const named = options.host === undefined ? undefined : hostNamed(options.host);
  if (named !== undefined) return runAs(named, options, io);
  const { message, stdin } = await peekMessage(io.stdin.stream(), RECOGNITION_MS);
  const recognised = recogniseHost(message);
  const problem =
    options.host === undefined
      ? options.problem
      : `the host "${options.host}" is not known; policy hosts lists those that are`;
  if (!recognised.ok) return say(refuseUnknownHost(problem ?? recognised.cause));
  return runAs(recognised.host, { ...options, problem }, { ...io, stdin: { stream: () => stdin } });
}

async function runAs(host: Host, options: HookOptions, io: HookIo): Promise<number> {
  const setting: HostSetting = {
    version: options.hostVersion,
    env: io.env,
    cwd: resolve(io.cwd, options.workspace ?? '.'),
    interactive: options.interactive,
  };
  const problem = options.problem ?? versionProblem(host, options.hostVersion);
  const run = { host, setting, options: { ...options, problem }, io };
  try {
    return await (host.framing === 'lines' ? runLines(run) : runDocument(run));
  } catch (error) {
    return say(host.refuse(undefined, causeOf(error), setting));
  }
}

/**
 * An answer that cannot be written goes where errors go: Gemini CLI takes it from there if nothing stands in its place,
 * and without a word it would take even exit code 2 for a yes. To the others that code says that the hook has failed.
 */
function say({ stdout, stderr, exitCode }: Reply): number {
  if (!writeAll(1, stdout)) {
    writeAll(2, stdout);
    return 2;
  }
  writeAll(2, stderr);
  return exitCode;
}

interface Run {
  readonly host: Host;
  readonly setting: HostSetting;
  readonly options: HookOptions;
  readonly io: HookIo;
}

/** One message, one answer: state and log are opened when they are needed. */
async function runDocument({ host, setting, options, io }: Run): Promise<number> {
  const budgetMs = budgetOf(host, options);
  // The clock runs from the start of the process: that is when the host began to wait.
  const leftMs = () => Math.max(budgetMs - performance.now(), 0);
  const log = openLog(options, io, false);
  const askJudges = createAskJudges(io);
  const responder = createResponder({
    host,
    setting,
    policies: (event) =>
      runSteps(loadPolicySet(options, io, sessionDirectory(event, setting)), () => {
        if (leftMs() === 0) throw new OutOfTime('loading the policies took too long');
      }),
    surroundings: (event, policyFiles) =>
      machineSurroundings(io.env, workspaceOf(event, setting, options.workspace !== undefined), policyFiles),
    memory: createSqliteMemory({
      open: () => openDatabase(openStateFolder(io.env), leftMs()),
      nowMs: Date.now,
    }),
    log: (entry) => log?.log(entry),
    allow: allowPort(setting, options, io),
    ...approvalPort(options, () => leftMs()),
    nowUs,
    nowMs: Date.now,
    limit: () => limitWork(MAX_WORK_MS, () => budgetMs),
    runTool: (spec) => runTool(spec, leftMs() * TOOL_SHARE),
    judges: { ask: (questions) => askJudges(questions, leftMs()), approvalFollows: () => false },
    keepInput: options.logInput,
  });
  const reply = await serveDocument({
    stdin: io.stdin.stream(),
    respond: responder.respond,
    refuse: (text, cause) => host.refuse(headOf(host, text), cause, setting),
    budgetMs: leftMs(),
  });
  return say(reply);
}

/** Many messages: policies are loaded once and followed, what is remembered stays in the process. */
async function runLines({ host, setting, options, io }: Run): Promise<number> {
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

/**
 * Milliseconds for an answer. Where a host waits longer for one kind of event than for the others, `--host-timeout` is
 * about the others: it can only prolong that wait.
 */
function budgetOf(host: Host, { hostTimeoutS }: HookOptions, kind?: EventKind): number {
  const ownS = host.timeoutS(kind);
  const isUsual = ownS === host.timeoutS(undefined);
  const waitS = isUsual ? (hostTimeoutS ?? ownS) : Math.max(ownS, hostTimeoutS ?? 0);
  return waitS * 1_000 * USED_SHARE;
}

function kindOf(line: string, host: Host, setting: HostSetting): EventKind | undefined {
  const read = readMessage(host, line);
  const decoded = read.ok ? host.decode(read.message, setting) : undefined;
  return decoded?.type === 'event' ? decoded.event.kind : undefined;
}

/** @param onProblem for hosts that show people what goes to stderr; one-shot hosts take it for a part of the answer */
function openLog(
  { log, logDays }: HookOptions,
  { env }: HookIo,
  buffered: boolean,
  onProblem: (problem: string) => void = () => {},
): DecisionLog | undefined {
  if (!log) return undefined;
  const maxAgeMs = logDays === undefined ? undefined : logDays * DAY_MS;
  return openDecisionLog({ folder: () => openStateFolder(env), buffered, maxAgeMs, onProblem });
}

/** Loaded when policies first refuse a call. */
function allowPort(setting: HostSetting, { log }: HookOptions, { env }: HookIo): () => AllowPort {
  let port: AllowPort | undefined;
  return () => {
    const { createAllowPort } = require('./allow-port.ts') as typeof import('./allow-port.ts');
    port ??= createAllowPort({ env, setting, nowMs: Date.now, keep: log });
    return port;
  };
}

/** Loaded when a policy first asks. */
function approvalPort(
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

function nowUs(): number {
  return performance.now() * 1_000;
}
