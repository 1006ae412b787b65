import type { RespondResult } from './decision.ts';
import type { Event } from './event.ts';
import type { Rule } from './policy.ts';

/** Results of earlier calls that answer equal ones: `action: respond` with `cache`. */
export interface KeptResults {
  /** A policy's answer to a call; undefined if none is kept for it, or no longer. */
  readonly find: (rule: Rule, event: Event) => RespondResult | undefined;
}
