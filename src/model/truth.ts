/** A matcher's answer: yes, no or unknown, combined as in Kleene's strong logic. */
export type Truth = boolean | 'unknown';

/** No if either is no, yes if both are yes, else unknown. */
export function and(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === true && b === true ? true : 'unknown';
}

/** Yes if either is yes, no if both are no, else unknown. */
export function or(a: Truth, b: Truth): Truth {
  if (a === true || b === true) return true;
  return a === false && b === false ? false : 'unknown';
}

/** Yes if the test says so of one of them, no if it does of none, else unknown. Stops at the first yes. */
export function anyTruth<T>(items: Iterable<T>, test: (item: T) => Truth): Truth {
  let truth: Truth = false;
  for (const item of items) {
    truth = or(truth, test(item));
    if (truth === true) return true;
  }
  return truth;
}

/** The opposite; unknown stays unknown. */
export function not(a: Truth): Truth {
  return a === 'unknown' ? 'unknown' : !a;
}
