import { resolve } from 'node:path';
import type { Host, HostSetting, Reply } from '../hosts/host.ts';
import { hostNamed } from '../hosts/host-loaders.ts';
import { versionProblem } from '../hosts/version-problem.ts';
import { runSteps } from '../lib/steps.ts';
import { OutOfTime } from '../lib/time-limit.ts';
import { causeOf } from './failure.ts';
import type { HookIo, HookOptions } from './hook-options.ts';
import { isLong, judgeApart } from './judge-apart.ts';
import { loadPolicySet } from './policy-set.ts';
import { headOf } from './read-message.ts';
import { recogniseHost, refuseUnknownHost, senderOf } from './recognise-host.ts';
import type { KeptHistory } from './remembering.ts';
import { budgetOf, type HookRun, openLog, runResponder } from './run-responder.ts';
import { serveDocument } from './serve-document.ts';
import { sessionDirectory, sessionFolders, startDirectory } from './session-directory.ts';
import { createSqliteMemory } from './state/sqlite-memory.ts';
import { openStateFolder } from './state/state-folder.ts';
import { machineSurroundings } from './surroundings.ts';
import { limitWork, MAX_WORK_MS } from './work-limit.ts';
import { writeAll } from './write-all.ts';

/** How long the first message may take by which the host is recognised: less than the shortest timeout of a host. */
const RECOGNITION_MS = 3_000;

/** Runs the hook until its host is done with it, and returns the exit code. Never rejects. */
export async function runHook(options: HookOptions, io: HookIo): Promise<number> {
  const named = options.host === undefined ? undefined : hostNamed(options.host);
  if (named !== undefined) return runAs(named, options, io);
  const { peekMessage } = require('./peek-message.ts') as typeof import('./peek-message.ts');
  const { message, stdin } = await peekMessage(io.stdin.stream(), RECOGNITION_MS);
  const recognised = recogniseHost(message);
  const problem =
    options.host === undefined
      ? options.problem
      : `the agent "${options.host}" is not known; policy docs hosts lists those that are`;
  if (!recognised.ok) return say(refuseUnknownHost(problem ?? recognised.cause));
  return runAs(recognised.host, { ...options, problem }, { ...io, stdin: { stream: () => stdin } });
}

async function runAs(host: Host, options: HookOptions, io: HookIo): Promise<number> {
  const run = hookRun(host, options, io);
  try {
    return host.framing === 'lines' ? await loadLines().runLines(run) : say(await answerDocument(run));
  } catch (error) {
    return say(host.refuse(undefined, causeOf(error), run.setting));
  }
}

export function hookRun(host: Host, options: HookOptions, io: HookIo): HookRun {
  const setting: HostSetting = {
    version: options.hostVersion,
    env: io.env,
    cwd: resolve(io.cwd, options.workspace ?? '.'),
    interactive: options.interactive,
    keepYes: options.keepYes === true,
  };
  const problem = options.problem ?? versionProblem(host, options.hostVersion);
  return { host, setting, options: { ...options, problem }, io };
}

/**
 * Writes an answer; if that fails, to stderr: Gemini CLI reads it there if stdout is empty, and without any text it takes even
 * exit code 2 for a yes. For other hosts that code means that the hook has failed.
 */
function say({ stdout, stderr, exitCode }: Reply): number {
  if (!writeAll(1, stdout)) {
    writeAll(2, stdout);
    return 2;
  }
  writeAll(2, stderr);
  return exitCode;
}

/**
 * Answers one message. Opens state and log when needed.
 *
 * @param startMs when the host began to wait, by the clock since the start of the process
 */
export function answerDocument(run: HookRun, startMs = 0): Reply | Promise<Reply> {
  const { host, setting, options, io } = run;
  const endMs = startMs + budgetOf(host, options);
  const leftMs = () => Math.max(endMs - performance.now(), 0);
  const responder = runResponder(run, openLog(options, io, false), leftMs, {
    policies: (event) =>
      runSteps(
        loadPolicySet(options, io, sessionDirectory(event, setting), startDirectory(event, setting)),
        () => {
          if (leftMs() === 0) throw new OutOfTime('loading the policies took too long');
        },
      ),
    surroundings: (event, policyFiles) => {
      const { workspace, directory } = sessionFolders(event, setting, options.workspace !== undefined);
      return machineSurroundings(io.env, workspace, policyFiles, directory);
    },
    memory: createSqliteMemory(() => {
      const { openDatabase } = require('./state/database.ts') as typeof import('./state/database.ts');
      return openDatabase(openStateFolder(io.env), leftMs());
    }, Date.now),
    history: oneShotHistory(io, leftMs),
    limit: () => limitWork(MAX_WORK_MS, () => endMs),
    senderOf: (message) => senderOf(message, host),
  });
  return serveDocument({
    stdin: io.stdin,
    respond: (text) => (isLong(text) ? judgeApart(text) : responder.respond(text)),
    refuse: (text, cause) => {
      const head = headOf(host, text);
      return senderOf(head, host).refuse(head, cause, setting);
    },
    leftMs,
  });
}

/** Opened by the first event that needs it. */
function oneShotHistory({ env }: HookIo, leftMs: () => number): () => KeptHistory {
  return () => {
    const { createSqliteHistory } =
      require('./state/history/sqlite-history.ts') as typeof import('./state/history/sqlite-history.ts');
    const { createMachineKey } =
      require('./state/allow/machine-key.ts') as typeof import('./state/allow/machine-key.ts');
    const key = createMachineKey(env);
    return createSqliteHistory({ folder: () => openStateFolder(env), key: key.get, leftMs, nowMs: Date.now });
  };
}

/** Loaded late, because a process serves either one message or lines. */
function loadLines(): typeof import('./run-lines.ts') {
  return require('./run-lines.ts') as typeof import('./run-lines.ts');
}
