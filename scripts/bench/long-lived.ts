import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './bar.ts';
import { median } from './measure.ts';
import { EVERYDAY, picoclawCall, type Workplace } from './workplace.ts';

const WARM_UP_CALLS = 20_000;
const CALLS = 300_000;
const RATE_ROUNDS = 3;
const ROUND_TRIP_ROUNDS = 5;
const COMPILING_MS = 200;
const SOAK_CALLS = 1_000_000;
/** How many of the calls are refused where refusals are measured, and a call that `policiesOf` refuses. */
const REFUSED_SHARE = 0.2;
const REFUSED = 'forbidden-7 --force';

/** The hook as PicoClaw runs it: one process that answers lines. */
export async function measureLongLived(place: Workplace): Promise<readonly Figure[]> {
  const thirty = place.policiesOf(30);
  const thousand = place.policiesOf(1_000);
  const tenThousand = place.policiesOf(10_000);
  for (const policies of [thirty, thousand, tenThousand]) await compileSet(place, policies);
  const subjects = {
    server: () => throughput(place, [place.lineServer], REFUSED_SHARE),
    thirtyRefusing: () => throughput(place, hookArgv(place, thirty, false), REFUSED_SHARE),
    thousandRefusing: () => throughput(place, hookArgv(place, thousand, false), REFUSED_SHARE),
    tenThousandRefusing: () => throughput(place, hookArgv(place, tenThousand, false), REFUSED_SHARE),
    thirty: () => throughput(place, hookArgv(place, thirty, false)),
    logged: () => throughput(place, hookArgv(place, thirty, true)),
    thousand: () => throughput(place, hookArgv(place, thousand, false)),
    tenThousand: () => throughput(place, hookArgv(place, tenThousand, false)),
    baseline: () => throughput(place, hookArgv(place, 'builtin:baseline', false)),
  };
  const rates = await mediansInTurn(subjects, RATE_ROUNDS, place.pace.sample);
  const roundTrips = await mediansInTurn(
    {
      hook: () => roundTripUs(hookArgv(place, thirty, false), place),
      server: () => roundTripUs([place.lineServer], place),
      cat: () => roundTripUs(['cat'], place),
    },
    ROUND_TRIP_ROUNDS,
    place.pace.sample,
  );
  return [
    {
      name: 'PicoClaw: 30 policies, pipelined, no log',
      value: rates.thirty,
      unit: '/s',
      bar: { atLeast: 300_000 },
    },
    {
      name: 'PicoClaw: 30 policies, pipelined, with the log',
      value: rates.logged,
      unit: '/s',
      bar: { atLeast: 100_000 },
    },
    {
      name: 'PicoClaw: builtin:baseline, pipelined, no log',
      value: rates.baseline,
      unit: '/s',
      bar: { atLeast: 100_000 },
    },
    {
      name: 'PicoClaw: cost of 1,000 policies',
      value: rates.thirty / rates.thousand,
      unit: 'x that of 30',
      bar: { atMost: 1.25 },
    },
    {
      name: 'PicoClaw: cost of 10,000 policies',
      value: rates.thirty / rates.tenThousand,
      unit: 'x that of 30',
      bar: { atMost: 1.5 },
    },
    {
      name: 'PicoClaw: 30 policies, one call in five refused',
      value: rates.server / rates.thirtyRefusing,
      unit: 'x line server',
      bar: { atMost: 9 },
      note: `${Math.round(rates.thirtyRefusing).toLocaleString('en-US')} a second`,
    },
    {
      name: 'PicoClaw: 1,000 policies, one call in five refused',
      value: rates.thirtyRefusing / rates.thousandRefusing,
      unit: 'x that of 30',
      bar: { atMost: 1.25 },
    },
    {
      name: 'PicoClaw: 10,000 policies, one call in five refused',
      value: rates.thirtyRefusing / rates.tenThousandRefusing,
      unit: 'x that of 30',
      bar: { atMost: 1.5 },
    },
    {
      name: 'PicoClaw: round trip at p50',
      value: roundTrips.hook / roundTrips.server,
      unit: 'x line server',
      bar: { atMost: 1.5 },
      note: `${roundTrips.hook.toFixed(0)} µs, a Bun program that only parses and answers ${roundTrips.server.toFixed(0)} µs`,
    },
    {
      name: 'the same against cat, for scale',
      value: roundTrips.hook / roundTrips.cat,
      unit: 'x cat',
      note: `${roundTrips.cat.toFixed(0)} µs`,
    },
    await memoryGrowth(place, thirty),
  ];
}

