import { stateFolderPath } from '../../../hook/state/state-folder.ts';
import { isKeyName } from '../../../hosts/clean-start.ts';
import { ConfigurationProblem } from '../../../hosts/configuration-problem.ts';
import { OWN } from '../../../hosts/guards.ts';
import { type Host, isMeasured } from '../../../hosts/host.ts';
import {
  finding,
  type HookFinding,
  type Inspection,
  type InstalledHook,
  type Machine,
  note,
  oncePerMessage,
  REINSTALL,
} from '../../../hosts/installation.ts';
import { hasEvent, takesEvent } from '../../../hosts/late-events.ts';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import { takenIds } from '../../../language/policy/compile/taken-ids.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { type Diagnostic, errorsIn } from '../../../model/diagnostic.ts';
import { EVENT_KINDS, type EventKind } from '../../../model/event.ts';
import type { Program } from '../../../model/policy.ts';
import { readDecisionLog } from '../../log/read-log.ts';
import { createTallier } from '../../log/tally.ts';
import { countOf } from '../../report/layout/quantity.ts';
import { isInstalledFile } from '../install/file-digest.ts';
import type { FoundHost } from '../install/found-hosts.ts';
import type { InstallStore } from '../install/install-store.ts';
import { kindsFor } from '../install/kinds-for.ts';
import { FILES, findOnPath } from '../install/machine.ts';
import { hostVersion, newerHostNote } from '../install/newer-host.ts';
import type { OwnLine } from '../install/own-line.ts';
import { judgeKeysOf } from '../install/plan.ts';
import { runCanary } from './canary.ts';
import { examineLine } from './examine-line.ts';
import { guardedFiles, loadedCodeNotes } from './guarded-files.ts';
import { playGemini } from './play-gemini.ts';
import { isOfWorkspace } from './start-problem.ts';
import { type GuardedPath, writableFindings } from './writable.ts';

/** Before so many calls nobody can say that a policy is for nothing. */
const MIN_DECISIONS = 100;

export interface Examination {
  readonly host: Host;
  readonly hooks: readonly InstalledHook[];
  /** How long its hook took to answer; undefined if there is none. */
  readonly elapsedMs: number | undefined;
  readonly findings: readonly HookFinding[];
}

export interface DoctorContext {
  readonly machine: Machine;
  readonly compiled: CompiledFiles;
  readonly store: InstallStore;
  /** The digest of a program, which takes long: most hosts start the same one. */
  readonly digestOf: (path: string) => string;
  /** True if the host itself is to play, where it can. */
  readonly play: boolean;
}

/** Hosts that play without a person and without a model. */
const PLAYS: Readonly<Record<string, typeof playGemini>> = { gemini: playGemini };

/** Reads a host's configuration as the host would, and starts its hooks as it would. */
export async function examine(
  found: FoundHost,
  { machine, compiled, store, digestOf, play }: DoctorContext,
): Promise<Examination> {
  const { host, installation } = found;
  const release = await hostVersion(found, machine);
  const inspection = inspect(() => installation.inspect(machine, FILES, release));
  const { hooks } = inspection;
  const findings: HookFinding[] = [
    ...inspection.findings,
    ...switchedOff(host, machine),
    ...loadedCodeNotes(host.guards, machine),
  ];
  if (hooks.length === 0 && findings.every(({ code }) => code !== 'configuration')) {
    findings.push(finding('not-installed', `${host.title} runs no hook of this program`, REINSTALL));
  }
  let elapsedMs: number | undefined;
  if (hooks.length > 0)
    findings.push(
      ...eventFindings(found, hooks, release, [
        ...installation.guarding,
        ...kindsFor(compiled.program, host),
      ]),
    );
  const hasOwn = hooks.some(({ path }) => !isOfWorkspace(path, machine));
  for (const hook of hooks) {
    const line = examineLine(hook, host, machine, store, hasOwn, judgeKeysOf(compiled.program));
    findings.push(...line.findings);
    if (line.startable === undefined) continue;
    findings.push(...keyFindings(hook, line.startable.line, compiled.program, host));
    const canary = await runCanary(host, installation, hook, line.startable, machine);
    elapsedMs = Math.max(elapsedMs ?? 0, canary.elapsedMs);
    findings.push(...canary.findings);
  }
  // The hooks of a file start one program as a rule, which takes long to read.
  for (const hook of new Map(hooks.map((each) => [`${each.path}\n${each.program}`, each])).values())
    findings.push(...recordFindings(hook, store, digestOf));
  if (play && hooks.length > 0) findings.push(...((await PLAYS[host.name]?.(installation, machine)) ?? []));
  const newer = newerHostNote(found, release);
  if (newer !== undefined) findings.push(newer);
  if (hooks.length > 0 && !isMeasured(host)) findings.push(unprovenNote(host));
  return { host, hooks, elapsedMs, findings: oncePerMessage(findings) };
}

/** A judge whose key the hook does not get refuses each of its calls. */
function keyFindings(
  { path }: InstalledHook,
  { isClean, passed, variables }: OwnLine,
  program: Program,
  { framing }: Host,
): readonly HookFinding[] {
  if (!isClean) return [];
  const missing = judgeKeysOf(program).filter(
    (name) => !passed.includes(name) && !Object.hasOwn(variables, name),
  );
  return missing.map((name) => {
    const message = `The hook of ${path} does not get ${name}, with which a judge is asked`;
    // No shell starts the hook of the others, so there is nothing that puts a value in.
    const passes = framing === 'document' ? REINSTALL : `write ${name}=VALUE behind env -i in it`;
    const fix = isKeyName(name)
      ? passes
      : `rename it in api_key_env or password_env so that it ends in KEY, TOKEN, PASSWORD or SECRET, then ${REINSTALL}`;
    return finding('judge-key', message, fix);
  });
}

