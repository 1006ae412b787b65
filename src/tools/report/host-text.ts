import { DOCUMENTED_START } from '../../hosts/clean-start.ts';
import type { Host, Support } from '../../hosts/host.ts';
import type { JsonObject } from '../../lib/json.ts';
import { ACTIONS, type Action } from '../../model/action.ts';
import { EVENT_KINDS, type EventKind } from '../../model/event.ts';
import { alignColumns } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';

/** All that is known of one host, for people. Ends with a line break. */
export function hostText(host: Host, version: string | undefined, paint: Paint): string {
  const blocks = hostRows(host, version).map(({ event, native, support }) => {
    const facts = [
      ['actions', listedActions(support).join(' ')],
      ['rewrites', support.rewrites.join(' ')],
      ['beside', support.beside.join(' ')],
      ['context', support.context.join(' ')],
      ['model', support.model],
      ['note', noteOf(support)],
    ].filter(([, fact]) => fact !== '');
    return [`${paint.bold(event)}  ${native.join(', ')}`, ...indented(alignColumns(facts))].join('\n');
  });
  const started = [
    paint.bold('hook'),
    ...indented([JSON.stringify(host.hookConfiguration({ ...DOCUMENTED_START, version }))]),
  ].join('\n');
  return `${[titleOf(host, paint), started, ...blocks].join('\n\n')}\n`;
}

/** The same as data: `policy docs hosts --json`. */
export function hostsJson(hosts: readonly Host[], version: string | undefined): JsonObject {
  return { hosts: hosts.map((host) => hostJson(host, version)) };
}

function titleOf({ name, title, versions }: Host, paint: Paint): string {
  const known = versions.length === 0 ? '' : `  versions ${versions.join(', ')}`;
  return `${paint.bold(name)}  ${title}${paint.dim(known)}`;
}

function hostJson(host: Host, version: string | undefined): JsonObject {
  return {
    name: host.name,
    title: host.title,
    framing: host.framing,
    versions: host.versions,
    hook_gone: 'refused',
    facts: host.facts,
    timeout_ms: host.timeoutS(undefined) * 1_000,
    hook: host.hookConfiguration({ ...DOCUMENTED_START, version }),
    events: hostRows(host, version).map(({ event, native, support }) => ({
      event,
      native,
      actions: ACTIONS.filter((action) => support.actions.includes(action)),
      rewrites: support.rewrites,
      beside: support.beside,
      context: support.context,
      model: support.model,
      note: noteOf(support) || null,
    })),
  };
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`.trimEnd());
}

/** The actions worth a column: everything can `continue`. */
export const LISTED_ACTIONS: readonly Action[] = ACTIONS.filter((action) => action !== 'continue');

export interface HostRow {
  readonly event: EventKind;
  /** The host's own names for it. */
  readonly native: readonly string[];
  readonly support: Support;
  /** The title of the row: the event, and the host's own one if it is unlike others of its kind. */
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

/** Facts that a reader of the matrix should know. */
export function noteOf({ note, caveats = [] }: Support): string {
  const sentences = caveats.map(({ state }) => `${state.charAt(0).toUpperCase()}${state.slice(1)}`);
  return [...(note === undefined ? [] : [note]), ...new Set(sentences)].join('. ');
}

/** Strongest first, as policies combine; `continue` goes without saying unless it is all there is. */
export function listedActions({ actions }: Support): readonly Action[] {
  const listed = LISTED_ACTIONS.filter((action) => actions.includes(action));
  return listed.length === 0 ? ['continue'] : listed;
}
