import { Database } from 'bun:sqlite';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ONE_CALL } from '../../src/hosts/clean-start.ts';
import type { Figure } from './bar.ts';
import { median, medians, once, type Subject } from './measure.ts';
import { geminiCall, picoclawCall, type Workplace } from './workplace.ts';

const TIMES = 30;
const MANY_CALLS = 1_000_000;
const CALLS_PER_SESSION = 5_000;
/** Those come behind the calls that make the store. */
const BEHIND = 1_000;
const DECISIONS = 100_000;
/** In a process that lives on, in sessions of 512. */
const COMMANDS = ['npm test', 'git push', 'ls -la', 'git pull'];

const PLAIN = `version: 1
name: delivery
policies:
  - {id: push, command: {subcommand: [git, push], flags: {any: --force}}, action: deny, reason: No}
`;
const ASKING = `version: 1
name: delivery
facts:
  tested: {command: {subcommand: [npm, test]}}
  pulled: {command: {subcommand: [git, pull]}}
policies:
  - id: push
    command: {subcommand: [git, push]}
    history: {not_seen: tested, since: pulled, within: session}
    action: deny
    reason: No
  - id: busy
    command: {subcommand: [npm, test]}
    history: {count: {of: tested, gte: 1000000}, within: session}
    when_unknown: skip
    action: deny
    reason: No
`;

/** Measures the cost of going by earlier calls: for one call, for one call among very many, and in a process that lives on. */
export function measureHistory(place: Workplace): readonly Figure[] {
  const [plain, asking] = [homeWith(place, 'plain', PLAIN), homeWith(place, 'asking', ASKING)];
  const full = homeWith(place, 'full', ASKING);
  const call = (home: string, command: string): Subject => ({
    argv: [place.policy, 'hook', '--host', 'gemini'],
    stdin: geminiCall(command, place.folder),
    exitCode: 0,
    env: { ...place.env, HOME: home, ...ONE_CALL },
    cwd: place.folder,
  });
  // The first call makes the store.
  for (const home of [plain, asking, full]) medians({ once: call(home, 'npm test') }, 1);
  fill(join(full, '.local/state/policy/history.db'));
  const found = medians(
    {
      plain: call(plain, 'npm test'),
      untouched: call(asking, 'git status --short'),
      plainUntouched: call(plain, 'git status --short'),
      touched: call(asking, 'npm test'),
      asked: call(asking, 'git push'),
      plainAsked: call(plain, 'git push'),
    },
    TIMES,
  );
  const sizes = processorTimes({
    few: call(asking, 'npm test'),
    many: call(full, 'npm test'),
    fewAsked: call(asking, 'git push'),
    manyAsked: call(full, 'git push'),
  });
  const rate = DECISIONS / secondsFor(place, asking);
  return [
    {
      // Without facts nothing would be read of it.
      name: 'a call that a fact names, more than without facts',
      value: found.touched.wallMs - found.plain.wallMs,
      unit: 'ms',
      bar: { atMost: 4 },
    },
    {
      name: 'a call that asks what came before, more than without facts',
      value: found.asked.wallMs - found.plainAsked.wallMs,
      unit: 'ms',
      bar: { atMost: 4 },
    },
    {
      name: 'a call that no fact names, page faults',
      value: found.untouched.pageFaults / found.plainUntouched.pageFaults,
      unit: 'x without facts',
    },
    {
      name: `a call that is kept beside ${MANY_CALLS.toLocaleString('en-US')} others, processor time`,
      value: sizes.many / sizes.few,
      unit: 'x beside few',
      bar: { atMost: 1.1 },
    },
    {
      name: 'a call that asks what came before, among as many, processor time',
      value: sizes.manyAsked / sizes.fewAsked,
      unit: 'x among few',
      bar: { atMost: 1.1 },
    },
    {
      name: 'PicoClaw: calls that a fact names or that ask what came before, pipelined',
      value: rate,
      unit: '/s',
      bar: { atLeast: 20_000 },
    },
  ];
}

/** Medians of subjects in turn, in milliseconds. */
function processorTimes<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
): Record<Name, number> {
  const names = Object.keys(subjects) as Name[];
  const rounds = Array.from({ length: TIMES }, () => names.map((name) => once(subjects[name]).cpuMs));
  const medianAt = (index: number) => median(rounds.map((round) => round[index] ?? 0));
  return Object.fromEntries(names.map((name, index) => [name, medianAt(index)])) as Record<Name, number>;
}

function homeWith(place: Workplace, name: string, policies: string): string {
  const home = join(place.folder, `history-${name}`);
  mkdirSync(join(home, '.config/policy'), { recursive: true });
  writeFileSync(join(home, '.config/policy/house.yaml'), policies);
  return home;
}

/** Copies the calls that are there into many other sessions. */
function fill(file: string): void {
  const database = new Database(file);
  const columns = (table: string, replaced: Readonly<Record<string, string>>) =>
    database
      .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => replaced[name] ?? `one.${name}`)
      .join(', ');
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY_CALLS})`;
  const session = `'gemini other ' || (n.i / ${CALLS_PER_SESSION})`;
  const sequence = `${BEHIND} + n.i`;
  database.transaction(() => {
    for (const [table, replaced] of [
      ['call', { sequence, session, same: sequence }],
      ['met', { sequence, session }],
    ] as const)
      database.run(
        `INSERT INTO ${table} ${numbers} SELECT ${columns(table, replaced)} FROM n, (SELECT * FROM ${table} LIMIT 1) AS one`,
      );
    database.run(`UPDATE store SET sequence = ${BEHIND + MANY_CALLS}, calls = ${MANY_CALLS - BEHIND}`);
  })();
  database.close();
}

/** A process that decides many calls, beyond one that decides few. */
function secondsFor(place: Workplace, home: string): number {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, id) =>
      picoclawCall(id, 'hook.before_tool', COMMANDS[id % COMMANDS.length] ?? 'ls').replace(
        '"bench"',
        `"bench-${id >> 9}"`,
      ),
    ).join('\n');
  const seconds = (count: number) => {
    const startNs = Bun.nanoseconds();
    Bun.spawnSync([place.policy, 'hook', '--host', 'picoclaw', '--no-log'], {
      stdin: Buffer.from(`${lines(count)}\n`),
      stdout: 'ignore',
      stderr: 'inherit',
      env: { PATH: process.env['PATH'] ?? '', ...place.env, HOME: home },
      cwd: place.folder,
    });
    return (Bun.nanoseconds() - startNs) / 1e9;
  };
  const few = seconds(2_000);
  return seconds(2_000 + DECISIONS) - few;
}
