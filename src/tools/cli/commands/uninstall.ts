import { existsSync } from 'node:fs';
import { SYSTEM_PROGRAM } from '../../../hosts/guards.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { uninstallHook as carryOut, confirmPlans, writeForAll } from '../install/carry-out.ts';
import { forEachAgent, reportFailures } from '../install/each-agent.ts';
import { findHosts } from '../install/found-hosts.ts';
import { createInstallStore } from '../install/install-store.ts';
import { machineOf } from '../install/machine.ts';
import { planUninstall } from '../install/plan.ts';
import { scheduleRemovals } from '../install/sync-schedule.ts';
import { removeSystemProgram } from '../install/system-program.ts';
import { checkWritable } from '../install/write-configuration.ts';
import { EXIT_CODE } from '../io.ts';
import { hostsOption, optionsOf, SCOPE_OPTIONS, scopeOf, YES_OPTION } from '../options.ts';

export const uninstall = {
  options: [
    hostsOption('Only this agent; by default, all of them'),
    ...SCOPE_OPTIONS,
    ...optionsOf({ '--dry-run': 'Show what would change and change nothing' }),
    YES_OPTION,
  ],
  details: [
    'Removes what policy install added. A file that has not changed since is restored byte for byte; in other files only\nthe hook is removed.',
  ],
  example: [
    '$ policy uninstall --host jcli --yes',
    '--- /home/me/.jdata/agent/hooks/policy/HOOK.yaml',
    '+++ /dev/null',
    '…',
    'jcli no longer runs the hook: /home/me/.jdata/agent/hooks/policy/HOOK.yaml',
  ],
  async run(args, io) {
    const machine = machineOf(io);
    const scope = scopeOf(args);
    const store = createInstallStore(io.env);
    const named = optionValues(args, 'host');
    const found = await findHosts(named.length === 0 ? HOSTS.map(({ name }) => name) : named, machine);
    const dryRun = args.switches.has('dry-run');
    const planned = forEachAgent(found, (each) => {
      const found = planUninstall(each, { machine, scope, store });
      if (!dryRun) for (const { path } of found) checkWritable(path);
      return found;
    });
    const plans = planned.done;
    const failures = [...planned.failures];
    const hasCopy = scope === 'system' && named.length === 0 && existsSync(SYSTEM_PROGRAM);
    const timers = scope === 'system' && named.length === 0 ? scheduleRemovals() : [];
    const replaced = [...plans, ...timers];
    if (replaced.length === 0 && !hasCopy) {
      if (failures.length === 0)
        io.stdout.write(`Nothing is installed for ${found.map(({ host }) => host.title).join(', ')}\n`);
      return reportFailures(failures, 'uninstall', io);
    }
    if (hasCopy) io.stdout.write(`Deletes ${SYSTEM_PROGRAM}: hooks that still start it refuse every call\n`);
    if (
      !(await confirmPlans(replaced, { yes: args.switches.has('yes'), dryRun, otherwise: 'Delete it?' }, io))
    )
      return dryRun ? reportFailures(failures, 'uninstall', io) : EXIT_CODE.findings;
    const carried = forEachAgent(plans, (plan) => {
      carryOut(plan, store);
      if (!plan.isBeside) io.stdout.write(`${plan.host.title} no longer runs the hook: ${plan.path}\n`);
      return [plan];
    });
    failures.push(...carried.failures);
    for (const timer of timers) {
      writeForAll(timer);
      io.stdout.write(`policy sync has no timer any more: ${timer.path}\n`);
    }
    if (hasCopy) removeSystemProgram();
    return reportFailures(failures, 'uninstall', io);
  },
} satisfies Command;
