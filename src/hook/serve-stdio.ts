import { causeOf } from './failure.ts';
import { type LineServer, serveLines } from './serve-lines.ts';
import { writeAll } from './write-all.ts';

/**
 * Serves lines on this process's standard input and output until the host closes the input. SIGINT, SIGTERM and SIGHUP
 * are ignored: a terminal and a service manager send them to the whole process group, and a hook that is gone before
 * its host lets every call through. For the same reason an error that nothing has caught is told and survived.
 */
export function serveStdio(server: Omit<LineServer, 'stdin' | 'write'>): Promise<number> {
  // The binary starts as one that judges a single call, and compiles late; this one judges many.
  Bun.unsafe.setJITPolicy(1);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, ignore);
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
  return serveLines({ ...server, stdin: Bun.stdin.stream(), write: (text) => writeAll(STDOUT, text) });
}

function ignore(): void {}

function tell(error: unknown): void {
  writeAll(STDERR, `policy: ${causeOf(error)}\n`);
}

const STDOUT = 1;
const STDERR = 2;
