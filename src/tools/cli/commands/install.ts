import { existsSync } from 'node:fs';
import { versionProblem } from '../../../hosts/version-problem.ts';
import { type Arguments, optionValue, optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { isOwn, ownAccountNote } from '../doctor/writable.ts';
import { installHook as carryOut, confirmPlans, renew, writeForAll } from '../install/carry-out.ts';
import { forEachAgent, reportFailures } from '../install/each-agent.ts';
import { fileDigest, fileIdentity } from '../install/file-digest.ts';
import { findHosts, findingsAfter, withScope } from '../install/found-hosts.ts';
import { createInstallStore } from '../install/install-store.ts';
import { machineOf, ownProgram } from '../install/machine.ts';
import { hostVersion, newerHostNote } from '../install/newer-host.ts';
import { planInstall, plansBeside } from '../install/plan.ts';
import { planSchedule } from '../install/sync-schedule.ts';
import { copySystemProgram, systemPlaceOf } from '../install/system-program.ts';
import { checkWritable } from '../install/write-configuration.ts';
import { EXIT_CODE, UsageError } from '../io.ts';
import { hostsOption, optionsOf, SCOPE_OPTIONS, scopeOf, YES_OPTION } from '../options.ts';
import { compileFor } from '../policy-place.ts';
import { hookOptions, hookOptionsNamed } from './hook.ts';

/** Options of the hook that an install can put into its line; those that are there stay. */
const HOOK_OPTIONS = hookOptionsNamed([
  'interactive',
  'keep-yes',
  'approve-with',
  'no-log',
  'no-command',
  'log-days',
  'log-input',
]);

export const install = {
  options: [
    hostsOption('Only this agent; by default, all that are found'),
    ...SCOPE_OPTIONS,
    ...optionsOf({ '--host-version V': "The agent's version or generation, if its files do not show it" }),
    ...HOOK_OPTIONS,
    ...optionsOf({ '--dry-run': 'Show what would change and change nothing' }),
    YES_OPTION,
  ],
  details: [
    "Adds the hook to the agents' configuration, for the events your policies use and for the events that guard calls.\nEverything else in the file stays the same (of YAML its values and comments, not each space), and policy uninstall\nputs back what was there.",
    'Restart the agents afterwards, then run policy doctor to see that they are guarded.',
  ],
  example: [
    '$ policy install --host jcli',
    '--- /dev/null',
    '+++ /home/me/.jdata/agent/hooks/policy/HOOK.yaml',
    '…',
    'Change this file? [y/N] y',
    'jcli now runs the hook: /home/me/.jdata/agent/hooks/policy/HOOK.yaml',
    '',
    'Restart running agents, then try:',
    '  policy doctor',
  ],
  async run(args, io) {
    const machine = machineOf(io);
    const scope = scopeOf(args);
    const running = ownProgram(io.env);
    const program = scope === 'system' ? systemPlaceOf(running) : running;
    const all = await findHosts(optionValues(args, 'host'), machine);
    const found = withScope(all, scope, machine);
    const releases = new Map(
      await Promise.all(all.map(async (each) => [each.host, await hostVersion(each, machine)] as const)),
    );
    const version = optionValue(args, 'host-version');
    if (version !== undefined) {
      const [first, ...others] = found;
      if (first === undefined || others.length > 0)
        throw new UsageError('Cannot use --host-version for several agents: name one with --host');
      const problem = versionProblem(first.host, version);
      if (problem !== undefined) throw new UsageError(problem);
    }
    const store = createInstallStore(io.env);
    const policies = compileFor(io, []).program;
    const options = wordsFor(args);
    const dryRun = args.switches.has('dry-run');
    const planned = forEachAgent(found, (each) => {
      const plan = planInstall(each, {
        machine,
        scope,
        program,
        version,
        options,
        release: releases.get(each.host),
        policies,
        store,
      });
      // Without the right to write, the part for the machine says so below in one sentence.
      if (!dryRun && scope !== 'system' && plan.before !== plan.after) checkWritable(plan.path);
      return [...plansBeside(each, plan, store), plan];
    });
    const plans = planned.done;
    const failures = [...planned.failures];
    const changes = plans.filter(({ before, after }) => before !== after);
    const schedule = scope === 'system' ? planSchedule(program) : undefined;
    const replaced = [...changes, ...(schedule?.changes ?? [])];
    for (const { host, path } of plans.filter((plan) => !changes.includes(plan) && !plan.isBeside))
      io.stdout.write(`${host.title} already runs this hook: ${path}\n`);
    // Before it is read: a later change makes it another file.
    const file = fileIdentity(running);
    const digest = (file === undefined ? undefined : store.digestOf(file)) ?? fileDigest(running);
    const copy = program === running || digestOf(program) === digest ? undefined : program;
    const installed = { program, programDigest: digest, programFile: program === running ? file : undefined };
    if (replaced.length === 0 && copy === undefined) {
      if (!dryRun) for (const plan of plans) renew(plan, installed, store);
      return reportFailures(failures, 'install', io);
    }
    if (copy !== undefined && !dryRun && process.getuid?.() !== 0)
      throw new UsageError(
        `Cannot copy the program to "${copy}": only root may write there; run this with sudo`,
      );
    if (copy !== undefined) io.stdout.write(`Copies ${running} to ${copy}, where only root can change it\n`);
    if (!(await confirmPlans(replaced, { yes: args.switches.has('yes'), dryRun, otherwise: 'Copy it?' }, io)))
      return dryRun ? reportFailures(failures, 'install', io) : EXIT_CODE.findings;
    if (copy !== undefined) copySystemProgram(running);
    const carried = forEachAgent(plans, (plan) => {
      if (!changes.includes(plan)) {
        renew(plan, installed, store);
        return [];
      }
      carryOut(plan, installed, store);
      if (!plan.isBeside) io.stdout.write(`${plan.host.title} now runs the hook: ${plan.path}\n`);
      return [plan];
    });
    failures.push(...carried.failures);
    for (const change of schedule?.changes ?? []) {
      writeForAll(change);
      io.stdout.write(`policy sync has a timer: ${change.path}\n`);
    }
    for (const { host } of all.filter((each) => !found.includes(each)))
      io.stdout.write(`${host.title} has no --${scope} configuration: run ${program} install as its user\n`);
    const notes = all
      .map((each) => newerHostNote(each, releases.get(each.host)))
      .filter((each) => each !== undefined);
    const changed = carried.done.map(({ host }) => host);
    notes.push(...(await findingsAfter(changed, machine)));
    if (isOwn(program)) notes.push(ownAccountNote(['the program']));
    for (const { message, fix } of notes) io.stdout.write(`\n${message}\n  ${fix}\n`);
    const next = schedule?.changes.length === 0 ? undefined : schedule?.next;
    if (next !== undefined) io.stdout.write(`\nStart the timer:\n  ${next}\n`);
    io.stdout.write('\nRestart running agents, then try:\n  policy doctor\n');
    return reportFailures(failures, 'install', io);
  },
} satisfies Command;

/** The options of the hook that the command line gives, as words. */
function wordsFor(args: Arguments): readonly string[] {
  const { problem } = hookOptions(args, undefined);
  if (problem !== undefined) throw new UsageError(problem);
  return HOOK_OPTIONS.flatMap(({ name, value }) => {
    if (value === undefined) return args.switches.has(name) ? [`--${name}`] : [];
    const given = optionValue(args, name);
    return given === undefined ? [] : [`--${name}`, given];
  });
}

function digestOf(path: string): string | undefined {
  return existsSync(path) ? fileDigest(path) : undefined;
}
