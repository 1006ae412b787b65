import { createLineSplitter } from '../../lib/json-lines.ts';
import type { Io } from './io.ts';

/** Asks a question on a terminal; only `y` and `yes` are a yes. */
export async function askYes(question: string, io: Io): Promise<boolean> {
  io.stderr.write(`${question} [y/N] `);
  const answer = await firstLine(io.stdin.stream());
  return /^\s*y(es)?\s*$/i.test(answer);
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line));
  for await (const chunk of stream) {
    splitter.push(chunk);
    if (lines.length > 0) break;
  }
  splitter.end();
  return lines[0] ?? '';
}
