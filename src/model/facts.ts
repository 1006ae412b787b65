import type { Event, EventText } from './event.ts';
import type { History } from './history.ts';
import type { ProgramRows } from './policy.ts';
import type { Surroundings } from './surroundings.ts';

/** Everything known about an event: the host's message, and facts from memory on demand. */
export interface Facts {
  readonly event: Event;
  /** The model's name, from the event or remembered; undefined if unknown. */
  readonly model: string | undefined;
  /** The texts that are new since the last event; all of them for the first. */
  readonly newTexts: readonly EventText[];
  readonly surroundings: Surroundings;
  /** The earlier calls; `NO_HISTORY` for an event on its own. */
  readonly history: History;
  /** The program rows of the policies; undefined if there are none. */
  readonly programs?: ProgramRows | undefined;
  /** Of several files that the call names in its arguments, the one that counts; all of them unless given. */
  readonly file?: string | undefined;
}
