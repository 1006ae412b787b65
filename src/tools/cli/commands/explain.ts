import { resolve } from 'node:path';
import { ConfigurationProblem } from '../../../hosts/configuration-problem.ts';
import type { Host, HostSetting } from '../../../hosts/host.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import { takenIds } from '../../../language/policy/compile/taken-ids.ts';
import { kindOf } from '../../../language/policy/files/folders.ts';
import { effectiveJson, effectiveText } from '../../report/effective.ts';
import { explanationJson } from '../../report/explanation/explanation-json.ts';
import { explanationText } from '../../report/explanation/explanation-text.ts';
import { judgePromptsJson, judgePromptsText } from '../../report/explanation/judge-prompt.ts';
import { optionValue, optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { findMessage } from '../explain/find-event.ts';
import { judge } from '../explain/judge.ts';
import { type JudgedSteps, printJudgedSteps } from '../explain/judged-steps.ts';
import { hostsOn } from '../install/found-hosts.ts';
import { FILES, machineOf } from '../install/machine.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { hostOf, optionsOf, policiesOption } from '../options.ts';
import { createRepositoryLookup } from '../past/repository-lookup.ts';
import { compileFor } from '../policy-place.ts';
import { paintFor, printErrors, printJson } from '../print.ts';
import { readInput } from '../read-input.ts';

export const explain = {
  operands: '[FILE|-]',
  options: [
    ...optionsOf({
      '--host NAME':
        'The agent that sent the message; for a bare call, by default the one that is found here',
      '--host-version V': "The agent's version or generation",
    }),
    policiesOption('Use these policies instead of those found for this directory'),
    ...optionsOf({
      '-c, --command COMMAND': 'Explain this shell command',
      '--steps FILE': 'Explain the last of these steps, after those before it',
      '--session ID': 'Explain the last call of this session, after those before it',
      '--workspace DIR': "The session's directory; this one by default",
      '--interactive': 'Assume that the agent can ask a person',
      '-v, --verbose': 'Show places, times, every policy and the answer as it is sent',
      '--effective': 'Instead of a call, show every policy in force with its file, digest and values',
      '--judge': 'Show the full prompt for each judge that would be asked',
      '--json': 'Print JSON',
    }),
  ],
  details: [
    'Reads one call from a file or standard input: an agent\'s own JSON message, recognised by its shape, or a bare call. A\nbare call has tool and arguments, or prompt, messages, result or response; use "on" for another event.',
    'It stores, logs and runs nothing, and asks no judge. It knows no earlier events of a session but those in\n--steps, a YAML file with steps as in test cases (policy docs history), and those of --session, from the agent or from\nthe log if it has the messages.',
  ],
  example: [
    "$ policy explain --host gemini --command 'git push -f'",
    'deny  git-safety/no-force-push  (.policy/git.yaml:5)',
    '  because    a force push rewrites history that others have pulled.',
    '  instead    push a new branch and open a pull request.',
    '  reads as   git push -f',
    '               - sends to its configured destination',
    '  matched    command.subcommand git, push · command.flags.any -f, --force',
    '  others     12 policies did not match (-v lists them)',
    '  answer     gemini gets deny with this reason (exit 2)',
  ],
  async run(args, io) {
    const [name, ...others] = args.operands;
    if (others.length > 0)
      throw new UsageError(
        `Cannot explain "${others[0]}" as well: give one call; a shell command goes into --command '${args.operands.join(' ')}'`,
      );
    const hostName = optionValue(args, 'host');
    const named = hostName === undefined ? undefined : hostOf(hostName);
    const [steps, session] = [optionValue(args, 'steps'), optionValue(args, 'session')];
    const isEffective = args.switches.has('effective');
    const instead = { effective: isEffective || undefined, steps, session };
    const [used, also] = Object.entries(instead).flatMap(([option, value]) =>
      value === undefined ? [] : [option],
    );
    if (used !== undefined && (name ?? optionValue(args, 'command') ?? also) !== undefined)
      throw new UsageError(`Cannot explain a call with --${used}: leave one of them out`);
    if (steps !== undefined && hostName !== undefined)
      throw new UsageError('Cannot use --host with --steps: the steps are judged by the engine alone');
    const opened =
      session === undefined
        ? undefined
        : await (await import('../explain/open-session.ts')).openSession(session, io);
    const workspace = optionValue(args, 'workspace');
    const directory = resolve(io.cwd, workspace ?? opened?.cwd ?? '.');
    if (kindOf(directory) === 'file')
      throw new UsageError(`Cannot use --workspace "${workspace}": it is a file; name a folder`);
    const setting: HostSetting = {
      version: optionValue(args, 'host-version'),
      env: io.env,
      cwd: directory,
      interactive: args.switches.has('interactive'),
    };
    const compiled = compileFor(io, optionValues(args, 'policies'), directory);
    if (isBroken(compiled, io)) return EXIT_CODE.invalidPolicy;
    if (isEffective) {
      const options = { directory, host: named?.name, json: args.switches.has('json') };
      await printEffective(compiled, options, io);
      return EXIT_CODE.ok;
    }
    const judged = opened?.judge(compiled) ?? (await judgedSteps(compiled, steps, setting, io));
    if (judged !== undefined) {
      const manner = { json: args.switches.has('json'), verbose: args.switches.has('verbose') };
      printJudgedSteps(judged, manner, io);
      return EXIT_CODE.ok;
    }
    const text = await callText(name, optionValue(args, 'command'), io);
    const found = findMessage(text, named, await installedHost(io), setting);
    const { explanation, prompts } = await judge(compiled, found, setting, workspace !== undefined);
    const wantsPrompts = args.switches.has('judge');
    if (args.switches.has('json')) {
      const judges = wantsPrompts ? { judges: judgePromptsJson(prompts) } : {};
      printJson(io.stdout, { ...explanationJson(explanation), ...judges });
    } else {
      const verbose = args.switches.has('verbose');
      const paint = paintFor(io.stdout, io.env);
      const text = wantsPrompts ? judgePromptsText(prompts, paint) : '';
      io.stdout.write(explanationText(explanation, { paint, verbose }) + text);
    }
    return EXIT_CODE.ok;
  },
} satisfies Command;

/** The steps of a file; undefined if none is named. */
async function judgedSteps(
  compiled: CompiledFiles,
  file: string | undefined,
  setting: HostSetting,
  io: Io,
): Promise<JudgedSteps | undefined> {
  if (file === undefined) return undefined;
  const { judgeSteps } = await import('../explain/judge-steps.ts');
  return judgeSteps(compiled, await readInput(file, 'the steps', io), file, setting);
}

/** Prints the problems of the policies; true if the hook refuses every call because of them. */
function isBroken(compiled: CompiledFiles, io: Io): boolean {
  const errors = printErrors(compiled, io);
  if (errors.length === 0) return false;
  io.stderr.write('\n');
  const isFatal = errors.some((error) => !compiled.uninstalled.has(error));
  if (isFatal) io.stderr.write('The hook refuses every call until this is fixed\n');
  return isFatal;
}

/** The call as JSON: the one that is read, or one for a shell command. */
async function callText(name: string | undefined, command: string | undefined, io: Io): Promise<string> {
  if (command === undefined) return readInput(name, 'the call', io, '; a shell command goes into --command');
  if (name !== undefined)
    throw new UsageError(`Cannot explain "${name}" as well as a command: give one call`);
  return JSON.stringify({ tool: 'shell', command });
}

export interface EffectiveOptions {
  /** Absolute. */
  readonly directory: string;
  /** The one whose hook is installed, unless given. */
  readonly host: string | undefined;
  readonly json: boolean;
}

/** Prints every policy in force in a directory. */
async function printEffective(
  compiled: CompiledFiles,
  { directory, host, json }: EffectiveOptions,
  io: Io,
): Promise<void> {
  const effective = {
    directory,
    repository: createRepositoryLookup()(directory),
    host: host ?? (await hostInUse(io))?.name,
    files: compiled.files,
    program: compiled.program,
    takenIds: takenIds(compiled),
    nowMs: Date.now(),
  };
  if (json) printJson(io.stdout, effectiveJson(effective));
  else io.stdout.write(effectiveText(effective, paintFor(io.stdout, io.env)));
}

/** The first host whose configuration starts a hook here; undefined if none does, or nobody knows where they would be. */
async function hostInUse(io: Io): Promise<Host | undefined> {
  if (!io.env['HOME']?.startsWith('/')) return undefined;
  const machine = machineOf(io);
  for (const host of HOSTS) {
    const installation = await host.installation();
    try {
      if (installation.inspect(machine, FILES).hooks.length > 0) return host;
    } catch (error) {
      // The host only decides whose answer is shown.
      if (!(error instanceof ConfigurationProblem)) throw error;
    }
  }
  return undefined;
}

/** The host of this machine: the first one whose hook is installed, else the first one that is here; undefined if none is. */
async function installedHost(io: Io): Promise<Host | undefined> {
  if (!io.env['HOME']?.startsWith('/')) return undefined;
  return (await hostInUse(io)) ?? (await hostsOn(machineOf(io), HOSTS))[0]?.host;
}
