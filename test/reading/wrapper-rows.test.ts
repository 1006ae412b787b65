import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_INDEX } from '../../src/reader/generated/program-rows.ts';
import { shippedRow } from '../../src/reader/programs/spec/rows.ts';
import { runs } from './reads.ts';

/** Calls that run `rm x`, written out, a line with tabs for each program: what a row loses must be missed here. */
const CALLS = readFileSync(join(import.meta.dir, 'wrapper-calls.txt'), 'utf8')
  .trimEnd()
  .split(/[\n\t]/);

describe('each row of the programs that run others', () => {
  test.each(CALLS)('finds the command in: %s', (text) => {
    expect(runs(text)).toContain('rm x');
  });

  test('is tried', () => {
    const names = [...PROGRAM_INDEX.matchAll(/^(.+)\t/gm)].map(([, name = '']) => name);
    const tried = new Set(CALLS.map((call) => call.split(' ')[0]));
    expect(names.filter((name) => shippedRow(name)?.runs !== undefined && !tried.has(name))).toEqual([]);
  });
});
