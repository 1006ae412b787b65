import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_INDEX } from '../../src/reader/generated/program-rows.ts';
import { shippedRow } from '../../src/reader/programs/spec/rows.ts';
import { runs } from './reads.ts';

/** Calls written out, a line with tabs for each program: what a row loses must be missed here. */
const callsIn = (name: string) =>
  readFileSync(join(import.meta.dir, name), 'utf8')
    .trimEnd()
    .split(/[\n\t]/);

/** They run `rm x`, and nothing else. */
const WRAPPER_CALLS = callsIn('wrapper-calls.txt');
/** They run `rm x` beside what they do themselves. */
const CONSOLE_CALLS = callsIn('console-calls.txt');

describe('each row of the programs that run others', () => {
  test.each(WRAPPER_CALLS)('finds the command, and no other, in: %s', (text) => {
    expect(runs(text)).toEqual(['rm x']);
  });

  test.each(CONSOLE_CALLS)('finds the command in: %s', (text) => {
    expect(runs(text)).toContain('rm x');
  });

  test('is tried', () => {
    const names = [...PROGRAM_INDEX.matchAll(/^(.+)\t/gm)].map(([, name = '']) => name);
    const tried = new Set([...WRAPPER_CALLS, ...CONSOLE_CALLS].map((call) => call.split(' ')[0]));
    expect(names.filter((name) => shippedRow(name)?.runs !== undefined && !tried.has(name))).toEqual([]);
  });
});
