import { type LineServer, serveLines } from './serve-lines.ts';
import { writeAll } from './write-all.ts';

/**
 * Serves lines on this process's standard input and output until the host closes the input. SIGINT and SIGTERM are
 * ignored: a terminal and a service manager send them to the whole process group, and a hook that is gone before its
 * host lets every call through.
 */
export function serveStdio(server: Omit<LineServer, 'stdin' | 'write'>): Promise<number> {
  process.on('SIGINT', ignore);
  process.on('SIGTERM', ignore);
  return serveLines({ ...server, stdin: Bun.stdin.stream(), write: (text) => writeAll(STDOUT, text) });
}

function ignore(): void {}

const STDOUT = 1;