/** The hook is started as the agent would; nobody has seen that the agent acts as its documents say. */
function unprovenNote({ title }: Host): HookFinding {
  const message = `what ${title} does with an answer is known from its documents, and not proven`;
  return note('from-documents', message, 'ask it to write a file .policy/try.yaml: the hook must refuse');
}

/** Findings about the policies, and about who may write to the guards of any agent. */
export function examineCommon(
  examinations: readonly Examination[],
  circumstances: DoctorContext,
): readonly HookFinding[] {
  const { machine, compiled } = circumstances;
  const [first] = errorsIn(compiled.diagnostics);
  const found: HookFinding[] = [];
  if (first !== undefined) {
    const message = `${first.position.file}:${first.position.line} is not a valid policy, so calls are refused`;
    found.push(finding('policies', message, 'policy check says what is wrong'));
  }
  for (const { message, hint = '' } of compiled.diagnostics.filter(isStaleWarning))
    found.push(finding('stale', message, hint));
  for (const { message, hint = '' } of takenIds(compiled)) found.push(note('taken-ids', message, hint));
  const guarded = (what: string, paths: readonly string[]) =>
    paths.map((path): GuardedPath => ({ what, path }));
  const programs = examinations.flatMap(({ hooks }) => hooks.map(({ program }) => program));
  const configurations = examinations.flatMap(({ host }) => guardedFiles(host.guards, machine));
  const writable = writableFindings([
    ...guarded('the program', programs),
    ...guarded('the configuration', configurations),
    ...guarded('a policy', [...compiled.inForce, ...guardedFiles(OWN.policies, machine)]),
    ...guarded('the state', [stateFolderPath(machine.env)]),
  ]);
  return oncePerMessage([...found, ...writable, ...idleNotes(circumstances)]);
}

/** An error refuses every call, and is shown as one. */
function isStaleWarning({ code, severity }: Diagnostic): boolean {
  return code === 'stale' && severity === 'warning';
}

/** Policies of your own that have matched nothing since the log begins. */
function idleNotes({ machine, compiled }: DoctorContext): readonly HookFinding[] {
  const folder = stateFolderPath(machine.env);
  if (!FILES.isFolder(folder)) return [];
  const tallier = createTallier();
  readDecisionLog(folder, tallier.add);
  const { decisions, first = '', policies } = tallier.result();
  if (decisions < MIN_DECISIONS) return [];
  const seen = new Set(policies.map(({ id }) => id));
  const idle = compiled.program.rules.filter(({ layer, id }) => layer !== 'builtin' && !seen.has(id));
  if (idle.length === 0) return [];
  const message = `${countOf(decisions, 'decision')} since ${first.slice(0, 10)} and no match: ${idle.map(({ id }) => id).join(', ')}`;
  return [note('never-matched', message, 'policy explain shows how a matching call is judged')];
}

/** Variables of the adapter's table with which the agent runs no hook. */
function switchedOff({ title, guards }: Host, { env }: Machine): readonly HookFinding[] {
  return (guards.escapes?.off ?? [])
    .filter((name) => (env[name] ?? '') !== '')
    .map((name) =>
      finding('hooks-off', `${title} runs no hook where ${name} is set`, 'take it out of the environment'),
    );
}

function inspect(action: () => Inspection): Inspection {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ConfigurationProblem)) throw error;
    return { hooks: [], findings: [finding('configuration', messageOf(error), 'fix the file')] };
  }
}

/** Events that calls need to be guarded, or policies to be asked. */
function eventFindings(
  { host, installation: { late } }: FoundHost,
  hooks: readonly InstalledHook[],
  release: string | undefined,
  needed: readonly EventKind[],
): readonly HookFinding[] {
  const names = new Set(hooks.flatMap(({ events }) => events));
  const kinds = new Set([...names].map((name) => host.events[name]));
  const supported = host.supports(hooks[0]?.version);
  const missing: readonly string[] = [
    ...EVENT_KINDS.filter(
      (kind) => needed.includes(kind) && supported[kind] !== undefined && !kinds.has(kind),
    ),
    // Older events of a kind do not make up for those that came late.
    ...Object.keys(late?.since ?? {}).filter(
      (name) =>
        needed.some((kind) => kind === host.events[name]) &&
        hasEvent(late, name, release) &&
        !names.has(name),
    ),
  ];
  const breaking = [...names].filter((name) => !takesEvent(late, name, release));
  return [
    ...(missing.length === 0
      ? []
      : [
          finding(
            'events',
            `${host.title} does not ask about ${missing.join(', ')}, which guarding calls or your policies need`,
            REINSTALL,
          ),
        ]),
    ...(breaking.length === 0
      ? []
      : [
          finding(
            'events',
            `${host.title} ${release} does not know ${breaking.join(', ')}, and ignores the whole file because of it`,
            `update ${host.title}, or ${REINSTALL}`,
          ),
        ]),
  ];
}

function recordFindings(
  { path, program }: InstalledHook,
  store: InstallStore,
  digestOf: DoctorContext['digestOf'],
): readonly HookFinding[] {
  const record = store.find(path);
  if (record === undefined) return [];
  const at = program.startsWith('/') ? program : findOnPath(program, {});
  if (at !== record.program) {
    const message = `${path} starts "${program}", while policy install has written "${record.program}"`;
    return [finding('program-changed', message, REINSTALL)];
  }
  try {
    if (isInstalledFile(record, at) || digestOf(at) === record.programDigest) return [];
    const message = `${at} is not the program that was installed`;
    return [finding('program-changed', message, `if you have updated it yourself, ${REINSTALL}`)];
  } catch (error) {
    return [finding('program-missing', `${at} cannot be read: ${messageOf(error)}`, REINSTALL)];
  }
}
