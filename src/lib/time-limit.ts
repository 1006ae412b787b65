/** Thrown out of work that has used up its time. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

let isOverdue: (() => boolean) | undefined;

/**
 * Runs work that `checkTime` ends as soon as `overdue` says so. A timer cannot interrupt synchronous work, and a hostile
 * policy may put together any number of steps that are each short enough. Limits inside limits: the inner one counts.
 *
 * @throws OutOfTime if the work was ended
 */
export function withTimeLimit<T>(overdue: () => boolean, work: () => T): T {
  const outer = isOverdue;
  isOverdue = overdue;
  try {
    return work();
  } finally {
    isOverdue = outer;
  }
}

/** Called between the steps of work that may be long. Does nothing where no limit is set. */
export function checkTime(): void {
  if (isOverdue?.() === true) throw new OutOfTime('judging took too long');
}
