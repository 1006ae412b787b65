import { describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  type DecisionLogOptions,
  decisionLogProblem,
  openDecisionLog,
} from '../../src/hook/audit/decision-log.ts';
import type { DecisionEntry, DecisionRecord } from '../../src/hook/audit/record.ts';
import { noOpinion } from '../../src/model/decision.ts';
import { readDecisionLog, verifyDecisionLog } from '../../src/tools/log/read-log.ts';
import { toolEvent } from '../support/builders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function entry(host = 'h', inputChars = 0): DecisionEntry {
  return {
    host,
    event: toolEvent('t', {}),
    outcome: { decision: noOpinion(), hits: [], skipped: [], trace: [] },
    digest: undefined,
    durationUs: 0,
    failed: undefined,
    input:
      inputChars === 0
        ? undefined
        : { message: { text: 'x'.repeat(inputChars) }, version: undefined, interactive: false, cwd: '/' },
  };
}

function open(folder: string, parts: Partial<DecisionLogOptions> = {}) {
  return openDecisionLog({ folder: () => folder, buffered: false, ...parts });
}

function read(folder: string): { records: DecisionRecord[]; unreadable: number } {
  const records: DecisionRecord[] = [];
  const { unreadable } = readDecisionLog(folder, (record) => records.push(record));
  return { records, unreadable };
}

describe('openDecisionLog', () => {
  test('writes each decision at once where it is not buffered', () => {
    const folder = temporaryFolder();
    const log = open(folder);
    log.log(entry('one'));
    expect(read(folder).records.map(({ host }) => host)).toEqual(['one']);
    log.log(entry('two'));
    expect(read(folder).records.map(({ host }) => host)).toEqual(['one', 'two']);
  });

  test('makes a file that only its owner can read', () => {
    const folder = temporaryFolder();
    open(folder).log(entry());
    expect(statSync(join(folder, 'decisions.jsonl')).mode & 0o777).toBe(0o600);
  });

  test('gives ids that no other log has', () => {
    const folder = temporaryFolder();
    open(folder).log(entry());
    open(folder).log(entry());
    const ids = read(folder).records.map((record) => record.decision_id);
    expect(new Set(ids).size).toBe(2);
  });

  test('collects lines where it is buffered, until they are asked for', () => {
    const folder = temporaryFolder();
    const log = open(folder, { buffered: true });
    log.log(entry());
    expect(readdirSync(folder)).toEqual([]);
    log.log(entry());
    log.close();
    expect(read(folder).records).toHaveLength(2);
  });

  test('writes what it has collected after a while and when it is much', async () => {
    const folder = temporaryFolder();
    const log = open(folder, { buffered: true });
    log.log(entry());
    const deadlineMs = performance.now() + 10_000;
    while (readdirSync(folder).length === 0 && performance.now() < deadlineMs) await Bun.sleep(10);
    expect(read(folder).records).toHaveLength(1);
    for (let i = 0; i < 3; i++) log.log(entry('h', 30_000));
    expect(read(folder).records.length).toBeGreaterThan(1);
    log.close();
  });

  test('puts a full file aside and keeps only the newest', () => {
    const folder = temporaryFolder();
    const log = open(folder, { maxBytes: 2_000, keep: 2 });
    for (let i = 0; i < 100; i++) log.log(entry(`h${i}`));
    const names = readdirSync(folder).sort();
    expect(names.filter((name) => name !== 'decisions.jsonl')).toHaveLength(3);
    for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThan(2_300);
    const hosts = read(folder).records.map(({ host }) => host);
    const first = 100 - hosts.length;
    expect(first).toBeGreaterThan(0);
    expect(hosts).toEqual(Array.from({ length: hosts.length }, (_, i) => `h${first + i}`));
  });

  test('goes on in a new file after another process has put the old one aside', () => {
    const folder = temporaryFolder();
    const log = open(folder, { maxBytes: 1_000 });
    log.log(entry('a'));
    const other = open(folder, { maxBytes: 1_000 });
    for (let i = 0; i < 8; i++) other.log(entry('b'));
    log.log(entry('a'));
    expect(readFileSync(join(folder, 'decisions.jsonl'), 'utf8')).toContain('"host":"a"');
    expect(read(folder).records).toHaveLength(10);
  });

  test('does not rotate while another process does, and takes over from one that died', () => {
    const folder = temporaryFolder();
    const log = open(folder, { maxBytes: 2_500 });
    const lock = join(folder, 'decisions.lock');
    writeFileSync(lock, '');
    for (let i = 0; i < 12; i++) log.log(entry());
    expect(readdirSync(folder).sort()).toEqual(['decisions.head', 'decisions.jsonl', 'decisions.lock']);
    utimesSync(lock, 1, 1);
    log.log(entry());
    log.log(entry());
    expect(readdirSync(folder)).toHaveLength(3);
    expect(readdirSync(folder)).not.toContain('decisions.lock');
    expect(read(folder).records).toHaveLength(14);
  });

  test('stops writing rather than grow without end where nobody can rotate', () => {
    const folder = temporaryFolder();
    const problems: string[] = [];
    const log = open(folder, { maxBytes: 1_000, onProblem: (problem) => problems.push(problem) });
    writeFileSync(join(folder, 'decisions.lock'), '');
    for (let i = 0; i < 20; i++) log.log(entry());
    expect(statSync(join(folder, 'decisions.jsonl')).size).toBeLessThan(2_300);
    expect(problems.join()).toContain('it is full and cannot be rotated');
  });

  test.each([
    [
      'no folder can be had',
      () => {
        throw new Error('no home');
      },
      'no home',
    ],
    ['the folder is gone', () => join(temporaryFolder(), 'gone'), 'ENOENT'],
  ])('never throws where %s, and says why', (_what, folder, problem) => {
    const problems: string[] = [];
    const log = openDecisionLog({ folder, buffered: false, onProblem: (each) => problems.push(each) });
    log.log(entry());
    log.close();
    expect(problems.join()).toContain(problem);
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a pipe nobody reads', (path: string) => void Bun.spawnSync(['mkfifo', path])],
    ['a link', (path: string) => symlinkSync('/dev/null', path)],
  ])('never throws or waits where its file is %s', (_what, make) => {
    const folder = temporaryFolder();
    make(join(folder, 'decisions.jsonl'));
    const problems: string[] = [];
    const log = open(folder, { onProblem: (problem) => problems.push(problem) });
    log.log(entry());
    log.close();
    expect(problems).toHaveLength(1);
  });
});

