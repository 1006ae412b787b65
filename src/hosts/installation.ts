import { isRooted } from '../lib/path/drive-path.ts';
import type { EventKind } from '../model/event.ts';
import { type HookStart, QUOTE_IN_QUOTES } from './clean-start.ts';
import { ConfigurationProblem } from './configuration-problem.ts';
import type { LateEvents } from './late-events.ts';

/** The owners of a configuration. */
export const SCOPES = ['user', 'project', 'system'] as const;
export type InstallScope = (typeof SCOPES)[number];

/** The facts about the machine that need no look at its disk. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly home: string;
  /** The project's folder, absolute. */
  readonly project: string;
}

/** Read access to the disk. */
export interface Files {
  /** The text of a file; undefined if there is none. Throws if it cannot be read. */
  readonly text: (path: string) => string | undefined;
  /** The names in a folder; empty if it does not exist. */
  readonly names: (path: string) => readonly string[];
  readonly isFolder: (path: string) => boolean;
  /** True if it exists and its owner may not execute it. */
  readonly isInert?: (path: string) => boolean;
}

/** A configuration file to write the hook to. */
export interface ConfigurationPlace {
  readonly path: string;
  /** The host's version or generation, as far as known. */
  readonly version: string | undefined;
}

/** The known releases of a host. */
export interface Release {
  /** The newest release that this adapter was made for; later last numbers count as known if it is in full. */
  readonly newest: string;
  /** The same for a program of the host whose releases are named by days. */
  readonly newestDate?: string;
  /** Arguments that print the version; by default `--version`. */
  readonly args?: readonly string[];
}

/** The wanted hook in one configuration file. */
export interface Order {
  readonly scope: InstallScope;
  readonly start: HookStart;
  /** Events that policies need, in addition to those that guard calls. */
  readonly kinds: ReadonlySet<EventKind>;
  /** The version of the host here; undefined if it is unknown. */
  readonly release: string | undefined;
  /** The disk, for edits that depend on other files. */
  readonly files: Files;
  /** Six hexadecimal digits that nobody can guess. */
  readonly digits: string;
}

/** A hook of ours, as a host would start it. */
export interface InstalledHook {
  /** The file that it is in. */
  readonly path: string;
  /** The host's own names. */
  readonly events: readonly string[];
  /** Our program, as it is written there. */
  readonly program: string;
  readonly argv: readonly string[];
  /** Variables that the host adds for this hook. */
  readonly env: Readonly<Record<string, string>>;
  /** How long the host waits, in milliseconds. */
  readonly timeoutMs: number;
  readonly version: string | undefined;
}

