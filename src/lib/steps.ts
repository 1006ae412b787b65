/** Work in steps, after each of which the caller can pause or stop. */
export type Steps<T> = Generator<undefined, T>;

/**
 * Runs work to its end.
 *
 * @param between called after each step; if it throws, the work ends
 */
export function runSteps<T>(steps: Steps<T>, between: () => void = () => {}): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    between();
  }
}
