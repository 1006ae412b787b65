import { describe, expect, test } from 'bun:test';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { coverIn } from '../../src/hook/audit/chain.ts';
import { type DecisionLogOptions, openDecisionLog } from '../../src/hook/audit/decision-log.ts';
import { noOpinion } from '../../src/model/decision.ts';
import { verifyDecisionLog } from '../../src/tools/log/read-log.ts';
import { toolEvent } from '../support/builders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY_MS = 86_400_000;

function log(folder: string, count: number, parts: Partial<DecisionLogOptions> = {}): void {
  const opened = openDecisionLog({
    folder: () => folder,
    buffered: false,
    onProblem: (problem) => expect(problem).toBe(''),
    ...parts,
  });
  for (let i = 0; i < count; i++) {
    opened.log({
      host: `h${i}`,
      event: toolEvent('t', {}),
      outcome: { decision: noOpinion(), hits: [], skipped: [], trace: [] },
      digest: undefined,
      durationUs: i,
      failed: undefined,
    });
  }
  opened.close();
}

function verify(folder: string, wanted?: string) {
  return verifyDecisionLog(folder, wanted);
}

function currentOf(folder: string): string {
  return join(folder, 'decisions.jsonl');
}

function linesOf(folder: string): string[] {
  return readFileSync(currentOf(folder), 'utf8').split('\n').slice(0, -1);
}

function setLines(folder: string, lines: readonly string[]): void {
  writeFileSync(currentOf(folder), lines.map((line) => `${line}\n`).join(''));
}

describe('verifyDecisionLog', () => {
  test('misses the log in an empty folder, and finds nothing in what one or more processes have written', () => {
    const folder = temporaryFolder();
    const { findings } = verify(folder);
    expect(findings.map(({ problem }) => problem)).toEqual([expect.stringContaining('There is no log')]);
    log(folder, 3);
    log(folder, 200, { buffered: true });
    log(folder, 1);
    const { head, ...rest } = verify(folder);
    expect(rest).toEqual({ findings: [], lines: 204, uncovered: 0 });
    expect(head).toMatch(/^[0-9a-f]{64}$/);
  });

  test('covers a line with the one after it and the last with the head', () => {
    const folder = temporaryFolder();
    log(folder, 3);
    const [first = '', second = ''] = linesOf(folder);
    expect(coverIn(first)).toMatchObject({ from: 0, to: 0 });
    expect(coverIn(second)).toMatchObject({ from: 0, to: first.length + 1 });
  });

  test.each<[string, (lines: string[]) => string[], number]>([
    ['a changed line', (lines) => lines.with(3, lines[3]?.replace('"h3"', '"hX"') ?? ''), 4],
    ['a changed first line', (lines) => lines.with(0, lines[0]?.replace('"h0"', '"hX"') ?? ''), 1],
    ['a line taken out', (lines) => lines.toSpliced(5, 1), 5],
    ['the first line taken out', (lines) => lines.slice(1), 1],
    ['a line put in', (lines) => lines.toSpliced(5, 0, lines[2] ?? ''), 6],
    ['two lines that changed places', (lines) => lines.with(5, lines[6] ?? '').with(6, lines[5] ?? ''), 5],
    ['a cover taken off', (lines) => lines.with(4, lines[4]?.replace(/,"covers":.*/, '}') ?? ''), 4],
  ])('tells of %s and where', (_what, change, line) => {
    const folder = temporaryFolder();
    log(folder, 12);
    setLines(folder, change(linesOf(folder)));
    const { findings } = verify(folder);
    expect(findings[0]).toEqual({
      file: 'decisions.jsonl',
      line,
      problem:
        'Here or further down lines have been changed, removed or added: later lines record other ones',
    });
  });

  test.each<[string, (folder: string) => void]>([
    [
      'the last line changed',
      (folder) =>
        setLines(folder, linesOf(folder).with(11, linesOf(folder)[11]?.replace('"h11"', '"hX"') ?? '')),
    ],
    ['the last line taken out', (folder) => setLines(folder, linesOf(folder).slice(0, -1))],
    ['half of the lines cut off', (folder) => setLines(folder, linesOf(folder).slice(0, 6))],
    ['the file emptied', (folder) => truncateSync(currentOf(folder))],
    ['the file gone', (folder) => rmSync(currentOf(folder))],
  ])('tells of %s', (_what, change) => {
    const folder = temporaryFolder();
    log(folder, 12);
    change(folder);
    expect(verify(folder).findings.map(({ problem }) => problem)).toEqual([
      'The line that was written last is missing or changed',
    ]);
  });

  test('tells of a change in what was written together last', () => {
    const folder = temporaryFolder();
    log(folder, 3);
    log(folder, 20, { buffered: true });
    setLines(folder, linesOf(folder).with(10, linesOf(folder)[10]?.replace('"h7"', '"hX"') ?? ''));
    expect(verify(folder).findings).toHaveLength(1);
  });

  test('tells of a digest of the last line that is gone', () => {
    const folder = temporaryFolder();
    log(folder, 2);
    rmSync(join(folder, 'decisions.head'));
    expect(verify(folder).findings.map(({ problem }) => problem)).toEqual([
      'The line that was written last is not known: its digest is missing',
    ]);
  });

  test('tells of a log that was written anew, to whoever has kept a digest of the old one', () => {
    const folder = temporaryFolder();
    log(folder, 5);
    const { head = '' } = verify(folder);
    log(folder, 5);
    expect(verify(folder, head).findings).toEqual([]);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    log(folder, 5);
    expect(verify(folder).findings).toEqual([]);
    expect(verify(folder, head).findings.map(({ problem }) => problem)).toEqual([
      `No line has the digest ${head}`,
    ]);
  });

  test('lets a log go on that a version without digests has begun, and says what it cannot know', () => {
    const folder = temporaryFolder();
    log(folder, 4);
    setLines(
      folder,
      linesOf(folder).map((line) => line.replace(/,"covers":.*/, '}')),
    );
    rmSync(join(folder, 'decisions.head'));
    expect(verify(folder)).toMatchObject({ findings: [], uncovered: 4 });
    log(folder, 3);
    expect(verify(folder)).toMatchObject({ findings: [], lines: 7, uncovered: 0 });
    setLines(folder, linesOf(folder).with(1, linesOf(folder)[1]?.replace('"h1"', '"hX"') ?? ''));
    expect(verify(folder).findings).toHaveLength(1);
  });

  test('is not misled by a cover inside of what a host has sent', () => {
    const folder = temporaryFolder();
    const opened = openDecisionLog({ folder: () => folder, buffered: false });
    const cover = { from: 0, to: 0, sha256: 'x' };
    for (let i = 0; i < 3; i++)
      opened.log({
        host: 'h',
        event: toolEvent(',"covers":{"from":0,"to":0,"sha256":"x"}}', {}),
        outcome: { decision: noOpinion(), hits: [], skipped: [], trace: [] },
        digest: undefined,
        durationUs: 0,
        failed: undefined,
        input: { message: { covers: cover }, version: undefined, interactive: false, cwd: ',"covers":{}}' },
      });
    opened.close();
    expect(verify(folder)).toMatchObject({ findings: [], lines: 3, uncovered: 0 });
  });

  test('a line that was never finished swallows none of those that come after it', () => {
    const folder = temporaryFolder();
    log(folder, 2);
    writeFileSync(currentOf(folder), `${readFileSync(currentOf(folder), 'utf8')}{"version":1,"torn`);
    log(folder, 2);
    expect(linesOf(folder)).toHaveLength(5);
    expect(verify(folder)).toMatchObject({ findings: [], uncovered: 0 });
  });
});

