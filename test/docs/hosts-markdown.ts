import type { Host } from '../../src/hosts/host.ts';
import { type Files, SCOPES } from '../../src/hosts/installation.ts';
import { KNOWN_CHANGES } from '../../src/hosts/known-changes.ts';
import { actionSpec } from '../../src/language/actions/registry.ts';
import { REWRITE_FORMS } from '../../src/language/actions/rewrite/registry.ts';
import { nearestAction } from '../../src/language/engine/degrade.ts';
import type { Action } from '../../src/model/action.ts';
import { CONTEXT_KEYS, type ContextKey, type EventKind } from '../../src/model/event.ts';
import {
  type HostRow,
  hostRows,
  LISTED_ACTIONS,
  listedActions,
  noteOf,
} from '../../src/tools/report/host-text.ts';

/**
 * What hosts can do as tables for the documentation: on which events each carries out which action, and of each its events
 * and what actions become there. Ends with a line break.
 */
export function hostsMarkdown(hosts: readonly Host[]): string {
  const sections = [overview(hosts)];
  for (const host of hosts) {
    const rows = hostRows(host, undefined);
    sections.push(`## ${host.title}`, eventsOf(rows), contextOf(rows), outcomesOf(rows));
  }
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

const NOTHING = '–';

function overview(hosts: readonly Host[]): string {
  const rows = hosts.map((host) => {
    const supports = hostRows(host, undefined);
    const cells = LISTED_ACTIONS.map((action) =>
      codes([
        ...new Set(
          supports.filter(({ support }) => support.actions.includes(action)).map(({ event }) => event),
        ),
      ]),
    );
    return [host.title, ...cells, 'refused', host.facts];
  });
  return table(['agent', ...LISTED_ACTIONS.map(code), 'hook gone', 'facts'], rows);
}

function eventsOf(rows: readonly HostRow[]): string {
  const titles = ['event', 'by the agent', 'actions', 'rewrites', 'beside', 'model', 'note'];
  return table(
    titles,
    rows.map(({ event, native, support }) => [
      code(event),
      codes(native),
      codes(listedActions(support)),
      codes(support.rewrites),
      codes(support.beside),
      support.model,
      noteOf(support),
    ]),
  );
}

function contextOf(rows: readonly HostRow[]): string {
  const keysByLack = new Map<string, ContextKey[]>();
  for (const key of CONTEXT_KEYS) {
    const lacking = rows.filter(({ support }) => !support.context.includes(key));
    if (lacking.length === rows.length) continue;
    const lack = codes([...new Set(lacking.map(({ event }) => event))]);
    keysByLack.set(lack, [...(keysByLack.get(lack) ?? []), key]);
  }
  const parts = [...keysByLack].map(([lack, keys]) =>
    lack === NOTHING ? `Every event has the context ${codes(keys)}` : `all but ${lack} have ${codes(keys)}`,
  );
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

/** What an action of a policy becomes, where the language has it on that event. */
function outcomesOf(rows: readonly HostRow[]): string {
  const cells = rows.map((row) => [
    codes(row.titles),
    ...LISTED_ACTIONS.map((action) => outcomeOf(row, action)),
  ]);
  const acting = cells.filter(([, ...outcomes]) => outcomes.some((outcome) => outcome !== NOTHING));
  return acting.length === 0 ? '' : table(['a policy says', ...LISTED_ACTIONS.map(code)], acting);
}

function outcomeOf({ event, support }: HostRow, action: Action): string {
  if (!actionSpec(action).events.includes(event)) return NOTHING;
  const missing = REWRITE_FORMS.filter(
    ({ key, events }) => events.includes(event) && !support.rewrites.includes(key),
  ).map(({ key }) => key);
  const atBest = nearestAction({ action, rewrites: [] }, support, true);
  const atWorst = nearestAction({ action, rewrites: action === 'modify' ? missing : [] }, support, false);
  return atBest === atWorst
    ? outcomeText(atBest, action)
    : `${outcomeText(atBest, action)}, else ${outcomeText(atWorst, action)}`;
}

function outcomeText(becomes: Action, wanted: Action): string {
  if (becomes === wanted) return 'yes';
  return becomes === 'continue' && wanted !== 'approve' ? 'logged only' : code(becomes);
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

function codes(words: readonly string[]): string {
  return words.length === 0 ? NOTHING : words.map(code).join(' ');
}

function code(text: string): string {
  return `\`${text}\``;
}

/** What has changed in newer versions of agents. */
export function agentChanges(hosts: readonly Host[]): string {
  const rows = KNOWN_CHANGES.map(({ host, since, seen, what }) => [
    hosts.find(({ name }) => name === host)?.title ?? '',
    since,
    what,
    seen,
  ]);
  return table(['agent', 'since', 'what has changed', 'seen on'], rows);
}

/** What shows that an agent is here, and the file of each scope that `policy install` writes. */
export async function agentPlaces(hosts: readonly Host[]): Promise<string> {
  const [home, project] = ['/home/me', '/project'];
  const machine = { env: {}, home, project };
  const shown = (path: string) => code(path.replace(home, '~').replace(`${project}/`, ''));
  const rows = hosts.map(async (host) => {
    const { folder, programs, places, choose } = await host.installation();
    const nothing: Files = { text: () => undefined, names: () => [], isFolder: () => false };
    const files = SCOPES.map((scope) => {
      const found = places(scope, machine);
      const [first = ''] = found;
      return found.length === 0 ? NOTHING : shown(choose?.(found, nothing, undefined).path ?? first);
    });
    const found = [shown(folder(machine)), ...programs.map(code)].join(', ').replace(/, ([^,]*)$/, ' or $1');
    return [host.title, `${found} on the path`, ...files];
  });
  const titles = ['agent', 'found by', 'file with `--user` (the default)', '`--project`', '`--system`'];
  return table(titles, await Promise.all(rows));
}

/** What agents can do at a glance: a tick where some event carries it out. Agents that can do the same share a row. */
export function agentTicks(hosts: readonly Host[]): string {
  const ticks = (host: Host): readonly string[] => {
    const supports = host.supports(undefined);
    const can = (kinds: readonly EventKind[], actions: readonly Action[]) =>
      kinds.some((kind) => supports[kind]?.actions.some((action) => actions.includes(action)))
        ? '✓'
        : NOTHING;
    return [
      can(['before_tool', 'approve_tool'], ['ask']),
      can(['before_tool', 'approve_tool'], ['approve']),
      can(['before_tool'], ['modify']),
      can(['after_tool'], ['modify', 'deny']),
      can(['before_prompt', 'before_llm'], ['deny', 'hard_abort', 'abort_turn']),
      can(['after_turn'], ['retry_feedback']),
    ];
  };
  const count = (row: readonly string[]) => row.filter((tick) => tick !== NOTHING).length;
  const rows = [...Map.groupBy(hosts, (host) => ticks(host).join(' '))]
    .map(([key, alike]) => [alike.map(({ title }) => title).join(', '), ...key.split(' ')])
    .sort((a, b) => count(b) - count(a));
  return table(
    ['agent', 'ask', 'approve', 'rewrite', 'hide results', 'stop prompts', 'send back to work'],
    rows,
  );
}
