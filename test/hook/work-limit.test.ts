import { expect, test } from 'bun:test';
import { limitWork } from '../../src/hook/work-limit.ts';

const LATER = () => Number.POSITIVE_INFINITY;

/** Keeps the processor busy until the limit is over, or for so long. */
function workUntil(isOver: () => boolean, maxMs: number): boolean {
  const endMs = performance.now() + maxMs;
  while (performance.now() < endMs) if (isOver()) return true;
  return false;
}

test('limitWork ends work that takes too much of the processor', () => {
  expect(workUntil(limitWork(30, LATER), 20_000)).toBe(true);
  expect(workUntil(limitWork(20_000, LATER), 200)).toBe(false);
});

test('limitWork does not count the time in which the processor does something else', () => {
  const isOver = limitWork(100, LATER);
  expect(workUntil(isOver, 60)).toBe(false);
  Bun.sleepSync(300);
  expect(isOver()).toBe(false);
});

test('limitWork ends work when the host waits no longer, however little it has done', () => {
  const isOver = limitWork(20_000, (startMs) => startMs + 30);
  expect(isOver()).toBe(false);
  Bun.sleepSync(50);
  expect(isOver()).toBe(true);
});
