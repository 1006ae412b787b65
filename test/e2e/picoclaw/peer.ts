/**
 * A hook for the tests of the stand-in: prints for each method the text that its argument gives, with `$ID` for the
 * request's id and `$FILL(n)` for n letters. A null is no answer, `exit` ends the process; what is not given is
 * answered with nothing to say. Every line it reads goes to the file in `PEER_LOG`.
 */
import { appendFileSync, writeSync } from 'node:fs';
import { createLineSplitter } from '../../../src/lib/json-lines.ts';

const answers = JSON.parse(process.argv[2] ?? '{}') as Record<string, string | null>;
const log = process.env['PEER_LOG'];
if (process.env['PEER_IGNORES_EOF'] !== undefined) setInterval(() => {}, 1000);
process.on('SIGTERM', () => {});

const splitter = createLineSplitter((line) => {
  if (log !== undefined) appendFileSync(log, `${line}\n`);
  const { id, method } = JSON.parse(line) as { id?: number; method: string };
  const given = Object.hasOwn(answers, method) ? answers[method] : defaultAnswer(method);
  if (given === null || given === undefined || (id === undefined && given !== 'exit')) return;
  if (given === 'exit') process.exit(3);
  const text = given
    .replaceAll('$ID', String(id))
    .replace(/\$FILL\((\d+)\)/, (_all, count) => 'x'.repeat(Number(count)));
  let bytes: Uint8Array = Buffer.from(`${text}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(1, bytes));
});

function defaultAnswer(method: string): string | null {
  return method === 'hook.hello' ? '{"id":$ID,"result":{"ok":true}}' : '{"id":$ID,"result":{}}';
}

for await (const chunk of Bun.stdin.stream()) splitter.push(chunk);
