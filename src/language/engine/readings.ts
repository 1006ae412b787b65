import type { Facts } from '../../model/facts.ts';
import { factsOf } from './facts.ts';

/** The facts of an event as it came and, behind them, as its host may read it otherwise. Nearly all events have one. */
export type Readings = readonly [asItCame: Facts, ...others: Facts[]];

/** Them, of one event. */
export function readingsOf(facts: Facts): Readings {
  const { readings = [] } = facts.event;
  return readings.length === 0 ? [facts] : [facts, ...readings.map((event): Facts => factsOf(event, facts))];
}
