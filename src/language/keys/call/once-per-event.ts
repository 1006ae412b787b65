import type { Event } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';

/** Makes of some work about an event one that is done once, however many policies ask. */
export function oncePerEvent<T>(work: (facts: Facts) => T): (facts: Facts) => T {
  const known = new WeakMap<Event, Done<T>>();
  // Nearly always the same event is asked about again, and to compare is faster than to look up.
  let last: Done<T> | undefined;
  return (facts) => {
    const { event } = facts;
    if (last?.event === event) return last.result;
    last = known.get(event) ?? { event, result: work(facts) };
    known.set(event, last);
    return last.result;
  };
}

interface Done<T> {
  readonly event: Event;
  readonly result: T;
}
