import type { Proof } from '../../compare/proof.ts';
import type { HostCount } from '../../log/history.ts';
import { html, htmlTable } from '../layout/html.ts';
import { grouped, timeText } from '../layout/quantity.ts';

export interface LocalAgent {
  readonly name: string;
  readonly title: string;
  /** Undefined if its configuration cannot be read. */
  readonly hasHook: boolean | undefined;
  /** Undefined if it does not say. */
  readonly version: string | undefined;
  /** The proof in its sessions of the last days; undefined if there are none that can be read. */
  readonly proof: Proof | undefined;
  /** The calls that went past the hook, and the unknown facts of its sessions. */
  readonly notes: readonly string[];
}

/** Each agent that is here or in the log: whether its hook is there, its version, and when it last asked. */
export function guardedHtml(agents: readonly LocalAgent[], hosts: readonly HostCount[]): readonly string[] {
  const counts = new Map(hosts.map((host) => [host.name, host]));
  const others = hosts.filter(({ name }) => agents.every((agent) => agent.name !== name));
  const rows = [
    ...agents.map(({ name, title, hasHook, version, proof }) => [
      html(title),
      hookText(hasHook),
      html(version ?? 'not known'),
      proofCell(proof),
      ...countCells(counts.get(name)),
    ]),
    ...others.map((host) => [
      html(host.name),
      mark('unknown', 'not found here'),
      'not known',
      proofCell(undefined),
      ...countCells(host),
    ]),
  ];
  return [
    htmlTable(
      [
        'Agent',
        'Hook',
        'Version',
        'Judged in 7 days',
        'Last call (UTC)',
        { number: 'Calls' },
        { number: 'Refused' },
      ],
      rows,
      'No agent is found here, and none is in the log',
    ),
    ...agents.flatMap(({ notes }) => notes.map((note) => `<p>${html(note)}</p>`)),
    '<p class="dim"><code>policy doctor</code> runs each hook and says what keeps it from guarding.</p>',
  ];
}

/** A cell with the proof of a host. If the host does not name its calls, only their number is known. */
function proofCell(proof: Proof | undefined): string {
  if (proof === undefined) return mark('unknown', 'not known');
  const { judged, calls, byCall, bypasses } = proof;
  const numbers = `${grouped(judged)} of ${grouped(calls)} calls`;
  if (judged < calls || bypasses.length > 0) return mark('bad', numbers);
  return byCall ? mark('good', numbers) : mark('unknown', `${numbers}, by number`);
}

function hookText(hasHook: boolean | undefined): string {
  if (hasHook === undefined) return mark('unknown', 'its configuration cannot be read');
  return hasHook ? mark('good', 'installed') : mark('bad', 'not installed: run policy install');
}

function mark(kind: 'good' | 'bad' | 'unknown', text: string): string {
  const sign = { good: '✓', bad: '✗', unknown: '?' }[kind];
  return `<span class="${kind === 'unknown' ? 'dim' : kind}">${sign} ${html(text)}</span>`;
}

function countCells(host: HostCount | undefined): readonly string[] {
  if (host === undefined) return ['<span class="bad">never</span>', '0', '0'];
  return [
    `<span class="when">${html(timeText(host.last))}</span>`,
    grouped(host.decisions),
    grouped(host.refused),
  ];
}
