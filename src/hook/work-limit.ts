/** The time of the processor that judging the only request of a process may take. Its code is not compiled yet. */
export const MAX_WORK_MS = 2_000;
/** The same for one of many requests: PicoClaw has a handful under way at a time. */
export const MAX_SHARED_WORK_MS = 500;

/** The processor is only asked after this much time: most calls are judged long before, and asking costs them more. */
const UNMEASURED_MS = 50;

/**
 * Limits work without a break. How much work is allowed is measured by the time that this thread gets of the processor,
 * so that a busy or suspended machine refuses nobody; when it must end, by the clock of `performance`, because the host
 * waits by that. Nothing is measured before it is asked for the first time: it has just begun then.
 *
 * @param maxProcessorMs not counting the first 50 ms
 * @param untilMs when the work must end that began then
 * @returns true once the work must end
 */
export function limitWork(maxProcessorMs: number, untilMs: (startMs: number) => number): () => boolean {
  let startMs: number | undefined;
  let endMs = 0;
  let usedMs: number | undefined;
  return () => {
    const nowMs = performance.now();
    if (startMs === undefined) {
      startMs = nowMs;
      endMs = untilMs(nowMs);
    }
    if (nowMs >= endMs) return true;
    if (nowMs - startMs < UNMEASURED_MS) return false;
    usedMs ??= processorMs();
    return processorMs() - usedMs > maxProcessorMs;
  };
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