describe('full files', () => {
  const small = { maxBytes: 2_000, keep: 3 };

  function full(folder: string): string[] {
    return readdirSync(folder)
      .filter((name) => /\d/.test(name))
      .sort();
  }

  test('are followed by the next one, and go when they are many, without a finding', () => {
    const folder = temporaryFolder();
    for (let i = 0; i < 60; i++) {
      log(folder, 1, small);
      expect(verify(folder).findings).toEqual([]);
    }
    expect(full(folder).length).toBeGreaterThanOrEqual(3);
    expect(full(folder).length).toBeLessThanOrEqual(4);
    expect(full(folder)).not.toContain('decisions.000000001.jsonl');
  });

  test.each<[string, (folder: string, files: string[]) => void, RegExp]>([
    [
      'the oldest is taken away',
      (folder, [oldest = '']) => rmSync(join(folder, oldest)),
      /^The file before, number \d+, is missing$/,
    ],
    [
      'one in the middle is taken away',
      (folder, [, middle = '']) => rmSync(join(folder, middle)),
      /^The file before, number \d+, is missing$/,
    ],
    [
      'the end of one is cut off',
      (folder, [, middle = '']) => truncateSync(join(folder, middle), 700),
      /the next file records other ones$/,
    ],
    [
      'one is changed',
      (folder, [, middle = '']) => {
        const path = join(folder, middle);
        writeFileSync(path, readFileSync(path, 'utf8').replace('"host":"h', '"host":"x'));
      },
      /later lines record other ones$/,
    ],
  ])('are missed where %s', (_what, change, problem) => {
    const folder = temporaryFolder();
    // So that the current file has lines, and nothing is about to be deleted.
    do log(folder, 1, small);
    while (full(folder).length < 3 || !existsSync(currentOf(folder)));
    expect(verify(folder).findings).toEqual([]);
    change(folder, full(folder));
    expect(verify(folder).findings[0]?.problem).toMatch(problem);
  });

  test('are deleted when they are older than wanted, but for the one that is followed', () => {
    const folder = temporaryFolder();
    do log(folder, 1, small);
    while (full(folder).length < 3 || !existsSync(currentOf(folder)));
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), new Date(0), new Date(0));
    const path = currentOf(folder);
    // Its first line is old, so it is put aside before the next one is written.
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"time":"\d{4}/, '"time":"2001'));
    utimesSync(path, new Date(0), new Date(0));
    log(folder, 1, { keep: 30, maxAgeMs: DAY_MS });
    expect(full(folder)).toEqual(['decisions.000000004.jsonl']);
    expect(linesOf(folder)).toHaveLength(1);
  });

  test('stay when they are young', () => {
    const folder = temporaryFolder();
    log(folder, 30, { ...small, keep: 30, maxAgeMs: DAY_MS });
    const before = full(folder).length;
    expect(before).toBeGreaterThan(2);
    log(folder, 30, { ...small, keep: 30, maxAgeMs: DAY_MS });
    expect(full(folder).length).toBeGreaterThan(before);
    expect(full(folder)[0]).toBe('decisions.000000001.jsonl');
    expect(verify(folder)).toMatchObject({ findings: [], lines: 60 });
  });
});
