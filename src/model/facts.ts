import type { Event, EventText } from './event.ts';
import type { ProgramRows } from './policy.ts';
import type { Surroundings } from './surroundings.ts';

/** All that can be known about an event: what the host sent, and what memory adds when it is asked for. */
export interface Facts {
  readonly event: Event;
  /** The model's name, from the event or remembered; undefined if nobody said. */
  readonly model: string | undefined;
  /** The texts that were not there at the last look; all of them if there was none. */
  readonly newTexts: readonly EventText[];
  readonly surroundings: Surroundings;
  /** What the policies say of programs; undefined if nothing. */
  readonly programs?: ProgramRows | undefined;
}
