import type { HookFinding } from '../../hosts/installation.ts';
import type { JsonData } from '../../lib/json.ts';
import type { Proof } from '../compare/proof.ts';
import { alignColumns } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { countOf, timeText } from './layout/quantity.ts';
import { wrapText } from './layout/wrap-text.ts';

export interface HostReport {
  readonly name: string;
  readonly title: string;
  readonly paths: readonly string[];
  readonly events: readonly string[];
  /** How long a hook took to answer, in milliseconds; undefined if none was started. */
  readonly elapsedMs: number | undefined;
  /** The proof in its sessions of the last days; undefined if there are none that can be read. */
  readonly proof: Proof | undefined;
  /** When its plugin was last loaded: ISO 8601; undefined if it has none, or was not yet. */
  readonly loaded?: string | undefined;
  readonly findings: readonly HookFinding[];
}

export interface DoctorReport {
  readonly hosts: readonly HostReport[];
  /** Findings that are not about one host. */
  readonly common: readonly HookFinding[];
}

export function faults({ hosts, common }: DoctorReport): readonly HookFinding[] {
  return [...hosts.flatMap(({ findings }) => findings), ...common].filter(
    ({ severity }) => severity === 'finding',
  );
}

/** One table, in which `~` stands for the home, and below it the findings and their remedies. Ends with a line break. */
export function doctorText(report: DoctorReport, paint: Paint, home?: string): string {
  const rows = report.hosts.map((host) => {
    const { title, paths, events, elapsedMs, proof, loaded } = host;
    const took = elapsedMs === undefined ? '' : `${Math.round(elapsedMs)} ms`;
    return [
      title,
      stateText(host, paint),
      took,
      countOf(events.length, 'event'),
      events.length === 0 ? '' : proofText(proof),
      `${paths.map((path) => inHome(path, home)).join(', ')}${loaded === undefined ? '' : `, loaded at ${timeText(loaded)} UTC`}`,
    ];
  });
  const titles = ['agent', 'state', 'answers in', 'asks about', 'calls judged', 'by'].map(paint.dim);
  // Agents that share a fault, such as another program, share its text.
  const all = [...report.hosts.flatMap(({ findings }) => findings), ...report.common];
  const listed = new Map(all.map((each) => [`${each.severity} ${each.message} ${each.fix}`, each]));
  const blocks = [...listed.values()].map(({ severity, message, fix }) => {
    const mark = severity === 'finding' ? paint.red('finding') : paint.dim('note');
    const lines = [`${mark}  ${message}`, `  ${paint.dim('fix')}  ${fix}`];
    return lines
      .flatMap((line) => wrapText(line, paint.columns ?? Number.POSITIVE_INFINITY, '    '))
      .join('\n');
  });
  const count = [...listed.values()].filter(({ severity }) => severity === 'finding').length;
  const end = count === 0 ? 'No findings' : countOf(count, 'finding');
  return `${[alignColumns([titles, ...rows], { columns: paint.columns }).join('\n'), ...blocks, end].join('\n\n')}\n`;
}

function inHome(path: string, home: string | undefined): string {
  return home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Codes of notes about unknown facts. */
const UNPROVEN: ReadonlySet<string> = new Set(['not-proven', 'from-documents']);

function stateText({ findings, proof }: HostReport, { marks, red, green, dim }: Paint): string {
  if (findings.some(({ severity }) => severity === 'finding')) return `${marks.bad}${red('not guarded')}`;
  // Only its sessions prove a host that is newer than the known versions.
  const isNewer = findings.some(({ code }) => code === 'newer-host') && proof?.byCall !== true;
  if (isNewer || findings.some(({ code }) => UNPROVEN.has(code)))
    return `${marks.unknown}${dim('not proven')}`;
  if (proof?.byCall !== true) return `${marks.good}hook works`;
  return `${marks.good}${green('guarded')}`;
}

/** The proof of a host in words. If it does not name its calls, only their number is known. */
function proofText(proof: Proof | undefined): string {
  if (proof === undefined) return 'not proven';
  const { judged, calls, byCall } = proof;
  return byCall ? `${judged} of ${calls}` : `${judged} of ${calls} by number`;
}

export function doctorJson(report: DoctorReport): JsonData {
  const found = (findings: readonly HookFinding[]) =>
    findings.map(({ severity, code, message, fix }) => ({ severity, code, message, fix }));
  return {
    hosts: report.hosts.map(({ name, paths, events, elapsedMs, proof, loaded, findings }) => ({
      host: name,
      files: paths,
      events,
      elapsed_ms: elapsedMs && Math.round(elapsedMs),
      proof: proof && proofJson(proof),
      loaded,
      findings: found(findings),
    })),
    findings: found(report.common),
  };
}

function proofJson({ sessions, calls, judged, byCall, bypasses, unknown, elsewhere }: Proof): JsonData {
  return {
    sessions,
    calls,
    judged,
    by_call: byCall,
    unknown,
    sessions_elsewhere: elsewhere,
    bypasses: bypasses.map(({ cause, calls: count, sessions: among, first: { session, tool, time } }) => ({
      cause,
      calls: count,
      sessions: among,
      first: { session, tool, time },
    })),
  };
}
