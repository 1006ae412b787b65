/** A line that ends the output of one test: its result, and its name. */
const RESULT = /^\((pass|fail|skip|todo)\) /;
const FILE = /^test\/.*\.tsx?:$/;
/** A test that failed at first. */
const AGAIN = /\(attempt \d+\)/;

/**
 * The part of the output of `bun test` that deserves to be read: each test that failed, or passed only in a retry, with all
 * output before it, below its file. Passing tests are left out with their output.
 *
 * @param ok true if the run succeeded; then lines that belong to no test say nothing
 */
export function failuresIn(output: string, ok: boolean): string {
  const kept: string[] = [];
  let file: string | undefined;
  let block: string[] = [];
  const keep = (): void => {
    if (block.every((line) => line.trim() === '')) return;
    if (file !== undefined) kept.push('', file);
    file = undefined;
    kept.push(...block);
  };
  for (const line of output.replaceAll(/\u001b\[[\d;]*m/g, '').split('\n')) {
    if (FILE.test(line)) {
      if (!ok) keep();
      file = line;
      block = [];
      continue;
    }
    block.push(line);
    const [, how] = RESULT.exec(line) ?? [];
    if (how === undefined) continue;
    if (how === 'fail' || AGAIN.test(line)) keep();
    block = [];
  }
  if (!ok) keep();
  return kept.join('\n').trim();
}
