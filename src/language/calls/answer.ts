import type { Reply } from '../../hosts/host.ts';
import type { Decision } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { History } from '../../model/history.ts';
import type { Outcome } from '../../model/outcome.ts';

/** What became of one call: as judged, and for runs through a host as answered. */
export interface Answer {
  /** Undefined if the host's message was answered without judging. */
  readonly event: Event | undefined;
  readonly outcome: Outcome | undefined;
  /** For runs through a host, fitted to what the host can do. */
  readonly decision: Decision;
  /** What had come before it; absent where that was not asked. */
  readonly history?: History;
  /** The host's answers to all messages, in order; empty without a host. */
  readonly replies: readonly Reply[];
}
