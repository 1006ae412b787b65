/** Work in steps: whoever runs it can pause or give up after each of them. */
export type Steps<T> = Generator<undefined, T>;

/**
 * Runs work to its end.
 *
 * @param between called after each step; an error of it ends the work
 */
export function runSteps<T>(steps: Steps<T>, between: () => void = () => {}): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    between();
  }
}