test('the first line that is lost is told once', () => {
  const told: string[] = [];
  const folder = join(temporaryFolder(), 'gone');
  const log = openDecisionLog({
    folder: () => folder,
    buffered: false,
    onProblem: (problem) => told.push(problem),
  });
  for (let i = 0; i < 3; i++) log.log(entry());
  log.close();
  expect(told).toEqual([expect.stringContaining('ENOENT')]);
});

describe('decisionLogProblem', () => {
  test('says what keeps lines from being written, and changes nothing', () => {
    const folder = temporaryFolder();
    expect(decisionLogProblem(folder)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
    open(folder).log(entry());
    expect(decisionLogProblem(folder)).toBeUndefined();
    const other = temporaryFolder();
    mkdirSync(join(other, 'decisions.jsonl'));
    expect(decisionLogProblem(other)).toContain('decisions.jsonl');
  });
});

describe('readDecisionLog', () => {
  test('counts lines that are no records and reads the rest', () => {
    const folder = temporaryFolder();
    open(folder).log(entry('a'));
    appendFileSync(join(folder, 'decisions.jsonl'), '{"torn":\n\n{"version":99}\n');
    open(folder).log(entry('b'));
    const { records, unreadable } = read(folder);
    expect(records.map(({ host }) => host)).toEqual(['a', 'b']);
    expect(unreadable).toBe(2);
  });

  test('ignores what else lies in the folder', () => {
    const folder = temporaryFolder({ 'state.db': 'x', 'decisions.old.jsonl': 'x\n' });
    expect(read(folder)).toEqual({ records: [], unreadable: 0 });
  });
});

describe.each([
  ['one by one', 'immediate', '0'],
  ['together', 'buffered', '0'],
  ['one by one while files are put aside', 'immediate', '20000'],
  ['together while files are put aside', 'buffered', '200000'],
])('eight processes that write %s', (_what, mode, maxBytes) => {
  test('leave every line whole', async () => {
    const folder = temporaryFolder();
    const script = join(import.meta.dir, 'write-log.ts');
    const children = Array.from({ length: 8 }, (_, i) =>
      Bun.spawn([process.execPath, script, folder, `p${i}`, '250', mode, maxBytes], { stderr: 'inherit' }),
    );
    expect(await Promise.all(children.map((child) => child.exited))).toEqual(Array(8).fill(0));
    const { records, unreadable } = read(folder);
    expect(unreadable).toBe(0);
    const seen = records.map(({ host, duration_us }) => `${host}:${duration_us}`).sort();
    const expected = Array.from({ length: 8 }, (_, p) => Array.from({ length: 250 }, (_, i) => `p${p}:${i}`));
    expect(seen).toEqual(expected.flat().sort());
    expect(verifyDecisionLog(folder, undefined)).toMatchObject({ findings: [], lines: 2_000 });
    const rotated = readdirSync(folder).filter((name) => /\d/.test(name));
    if (maxBytes === '0') expect(rotated).toEqual([]);
    else expect(rotated.length).toBeGreaterThan(0);
  });
});
