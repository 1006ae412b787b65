import { isOfWindows } from '../../../hosts/clean-start.ts';
import type { Host } from '../../../hosts/host.ts';
import {
  finding,
  type HookFinding,
  type InstalledHook,
  type Machine,
  note,
  REINSTALL,
} from '../../../hosts/installation.ts';
import { sha256Hex } from '../../../lib/digest.ts';
import { isRooted } from '../../../lib/path/drive-path.ts';
import { parseArguments } from '../args.ts';
import { hook as hookCommand, hookOptions } from '../commands/hook.ts';
import type { InstallStore } from '../install/install-store.ts';
import { keptVariables } from '../install/kept-variables.ts';
import { FILES, findOnPath } from '../install/machine.ts';
import { type OwnLine, readOwnLine } from '../install/own-line.ts';
import { isOfWorkspace, isRunning, startProblem } from './start-problem.ts';

/** With these a line of the project makes the hook judge otherwise, or somebody else answer for the person. */
const WEAKENING = ['--policies', '--workspace', '--approve-with', '--interactive', '--keep-yes'];

/** A hook that may be started, without the shell and the line that its host starts it by. */
export interface StartableHook {
  readonly argv: readonly string[];
  readonly line: OwnLine;
}

/** The findings of a hook's line, and the hook to start; undefined if that is not for the doctor to start. */
export interface ExaminedLine {
  readonly findings: readonly HookFinding[];
  readonly startable: StartableHook | undefined;
}

/**
 * Reads the line of a hook. Whoever wrote it decides whether its program may be started.
 *
 * @param hasOwn true if one of the host's hooks is in a file of the user or the machine
 * @param keys the variables with the keys and passwords of judges
 */
export function examineLine(
  hook: InstalledHook,
  host: Host,
  machine: Machine,
  store: InstallStore,
  hasOwn: boolean,
  keys: readonly string[],
): ExaminedLine {
  const { path } = hook;
  const isProjects = isOfWorkspace(path, machine);
  const line = readOwnLine(hook.argv, host);
  if (line === undefined) {
    const whose = isProjects ? ' of the project' : '';
    const message = `${path} has a line${whose} that policy install does not write: it may do more than start the hook`;
    return only(finding('line', message, `look at it, then ${REINSTALL}`));
  }
  const problem = optionProblem(line);
  if (problem !== undefined)
    return only(finding('line', `${path} starts a hook that refuses every call: ${problem}`, REINSTALL));
  const kept = keptVariables(line, path, machine, keys);
  const odd = [...Object.keys(line.variables), ...line.passed].filter((name) => !Object.hasOwn(kept, name));
  if (odd.length > 0) {
    const message = `${path} gives its hook ${odd.join(', ')}, which policy install does not: it may judge by other files or ask another server`;
    return only(finding('line', message, `look at it, then ${REINSTALL}`));
  }
  const found = [...openFindings(path, line)];
  if (isProjects)
    return { findings: [...found, comparedLine(hook, line, host, store, hasOwn)], startable: undefined };
  const at = isRooted(line.program) ? line.program : findOnPath(line.program, machine.env);
  const cause = at === undefined ? 'it is not on the path' : unsafe(line.program, at, machine);
  if (cause === undefined && at !== undefined)
    return { findings: found, startable: { argv: [at, 'hook', ...probeWords(line.words)], line } };
  const message = `${path} starts "${line.program}", which policy doctor does not: ${cause}`;
  return { findings: [...found, finding('not-started', message, REINSTALL)], startable: undefined };
}

/** A call of the doctor's own is none of an agent: it is kept nowhere, and no person is asked about it. */
function probeWords(words: readonly string[]): readonly string[] {
  const asks = (word: string | undefined) => word === '--approve-with';
  const kept = words.filter(
    (word, index) => !asks(word) && !asks(words[index - 1]) && !word.startsWith('--approve-with='),
  );
  return [...kept, '--no-log'];
}

function only(found: HookFinding): ExaminedLine {
  return { findings: [found], startable: undefined };
}

function optionProblem({ words }: OwnLine): string | undefined {
  const parsed = parseArguments(words, hookCommand.options);
  return hookOptions(parsed, parsed.problem?.message ?? parsed.operands[0]).problem;
}

/** An environment that reaches the hook may say which policies to load. */
function openFindings(path: string, { isClean, program, words, variables }: OwnLine): readonly HookFinding[] {
  if (isClean || Object.hasOwn(variables, 'POLICY_PATH')) return [];
  if (words.some((word) => /^--policies(=|$)/.test(word))) return [];
  const message = `The hook of ${path} loads what the agent's environment names (POLICY_PATH)`;
  if (!isOfWindows({ program })) return [finding('environment', message, REINSTALL)];
  return [
    note(
      'environment',
      message,
      'on Windows the hook cannot remove it: make sure that nobody sets POLICY_PATH there',
    ),
  ];
}

/** A name is another program wherever the path is another. */
function unsafe(program: string, at: string, machine: Machine): string | undefined {
  if (!isRooted(program) && !isRunning(at)) return `the path leads to ${at}, which is not this program`;
  return startProblem(at, machine);
}

/** The doctor starts no line of a project: it compares it with the line that an install writes here. */
function comparedLine(
  { path }: InstalledHook,
  line: OwnLine,
  { title }: Host,
  store: InstallStore,
  hasOwn: boolean,
): HookFinding {
  const record = store.find(path);
  const isWritten = record?.written === sha256Hex([FILES.text(path) ?? '']);
  const added = line.words.find((word) =>
    WEAKENING.some((name) => word === name || word.startsWith(`${name}=`)),
  );
  const isHere = isRunning(line.program) || (record !== undefined && record.program === line.program);
  const cause = !isHere
    ? `it starts "${line.program}", which is not this program`
    : !isWritten && !line.isWritten
      ? 'it goes on where the hook fails'
      : !isWritten && added !== undefined
        ? `it has ${added}`
        : undefined;
  if (cause !== undefined) {
    const message = `${path} comes with the project, and its line is not the one that policy install writes here: ${cause}`;
    return finding('project-line', message, `${REINSTALL} (for yourself, or with --project)`);
  }
  if (hasOwn) {
    const message = `${path} comes with the project, beside a hook of your own, so a call may be judged twice`;
    return note('project-line', message, 'leave it to those without a hook, or policy uninstall --project');
  }
  const message = `${path} comes with the project, so its line was read and not started`;
  return note(
    'project-line',
    message,
    `${REINSTALL} for a hook of your own, which no change of the project removes from ${title}`,
  );
}
