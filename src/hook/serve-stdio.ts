import { writeSync } from 'node:fs';
import { type LineServer, serveLines } from './serve-lines.ts';

/**
 * Serves lines on this process's standard input and output until the host closes the input. SIGINT and SIGTERM are
 * ignored: a terminal and a service manager send them to the whole process group, and a hook that is gone before its
 * host lets every call through.
 */
export function serveStdio(server: Omit<LineServer, 'stdin' | 'write'>): Promise<number> {
  process.on('SIGINT', ignore);
  process.on('SIGTERM', ignore);
  return serveLines({ ...server, stdin: Bun.stdin.stream(), write: writeWhole });
}

function ignore(): void {}

const STDOUT = 1;

/** Writes to a pipe that may take only a part or be full for now; false if it is closed. */
function writeWhole(text: string): boolean {
  let bytes: Uint8Array = Buffer.from(text, 'utf8');
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(STDOUT, bytes));
    } catch (error) {
      const busy = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!busy) return false;
      Bun.sleepSync(1);
    }
  }
  return true;
}
