import { checkTime } from '../../../lib/time-limit.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import type { Truth } from '../../../model/truth.ts';
import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import type { CommandTest } from './test.ts';

/** Follows a pipeline in one direction through all its stages: once for all commands of a reading. */
export function flowTest(direction: 'feeds' | 'fedBy', test: CommandTest): CommandTest {
  const known = new WeakMap<Reading, readonly [Surroundings, Flow]>();
  return (command, reading, surroundings) => {
    if (command[direction].length === 0) return false;
    const [at, before] = known.get(reading) ?? [];
    const flow = at === surroundings ? before : undefined;
    if (flow !== undefined) return flow.get(command) ?? false;
    const found = flowOf(direction === 'feeds' ? 'fedBy' : 'feeds', test, reading, surroundings);
    known.set(reading, [surroundings, found]);
    return found.get(command) ?? false;
  };
}

/** The commands of a reading that feed, or are fed by, one that passes a test; the others are absent. */
type Flow = ReadonlyMap<ReadCommand, Truth>;

/** Goes from the commands that pass back to those that lead there. */
function flowOf(
  back: 'feeds' | 'fedBy',
  test: CommandTest,
  reading: Reading,
  surroundings: Surroundings,
): Flow {
  checkTime();
  const { commands } = reading;
  const truths = commands.map((command) => test(command, reading, surroundings));
  const flow = new Map<ReadCommand, Truth>();
  for (const truth of ['unknown', true] as const) {
    const open = commands.filter((_, index) => truths[index] === truth);
    for (let command = open.pop(); command !== undefined; command = open.pop()) {
      for (const index of command[back]) {
        const next = commands[index];
        if (next === undefined || flow.get(next) === truth) continue;
        flow.set(next, truth);
        open.push(next);
      }
    }
  }
  return flow;
}