/** A reason why a hook does not guard, with the remedy. Both are clauses without a final period. */
export interface HookFinding {
  /** `note`: worth knowing, and no fault. */
  readonly severity: 'finding' | 'note';
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

/** The parts of a host's configuration that `policy doctor` reads. */
export interface Inspection {
  readonly hooks: readonly InstalledHook[];
  readonly findings: readonly HookFinding[];
}

/** The output of a hook that was started. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
}

export type AnswerEffect = 'refused' | 'passes';

/** The configuration of a host: places, texts and hooks. Reads the disk by parameters only; throws `ConfigurationProblem`. */
export interface Installation {
  /** Programs that start the host. */
  readonly programs: readonly string[];
  readonly release: Release;
  /** Kinds of events that are always needed, to guard calls and results. */
  readonly guarding: readonly EventKind[];
  /** Events that only some versions have; absent if all versions have all. */
  readonly late?: LateEvents;
  /** A folder that exists once the host has been used. */
  readonly folder: (machine: Machine) => string;
  /** Every file that may hold the hook; empty if the host does not have the scope. */
  readonly places: (scope: InstallScope, machine: Machine) => readonly string[];
  /** Further files that the host needs, with their texts, by their path from the folder of the hook's file. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The place to write to; by default the first one. */
  readonly choose?: (
    places: readonly string[],
    files: Files,
    version: string | undefined,
  ) => ConfigurationPlace;
  /**
   * The text with the hook in it.
   *
   * @param base the text without it; undefined for no file
   * @param current the text as it is, from which a name is kept
   */
  readonly edit: (
    base: string | undefined,
    current: string | undefined,
    order: Order,
    machine: Machine,
  ) => string;
  /** The text without our hooks; undefined if nothing remains. */
  readonly strip: (text: string) => string | undefined;
  /** Reads the configuration of the hook on this machine, as the host does. */
  readonly inspect: (machine: Machine, files: Files, release?: string) => Inspection;
  /** The whole input that the host would send to a started hook for this message; by default the message. */
  readonly input?: (message: string) => string;
  readonly read: (answer: HookAnswer, hook: InstalledHook) => AnswerEffect;
}

/** The program that a shell line starts as this host's hook; undefined if the line is not ours. */
export function programIn(line: string, host: string): string | undefined {
  const [, quoted, single, plain] =
    new RegExp(`(?:"([^"]+)"|'([^']+)'|([^\\s"'$()]+)) hook --host ${host}(?![\\w-])`).exec(line) ?? [];
  return (quoted ?? single ?? plain)?.replaceAll(QUOTE_IN_QUOTES, "'");
}

/** True if a text starts this program as the hook of another host. */
export function startsHookOfOthers(text: string, host: string): boolean {
  return [...text.matchAll(/ hook --host ([\w-]+)/g)].some(([, name]) => name !== host);
}

/** The host's names of the events for the hook: those that guard calls and those that policies need. */
export function askedEvents(
  events: Readonly<Record<string, EventKind>>,
  guarding: readonly EventKind[],
  kinds: ReadonlySet<EventKind>,
): readonly string[] {
  return Object.entries(events)
    .filter(([, kind]) => guarding.includes(kind) || kinds.has(kind))
    .map(([event]) => event);
}

export function shellHook(
  host: string,
  line: string,
  hook: Pick<InstalledHook, 'path' | 'events' | 'timeoutMs'> & Partial<InstalledHook>,
): InstalledHook {
  const program = programIn(line, host) ?? '';
  return { program, argv: ['sh', '-c', line], env: {}, version: undefined, ...hook };
}

/** Merges hooks with the same line, which many configurations list once for each event. */
export function oncePerLine(hooks: readonly InstalledHook[]): readonly InstalledHook[] {
  const byLine = new Map<string, InstalledHook>();
  for (const hook of hooks) {
    const key = JSON.stringify([hook.path, hook.argv, hook.env, hook.timeoutMs]);
    const same = byLine.get(key);
    byLine.set(key, same === undefined ? hook : { ...same, events: [...same.events, ...hook.events] });
  }
  return [...byLine.values()];
}

/** The value of an option in one of our command lines. */
export function lineOption(line: string, name: string): string | undefined {
  return new RegExp(`--${name}[ =]([^\\s'"();]+)`).exec(line)?.[1];
}

/**
 * Reads and parses a file.
 *
 * @throws ConfigurationProblem that names the file
 */
export function readBy<T>(path: string, files: Files, parse: (text: string | undefined) => T): T {
  try {
    return parse(files.text(path));
  } catch (error) {
    if (!(error instanceof ConfigurationProblem)) throw error;
    throw new ConfigurationProblem(`Cannot use "${path}": ${error.message}`);
  }
}

/** Reads a file of others; empty if it cannot be read. */
export function readForeignText(path: string, files: Files): string {
  try {
    return files.text(path) ?? '';
  } catch (error) {
    if (error instanceof ConfigurationProblem) return '';
    throw error;
  }
}

/** A reason why a hook does not guard. */
export function finding(code: string, message: string, fix: string): HookFinding {
  return { severity: 'finding', code, message, fix };
}

/** A finding worth knowing that is no fault. */
export function note(code: string, message: string, fix: string): HookFinding {
  return { severity: 'note', code, message, fix };
}

/** Removes repeated faults of a hook that a file starts on several events. */
export function oncePerMessage(findings: readonly HookFinding[]): readonly HookFinding[] {
  return [...new Map(findings.map((each) => [each.message, each])).values()];
}

/** Findings about the line that starts a hook, and about the host's timeout. */
export function lineFindings(
  { path, program, argv, timeoutMs }: InstalledHook,
  usualTimeoutS: number,
): readonly HookFinding[] {
  const found: HookFinding[] = [];
  if (!isRooted(program))
    found.push(
      finding('relative-path', `${path} starts "${program}", which is not an absolute path`, REINSTALL),
    );
  const expectedS = Number(lineOption(argv.join(' '), 'host-timeout') ?? usualTimeoutS);
  if (!(timeoutMs >= expectedS * 1_000)) {
    const message = `${path} ends the hook after ${timeoutMs} ms, while the hook counts on ${expectedS} s`;
    found.push(finding('timeout', message, REINSTALL));
  }
  return found;
}

/** The fix that `policy doctor --fix` carries out. */
export const REINSTALL = 'run policy install';
