import type { Host, HostSetting } from '../hosts/host.ts';
import type { EventKind } from '../model/event.ts';
import { handshake } from './handshake.ts';
import { budgetOf, type HookRun } from './hook-run.ts';
import { headOf, readMessage } from './read-message.ts';
import { serveStdio } from './serve-stdio.ts';
import { startJudging } from './start-judging.ts';

/** Many messages: policies are loaded once and followed, what is remembered stays in the process. */
export async function runLines(run: HookRun): Promise<number> {
  const { host, setting, options, io } = run;
  let approvalFollows = false;
  const judging = startJudging(run, {
    approvalFollows: () => approvalFollows,
    met: (message) => {
      approvalFollows = host.approvalFollows?.(message) ?? approvalFollows;
    },
  });
  const exitCode = await serveStdio({
    stdin: io.stdin.stream(),
    handshake: (line) => {
      const met = handshake(host, setting, line);
      approvalFollows = met?.approvalFollows ?? approvalFollows;
      return met?.reply;
    },
    createResponder: judging.createResponder,
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
