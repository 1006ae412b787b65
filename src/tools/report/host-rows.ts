import type { Host, Support } from '../../hosts/host.ts';
import { ACTIONS, type Action } from '../../model/action.ts';
import { EVENT_KINDS, type EventKind } from '../../model/event.ts';

/** The actions worth a column: everything can `continue`. */
export const LISTED_ACTIONS: readonly Action[] = ACTIONS.filter((action) => action !== 'continue');

/** One event of one host. */
export interface HostRow {
  readonly event: EventKind;
  /** The host's own names for it. */
  readonly native: readonly string[];
  readonly support: Support;
  /** What the row is called: the event, and the host's own one where it is unlike others of its kind. */
  readonly titles: readonly string[];
}

/** The events of a host, in the order of a turn. */
export function hostRows(host: Host, version: string | undefined): readonly HostRow[] {
  const supports = host.supports(version);
  return EVENT_KINDS.flatMap((event) => {
    const support = supports[event];
    if (support === undefined) return [];
    const { natives = {} } = support;
    const native = Object.keys(host.events).filter((name) => host.events[name] === event);
    return [
      { event, native: native.filter((name) => !Object.hasOwn(natives, name)), support, titles: [event] },
      ...Object.entries(natives).map(([name, other]) => ({
        event,
        native: [name],
        support: other,
        titles: [event, name],
      })),
    ];
  });
}

/** What a reader of the matrix should know. */
export function noteOf({ note, caveats = [] }: Support): string {
  const sentences = caveats.map(({ state }) => `${state.charAt(0).toUpperCase()}${state.slice(1)}`);
  return [...(note === undefined ? [] : [note]), ...new Set(sentences)].join('. ');
}

/** Strongest first, as policies combine; `continue` goes without saying unless it is all there is. */
export function listedActions({ actions }: Support): readonly Action[] {
  const listed = LISTED_ACTIONS.filter((action) => actions.includes(action));
  return listed.length === 0 ? ['continue'] : listed;
}
