import { describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openDecisionLog } from '../../src/hook/audit/decision-log.ts';
import { noOpinion } from '../../src/model/decision.ts';
import { type LogPosition, readLogBatch } from '../../src/tools/log/read-batch.ts';
import { toolEvent } from '../support/builders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CURRENT = 'decisions.jsonl';
/** Long after all that tests write. */
const LATER_MS = Date.now() + 3_600_000;

/** Writes decisions about tools with these names. */
function write(folder: string, tools: readonly string[], maxBytes = 1_000_000): void {
  const log = openDecisionLog({ folder: () => folder, buffered: false, maxBytes });
  for (const tool of tools) {
    log.log({
      host: 'h',
      event: toolEvent(tool, {}),
      outcome: { decision: noOpinion(), hits: [], skipped: [], trace: [] },
      digest: undefined,
      durationUs: 1,
      failed: undefined,
    });
  }
  log.close();
}

function names(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, index) => `tool-${from + index}`);
}

/** Reads on until there is nothing more; each time as a process of its own would, from a position that was kept. */
function readOn(folder: string, after: LogPosition | undefined, nowMs = LATER_MS) {
  const tools: (string | undefined)[] = [];
  const gaps: boolean[] = [];
  let at = after;
  for (;;) {
    const { records, next, isGap } = readLogBatch(folder, at, nowMs);
    gaps.push(isGap);
    tools.push(...records.map(({ tool }) => tool));
    if (next === undefined) return { tools, at, isGap: gaps.includes(true) };
    at = JSON.parse(JSON.stringify(next));
  }
}

describe('readLogBatch', () => {
  test('goes on where it was, and reads nothing twice', () => {
    const folder = temporaryFolder();
    expect(readOn(folder, undefined)).toEqual({ tools: [], at: undefined, isGap: false });
    write(folder, names(0, 3));
    const first = readOn(folder, undefined);
    expect(first.tools).toEqual([...names(0, 3)]);
    expect(readOn(folder, first.at)).toEqual({ tools: [], at: first.at, isGap: false });
    write(folder, names(3, 5));
    expect(readOn(folder, first.at).tools).toEqual([...names(3, 5)]);
  });

  test('reads a long log in parts', () => {
    const folder = temporaryFolder();
    write(folder, names(0, 3_000));
    const { records } = readLogBatch(folder, undefined, LATER_MS);
    expect(records.length).toBeLessThan(2_000);
    expect(readOn(folder, undefined).tools).toEqual([...names(0, 3_000)]);
  });

  test('follows files that are put aside, from each place in them', () => {
    const folder = temporaryFolder();
    const small = 1_200;
    write(folder, names(0, 4), small);
    const { at } = readOn(folder, undefined);
    write(folder, names(4, 12), small);
    expect(readdirSync(folder).filter((name) => /\d{9}/.test(name)).length).toBeGreaterThan(1);
    const second = readOn(folder, at);
    expect(second.tools).toEqual([...names(4, 12)]);
    write(folder, names(12, 14), small);
    expect(readOn(folder, second.at).tools).toEqual([...names(12, 14)]);
  });

  test('says that there is a gap where the file of the position has been deleted, and takes what is left', () => {
    const folder = temporaryFolder();
    write(folder, names(0, 2));
    const { at } = readOn(folder, undefined);
    rmSync(join(folder, CURRENT));
    write(folder, names(5, 7));
    // The new file may have the old one's inode, and is longer than the position.
    write(folder, names(7, 20));
    const { tools, isGap } = readOn(folder, at);
    expect([isGap, tools]).toEqual([true, [...names(5, 20)]]);
    expect(readOn(folder, readOn(folder, at).at).isGap).toBe(false);
  });

  test('waits for the end of a line', () => {
    const folder = temporaryFolder();
    write(folder, names(0, 1));
    const { at } = readOn(folder, undefined);
    write(folder, names(1, 2));
    const path = join(folder, CURRENT);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.slice(0, -20));
    expect(readOn(folder, at).tools).toEqual([]);
    appendFileSync(path, text.slice(-20));
    expect(readOn(folder, at).tools).toEqual(['tool-1']);
  });

  test('passes over what is no record', () => {
    const folder = temporaryFolder();
    write(folder, names(0, 1));
    appendFileSync(join(folder, CURRENT), `{"torn\n\nno json\n${'x'.repeat(600_000)}\n`);
    write(folder, names(1, 2));
    expect(readOn(folder, undefined).tools).toEqual(['tool-0', 'tool-1']);
  });

  test('does not leave a file that was just put aside: a writer may still have it open', () => {
    const folder = temporaryFolder();
    write(folder, names(0, 1));
    const aside = join(folder, 'decisions.000000001.jsonl');
    renameSync(join(folder, CURRENT), aside);
    write(folder, names(2, 3));
    const nowMs = statSync(aside).mtimeMs + 1_000;
    const early = readOn(folder, undefined, nowMs);
    expect(early.tools).toEqual(['tool-0']);
    appendFileSync(aside, readFileSync(aside, 'utf8').replace('tool-0', 'tool-1'));
    utimesSync(aside, new Date(nowMs), new Date(nowMs));
    expect(readOn(folder, early.at).tools).toEqual(['tool-1', 'tool-2']);
  });
});
