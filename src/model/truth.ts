/**
 * What a matcher knows: yes, no, or that it cannot know. The three combine as in Kleene's strong logic.
 */
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

/** The opposite; unknown stays unknown. */
export function not(a: Truth): Truth {
  return a === 'unknown' ? 'unknown' : !a;
}
