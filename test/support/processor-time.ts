import { expect } from 'bun:test';

/**
 * What `work` gives. Fails the test where it takes more of the processor than this, in milliseconds. Time in which the machine does
 * something else does not count, so a limit may be a few times what is usual and still be far from what it guards against.
 */
export function withinProcessorTime<T>(limitMs: number, work: () => T): T {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000, 'milliseconds of the processor').toBeLessThanOrEqual(limitMs);
  return result;
}
