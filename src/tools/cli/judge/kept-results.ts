import { appendFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseJson } from '../../../lib/json.ts';
import type { EvalResult } from '../../suite/judge-eval/eval-result.ts';
import { readNamed } from '../read-input.ts';
import { writing } from '../write-text.ts';

/** What a file of results may have. */
const MAX_RESULTS_BYTES = 256 * 1024 * 1024;

/** Results from before, by what they follow from. */
export interface EvalResults {
  readonly find: (key: string) => EvalResult | undefined;
  readonly add: (key: string, result: EvalResult) => void;
}

/** The results in a file, to which further ones are added at once; without a file nothing is kept. */
export function keptResults(file: string | undefined, cwd: string): EvalResults {
  if (file === undefined) return { find: () => undefined, add: () => {} };
  const path = resolve(cwd, file);
  const known = new Map<string, EvalResult>();
  for (const line of existsSync(path)
    ? readNamed(path, 'results', MAX_RESULTS_BYTES, { cwd }).toString('utf8').split('\n')
    : []) {
    const entry = parseKept(line);
    if (entry !== undefined) known.set(entry.key, entry.result);
  }
  return {
    find: (key) => known.get(key),
    add: (key, result) => {
      writing(file, () => appendFileSync(path, `${JSON.stringify({ key, result })}\n`));
    },
  };
}

/** The last line may be cut off where a run was ended. */
function parseKept(line: string): { readonly key: string; readonly result: EvalResult } | undefined {
  const entry = parseJson(line) as { key?: unknown; result?: EvalResult } | undefined;
  return typeof entry?.key === 'string' && entry.result !== undefined
    ? { key: entry.key, result: entry.result }
    : undefined;
}
