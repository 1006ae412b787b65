import { constants } from 'node:os';
import type { Host, HostSetting } from '../hosts/host.ts';
import type { EventKind } from '../model/event.ts';
import { causeOf } from './failure.ts';
import { headOf, readMessage } from './read-message.ts';
import { budgetOf, type HookRun } from './run-responder.ts';
import { type LineServer, serveLines } from './serve-lines.ts';
import { startJudging } from './start-judging.ts';
import { writeAll } from './write-all.ts';

/** The first calls run most code for the first time: to compile what runs a few times takes longer than that saves. */
const EARLY_CALLS = 200;
/** How many times as late as usual it is compiled until then; the loops of a long call still are. */
const EARLY_JIT_POLICY = 20;

/** Many messages: policies are loaded once and followed, the memory stays in the process. */
export async function runLines(run: HookRun): Promise<number> {
  const { host, setting, options, io } = run;
  const judging = startJudging(run);
  let calls = 0;
  const exitCode = await serveStdio({
    stdin: io.stdin.stream(),
    respond: (line, arrivedMs) => {
      if (++calls === EARLY_CALLS) Bun.unsafe.setJITPolicy(1);
      return judging.respond(line, arrivedMs);
    },
    refuse: (line, cause) => host.refuse(headOf(host, line), cause, setting),
    budgetMs: (line) => budgetOf(host, options, kindOf(line, host, setting)),
  });
  judging.stop();
  return exitCode;
}

function kindOf(line: string, host: Host, setting: HostSetting): EventKind | undefined {
  const read = readMessage(host, line);
  const decoded = read.ok ? host.decode(read.message, setting) : undefined;
  return decoded?.type === 'event' ? decoded.event.kind : undefined;
}

/**
 * Signals to leave alone: those that cannot be ignored, those of the runtime, which must not go on once it is broken, and those
 * without effect.
 */
const LEFT_ALONE =
  'SIGKILL SIGSTOP SIGILL SIGTRAP SIGABRT SIGIOT SIGBUS SIGFPE SIGSEGV SIGSYS SIGPWR SIGCHLD SIGCONT SIGURG SIGWINCH'.split(
    ' ',
  );

/**
 * Serves lines on this process's standard output until the host closes the input. Every other signal is ignored: a terminal and a
 * service manager send some to the whole process group, whoever wants to be rid of the guard sends any, and a hook that is gone
 * or stops before its host lets every call through. For the same reason an uncaught error is reported, and the process goes on.
 */
export function serveStdio(server: Omit<LineServer, 'write'>): Promise<number> {
  // The binary starts as one that judges a single call, and compiles later still.
  Bun.unsafe.setJITPolicy(EARLY_JIT_POLICY);
  for (const signal of Object.keys(constants.signals))
    if (!LEFT_ALONE.includes(signal)) process.on(signal, ignore);
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
  return serveLines({ ...server, write: (text) => writeAll(STDOUT, text) });
}

function ignore(): void {}

function tell(error: unknown): void {
  writeAll(STDERR, `policy: ${causeOf(error)}\n`);
}

const STDOUT = 1;
const STDERR = 2;
