import type { Host, Support } from '../hosts/host.ts';
import type { JsonObject } from '../lib/json.ts';
import { ACTIONS, type Action } from '../model/action.ts';
import { EVENT_KINDS, type EventKind } from '../model/event.ts';
import { alignColumns } from './columns.ts';
import type { Paint } from './paint.ts';

/** Version of the JSON shape; grows when a key changes its meaning or goes away. */
const VERSION = 1;

/** The actions worth a column: everything can `continue`. */
const LISTED = ACTIONS.filter((action) => action !== 'continue');

/** One event of one host. */
interface Row {
  readonly event: EventKind;
  /** The host's own names for it. */
  readonly native: readonly string[];
  readonly support: Support;
}

/** Which actions each host has on each event, for people. Ends with a line break. */
export function hostsText(hosts: readonly Host[], paint: Paint): string {
  return `${hosts.map((host) => matrixText(host, paint)).join('\n\n')}\n`;
}

/** All that is known of one host, for people. Ends with a line break. */
export function hostText(host: Host, version: string | undefined, paint: Paint): string {
  const blocks = rowsOf(host, version).map(({ event, native, support }) => {
    const facts = [
      ['actions', actionsOf(support).join(' ')],
      ['rewrites', support.rewrites.join(' ')],
      ['beside', support.beside.join(' ')],
      ['context', support.context.join(' ')],
      ['model', support.model],
      ['note', support.note ?? ''],
    ].filter(([, fact]) => fact !== '');
    return [`${paint.bold(event)}  ${native.join(', ')}`, ...indented(alignColumns(facts))].join('\n');
  });
  return `${[titleOf(host, paint), ...blocks].join('\n\n')}\n`;
}

/** The same as data: `policy hosts --json`. */
export function hostsJson(hosts: readonly Host[], version: string | undefined): JsonObject {
  return { version: VERSION, hosts: hosts.map((host) => hostJson(host, version)) };
}

/** The same as tables for the documentation. Ends with a line break. */
export function hostsMarkdown(hosts: readonly Host[], version: string | undefined): string {
  return `${[overview(hosts, version), ...hosts.map((host) => hostMarkdown(host, version))].join('\n\n')}\n`;
}

function rowsOf(host: Host, version: string | undefined): readonly Row[] {
  const supports = host.supports(version);
  return EVENT_KINDS.flatMap((event) => {
    const support = supports[event];
    const native = Object.keys(host.events).filter((name) => host.events[name] === event);
    return support === undefined ? [] : [{ event, native, support }];
  });
}

/** Strongest first, as policies combine; `continue` goes without saying unless it is all there is. */
function actionsOf({ actions }: Support): readonly Action[] {
  const listed = LISTED.filter((action) => actions.includes(action));
  return listed.length === 0 ? ['continue'] : listed;
}

function matrixText(host: Host, paint: Paint): string {
  const titles = ['event', ...LISTED].map(paint.dim);
  const rows = rowsOf(host, undefined).map(({ event, support }) => [
    event,
    ...LISTED.map((action) => centred(support.actions.includes(action) ? 'x' : '·', action.length)),
  ]);
  return [titleOf(host, paint), ...indented(alignColumns([titles, ...rows]))].join('\n');
}

function titleOf({ name, title, versions }: Host, paint: Paint): string {
  const known = versions.length === 0 ? '' : `  versions ${versions.join(', ')}`;
  return `${paint.bold(name)}  ${title}${paint.dim(known)}`;
}

function centred(mark: string, width: number): string {
  return ' '.repeat(Math.floor((width - 1) / 2)) + mark;
}

function hostJson(host: Host, version: string | undefined): JsonObject {
  return {
    name: host.name,
    title: host.title,
    framing: host.framing,
    versions: host.versions,
    timeout_s: host.timeoutS(undefined),
    events: rowsOf(host, version).map(({ event, native, support }) => ({
      event,
      native,
      actions: ACTIONS.filter((action) => support.actions.includes(action)),
      rewrites: support.rewrites,
      beside: support.beside,
      context: support.context,
      model: support.model,
      note: support.note ?? null,
    })),
  };
}

function overview(hosts: readonly Host[], version: string | undefined): string {
  const supports = hosts.map((host) => host.supports(version));
  const rows = EVENT_KINDS.map((event) => [
    code(event),
    ...supports.map((support) => {
      const found = support[event];
      return found === undefined ? '–' : actionsOf(found).map(code).join(' ');
    }),
  ]);
  return markdownTable(['event', ...hosts.map(({ title }) => title)], rows);
}

function hostMarkdown(host: Host, version: string | undefined): string {
  const rows = rowsOf(host, version).map(({ event, native, support }) => [
    code(event),
    native.map(code).join(' '),
    actionsOf(support).map(code).join(' '),
    orDash(support.rewrites.map(code), ' '),
    orDash(support.beside.map(code), ' '),
    support.model,
    support.note ?? '',
  ]);
  const titles = ['event', 'by the host', 'actions', 'rewrites', 'beside', 'model', 'note'];
  return `## ${host.title}\n\n${markdownTable(titles, rows)}`;
}

function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

function orDash(words: readonly string[], separator: string): string {
  return words.length === 0 ? '–' : words.join(separator);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`.trimEnd());
}
