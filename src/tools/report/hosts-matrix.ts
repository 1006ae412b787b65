import { DOCUMENTED_START } from '../../hosts/clean-start.ts';
import type { Host } from '../../hosts/host.ts';
import type { JsonObject } from '../../lib/json.ts';
import { ACTIONS } from '../../model/action.ts';
import { alignColumns } from './columns.ts';
import { displayWidth } from './display-width.ts';
import { hostRows, LISTED_ACTIONS, listedActions, noteOf } from './host-rows.ts';
import type { Paint } from './paint.ts';
import { wrapText } from './wrap-text.ts';

/** Version of the JSON shape; grows when a key changes its meaning or goes away. */
const VERSION = 1;

/** Which actions each host has on each event, for people. Ends with a line break. */
export function hostsText(hosts: readonly Host[], paint: Paint): string {
  return `${hosts.map((host) => matrixText(host, paint)).join('\n\n')}\n`;
}

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

/** The same as data: `policy hosts --json`. */
export function hostsJson(hosts: readonly Host[], version: string | undefined): JsonObject {
  return { version: VERSION, hosts: hosts.map((host) => hostJson(host, version)) };
}

function matrixText(host: Host, paint: Paint): string {
  const head = ['event', ...LISTED_ACTIONS].map(paint.dim);
  const rows = hostRows(host, undefined).map(({ titles, support }) => [
    titles.join(' '),
    ...LISTED_ACTIONS.map((action) => centred(support.actions.includes(action) ? 'x' : '·', action.length)),
  ]);
  const wide = indented(alignColumns([head, ...rows]));
  const { columns = Number.POSITIVE_INFINITY } = paint;
  const isNarrow = wide.some((line) => displayWidth(line) > columns);
  return [titleOf(host, paint), ...(isNarrow ? actionLines(host, columns) : wide)].join('\n');
}

/** Each event with the words of its actions, for terminals that have no room for a column of each. */
function actionLines(host: Host, columns: number): readonly string[] {
  const rows = hostRows(host, undefined).map(({ titles, support }) => [
    titles.join(' '),
    listedActions(support).join(' '),
  ]);
  const indent = ' '.repeat(Math.max(...rows.map(([event = '']) => event.length)) + 4);
  return indented(alignColumns(rows)).flatMap((line) => wrapText(line, columns, indent));
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
    hook_gone: host.facts.hookGone,
    facts: host.facts.from,
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
