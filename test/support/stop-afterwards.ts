import { onTestFinished } from 'bun:test';

/** Stops this after the test. */
export function stopAfterwards<T extends { readonly stop: (closes: boolean) => unknown }>(started: T): T {
  onTestFinished(async () => {
    await started.stop(true);
  });
  return started;
}
