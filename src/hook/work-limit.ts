/** Processor time for the only request of a process, whose code is not compiled yet. */
export const MAX_WORK_MS = 2_000;
/** Processor time for one of many requests: PicoClaw has a handful under way at a time. */
export const MAX_SHARED_WORK_MS = 500;

/** Elapsed time before the processor time is measured: most calls need less, and measuring costs them more. */
const UNMEASURED_MS = 50;

/**
 * Limits work without a break: its amount by this thread's processor time, so that a busy or suspended machine refuses nobody;
 * its end by the clock of `performance`, because the host waits by that. The work begins with the first question.
 *
 * @param maxProcessorMs not counting the first 50 ms
 * @param untilMs when the work must end
 * @returns true once the work must end
 */
export function limitWork(maxProcessorMs: number, untilMs: (startMs: number) => number): () => boolean {
  let startMs: number | undefined;
  let endMs = 0;
  let beforeMs: number | undefined;
  let measureMs = 0;
  return () => {
    const nowMs = performance.now();
    if (startMs === undefined) {
      startMs = nowMs;
      endMs = untilMs(nowMs);
    }
    if (nowMs >= endMs) return true;
    if (nowMs - startMs < UNMEASURED_MS || nowMs < measureMs) return false;
    const atMs = processorMs();
    beforeMs ??= atMs;
    const leftMs = maxProcessorMs - (atMs - beforeMs);
    // Until then no more can be used: a thread's processor time grows no faster than the clock.
    measureMs = nowMs + leftMs;
    return leftMs < 0;
  };
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
