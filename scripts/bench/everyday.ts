import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ONE_CALL } from '../../src/hosts/clean-start.ts';
import type { Figure } from './bar.ts';
import { everydayCommands, REFUSED_COMMANDS } from './everyday-commands.ts';
import { median, memoryOf, once, type Subject } from './measure.ts';
import { claudeCall, type Workplace } from './workplace.ts';

const ROUNDS = 5;
/** Times that each floor is measured in a round: everything is compared with it. */
const FLOORS = 8;

/** The cost of one command in a process of its own: the middle of a few runs. */
interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly pageFaults: number;
}

/**
 * Measures the commands that agents send all day, each in a process of its own, as Claude Code starts it, with the policies that
 * are loaded by themselves. `BENCH_COMMANDS` names a file of other commands, and `BENCH_BESIDE` the command line of another hook
 * for the same messages.
 */
export function measureEveryday(place: Workplace): readonly Figure[] {
  const project = join(place.folder, 'everyday');
  mkdirSync(project);
  const subject =
    (argv: readonly string[], exitCode: number | undefined, env: Subject['env'] = place.env) =>
    (command: string): Subject => ({
      argv,
      stdin: claudeCall(command, project),
      exitCode,
      env,
      cwd: project,
    });
  const asInstalled = { ...place.env, ...ONE_CALL };
  const hook = [place.policy, 'hook', '--host', 'claude'];
  const file = process.env['BENCH_COMMANDS'];
  const commands = everydayCommands(file);
  // Commands from a file may be refused.
  const passes = file === undefined ? 0 : undefined;
  const beside = process.env['BENCH_BESIDE']?.split(' ');
  const found = costs({
    floor: again(() => subject([place.floor], 0)('ls')),
    leastFloor: again(() => subject([place.leastFloor], 0)('ls')),
    passing: commands.map(subject(hook, passes, asInstalled)),
    refused: REFUSED_COMMANDS.map(subject(hook, 2, asInstalled)),
    beside: beside === undefined ? [] : commands.map(subject(beside, undefined)),
  });
  const floor = across(found.floor, 0.5);
  const figures = (name: string, cost: Cost, atMost?: number): readonly Figure[] => [
    {
      name: `${name}, wall`,
      value: cost.wallMs / floor.wallMs,
      unit: 'x floor',
      ...(atMost === undefined ? {} : { bar: { atMost } }),
      note: `${cost.wallMs.toFixed(1)} ms`,
    },
    {
      name: `${name}, processor time`,
      value: cost.cpuMs / floor.cpuMs,
      unit: 'x floor',
      note: `${cost.cpuMs.toFixed(1)} ms`,
    },
    {
      name: `${name}, page faults`,
      value: cost.pageFaults / floor.pageFaults,
      unit: 'x floor',
      ...(atMost === undefined ? {} : { bar: { atMost } }),
      note: `${cost.pageFaults}`,
    },
  ];
  return [
    ...figures('floor: a compiled program that prints {} by writeSync', across(found.leastFloor, 0.5)),
    ...figures(`${commands.length} everyday commands, the middle one`, across(found.passing, 0.5), 1.9),
    ...figures(`${commands.length} everyday commands, the 90th of 100`, across(found.passing, 0.9), 2.8),
    ...figures('refused commands, the middle one', across(found.refused, 0.5), 2.3),
    ...(beside === undefined
      ? []
      : [
          ...figures(`${beside[0]}, the middle one`, across(found.beside, 0.5)),
          ...figures(`${beside[0]}, the 90th of 100`, across(found.beside, 0.9)),
        ]),
  ];
}

function again(make: () => Subject): readonly Subject[] {
  return Array.from({ length: FLOORS }, make);
}

/** Runs all in turn, a few rounds, so that other work of the machine hits all of them. */
function costs<Name extends string>(
  groups: Readonly<Record<Name, readonly Subject[]>>,
): Readonly<Record<Name, readonly Cost[]>> {
  const names = Object.keys(groups) as Name[];
  const runs = new Map<Subject, ReturnType<typeof once>[]>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const subject of names.flatMap((name) => groups[name]))
      runs.set(subject, [...(runs.get(subject) ?? []), once(subject)]);
  const costOf = (subject: Subject): Cost => ({
    wallMs: median((runs.get(subject) ?? []).map(({ wallMs }) => wallMs)),
    cpuMs: median((runs.get(subject) ?? []).map(({ cpuMs }) => cpuMs)),
    pageFaults: memoryOf(subject).pageFaults,
  });
  const found: [string, readonly Cost[]][] = names.map((name) => [name, groups[name].map(costOf)]);
  return Object.fromEntries(found) as Record<Name, readonly Cost[]>;
}

/** A share of all is at most at this cost, each figure by itself. */
function across(all: readonly Cost[], share: number): Cost {
  const at = (figure: keyof Cost) =>
    all.map((cost) => cost[figure]).sort((a, b) => a - b)[Math.floor(all.length * share)] ?? Number.NaN;
  return { wallMs: at('wallMs'), cpuMs: at('cpuMs'), pageFaults: at('pageFaults') };
}