/** The middle of several figures each, taken in turn, so that other work of the machine hits all of them. */
async function mediansInTurn<Name extends string>(
  subjects: Readonly<Record<Name, () => number | Promise<number>>>,
  rounds: number,
  between: () => void,
): Promise<Record<Name, number>> {
  const names = Object.keys(subjects) as Name[];
  const found = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      found.get(name)?.push(await subjects[name]());
      between();
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(found.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

function hookArgv(place: Workplace, policies: string, log: boolean): readonly string[] {
  return [place.policy, 'hook', '--host', 'picoclaw', '--policies', policies, ...(log ? [] : ['--no-log'])];
}

function start(argv: readonly string[], place: Workplace) {
  return Bun.spawn([...argv], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { PATH: process.env['PATH'] ?? '', ...place.env },
    cwd: place.folder,
  });
}

/**
 * Decisions per second once the process is warm: each call is shown to `before_tool` and to `approve_tool`. The messages
 * come from a file and the answers go to one, so that nothing else competes for the processor.
 */
async function throughput(place: Workplace, argv: readonly string[], refusedShare = 0): Promise<number> {
  const short = await secondsFor(place, argv, refusedShare, WARM_UP_CALLS);
  const long = await secondsFor(place, argv, refusedShare, WARM_UP_CALLS + CALLS);
  return CALLS / (long - short);
}

async function secondsFor(
  place: Workplace,
  argv: readonly string[],
  refusedShare: number,
  count: number,
): Promise<number> {
  const input = join(place.folder, `calls-${count}-${refusedShare}.jsonl`);
  if (!existsSync(input)) await Bun.write(input, calls(1, count, refusedShare));
  const startNs = Bun.nanoseconds();
  const child = Bun.spawn([...argv], {
    stdin: Bun.file(input),
    stdout: Bun.file(join(place.folder, 'answers.jsonl')),
    stderr: 'inherit',
    env: { PATH: process.env['PATH'] ?? '', ...place.env },
    cwd: place.folder,
  });
  await child.exited;
  return (Bun.nanoseconds() - startNs) / 1e9;
}

function calls(firstId: number, count: number, refusedShare = 0): Uint8Array {
  const every = refusedShare === 0 ? Number.POSITIVE_INFINITY : Math.round(1 / refusedShare);
  const lines = Array.from({ length: count }, (_, index) => {
    const id = firstId + index;
    const method = id % 2 === 0 ? 'hook.before_tool' : 'hook.approve_tool';
    const call = Math.floor(id / 2);
    const command = call % every === 1 ? REFUSED : (EVERYDAY[call % EVERYDAY.length] ?? 'ls');
    return picoclawCall(id, method, command);
  });
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** The first process that meets a folder compiles it and keeps it; a busy machine takes longer than a call may wait. */
async function compileSet(place: Workplace, policies: string): Promise<void> {
  const child = start(hookArgv(place, policies, false), place);
  const reader = child.stdout.getReader();
  for (let id = 1, answer = ''; !answer.includes('"approved":true'); id += 2) {
    if (id > 1) await Bun.sleep(COMPILING_MS);
    child.stdin.write(`${picoclawCall(id, 'hook.approve_tool', 'ls')}\n`);
    await child.stdin.flush();
    answer = Buffer.from((await reader.read()).value ?? []).toString();
  }
  child.stdin.end();
  await child.exited;
}

interface Answers {
  /** Resolves when so many more lines have arrived. */
  readonly more: (count: number) => Promise<void>;
}

function countLines(stream: ReadableStream<Uint8Array>): Answers {
  let seen = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let done: () => void = () => {};
  void (async () => {
    for await (const chunk of stream) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) seen += 1;
      if (seen >= wanted) done();
    }
    done();
  })();
  return {
    more: (count) => {
      wanted = seen + count;
      return new Promise((resolve) => {
        done = resolve;
      });
    },
  };
}

async function answerAll(
  child: ReturnType<typeof start>,
  answers: Answers,
  input: Uint8Array,
): Promise<void> {
  let lines = 0;
  for (let at = input.indexOf(10); at >= 0; at = input.indexOf(10, at + 1)) lines += 1;
  const done = answers.more(lines);
  child.stdin.write(input);
  await child.stdin.flush();
  await done;
}

/**
 * A call alone, at p50. Client and program share one processor where that can be had: else it is measured where the
 * scheduler happens to put the two, which makes either several times slower for as long as it lives.
 */
function roundTripUs(argv: readonly string[], place: Workplace): number {
  const client = join(import.meta.dir, 'round-trip.ts');
  const pinned = Bun.which('taskset') === null ? [] : ['taskset', '-c', '0'];
  const run = Bun.spawnSync([...pinned, process.execPath, client, ...argv], {
    stderr: 'inherit',
    env: { PATH: process.env['PATH'] ?? '', ...place.env },
    cwd: place.folder,
  });
  if (run.exitCode !== 0) throw new Error(`Cannot measure a round trip: exit code ${run.exitCode}`);
  return Number(run.stdout);
}

/** Resident memory after a million calls against that after the first tenth. */
async function memoryGrowth(place: Workplace, policies: string): Promise<Figure> {
  const child = start(hookArgv(place, policies, false), place);
  const answers = countLines(child.stdout);
  const step = SOAK_CALLS / 10;
  const resident: number[] = [];
  for (let part = 0; part < 10; part += 1) {
    await answerAll(child, answers, calls(part * step + 1, step));
    resident.push(await residentBytes(child.pid));
  }
  child.stdin.end();
  await child.exited;
  const [first = Number.NaN] = resident;
  return {
    name: 'PicoClaw: resident memory over one million calls',
    value: (resident.at(-1) ?? Number.NaN) / first,
    unit: 'x at 100,000',
    bar: { atMost: 1.1 },
    note: `${(first / 1e6).toFixed(0)} MB, then ${((resident.at(-1) ?? 0) / 1e6).toFixed(0)} MB`,
  };
}

async function residentBytes(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? Number.NaN) * 1_024;
}
