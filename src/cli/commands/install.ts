import { readFileSync } from 'node:fs';
import { versionProblem } from '../../hosts/version-problem.ts';
import { sha256Hex } from '../../lib/digest.ts';
import { createInstallStore } from '../../state/install-store.ts';
import { optionValue, optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import { agreed, install as carryOut } from '../install/carry-out.ts';
import { machineOf, ownProgram } from '../install/machine.ts';
import { findHosts, kindsFor, planInstall, withScope } from '../install/plan.ts';
import { SCOPE_OPTIONS, scopeOf } from '../install/scope-option.ts';
import { compileFor } from '../policy-place.ts';
import { UsageError } from '../usage-error.ts';

export const install = {
  options: [
    {
      name: 'host',
      value: 'NAME',
      repeatable: true,
      summary: 'This agent; all that are found here unless given',
    },
    ...SCOPE_OPTIONS,
    {
      name: 'host-version',
      value: 'V',
      summary: "The agent's version or generation, where its files do not tell",
    },
    { name: 'dry-run', summary: 'Show what would change and change nothing' },
    { name: 'yes', short: 'y', summary: 'Do not ask: for scripts' },
  ],
  details: [
    'Makes agents ask this program: writes the hook into their configuration, with the events that your policies are\nfor and those that guard calls. Everything else in the file stays as it is, and policy uninstall takes it out again.',
    'Restart the agents afterwards, and see with policy doctor that they are guarded.',
  ],
  example: [
    '$ policy install --host jcli',
    '--- /dev/null',
    '+++ /home/me/.jdata/agent/hooks/policy/HOOK.yaml',
    '…',
    'Change this file? [y/N] y',
    'jcli asks this program: /home/me/.jdata/agent/hooks/policy/HOOK.yaml',
    '',
    'Restart what is running, then try:',
    '  policy doctor',
  ],
  async run(args, io) {
    const machine = machineOf(io);
    const scope = scopeOf(args);
    const program = ownProgram(io.env);
    const found = withScope(await findHosts(optionValues(args, 'host'), machine), scope, machine);
    const version = optionValue(args, 'host-version');
    if (version !== undefined) {
      const [first, ...others] = found;
      if (first === undefined || others.length > 0)
        throw new UsageError('Cannot use --host-version for several agents: name one with --host');
      const problem = versionProblem(first.host, version);
      if (problem !== undefined) throw new UsageError(problem);
    }
    const store = createInstallStore(io.env);
    const kinds = kindsFor(compileFor(io, []).program);
    const plans = found.map((each) => planInstall(each, { machine, scope, program, version, kinds, store }));
    const changes = plans.filter(({ before, after }) => before !== after);
    for (const { host, path } of plans.filter((plan) => !changes.includes(plan)))
      io.stdout.write(`${host.title} asks this program already: ${path}\n`);
    if (changes.length === 0) return EXIT_CODE.ok;
    const dryRun = args.switches.has('dry-run');
    const question = changes.length === 1 ? 'Change this file?' : `Change these ${changes.length} files?`;
    if (!(await agreed(changes, { yes: args.switches.has('yes'), dryRun, question }, io)))
      return dryRun ? EXIT_CODE.ok : EXIT_CODE.findings;
    const installed = { program, programDigest: sha256Hex([readFileSync(program)]) };
    for (const plan of changes) {
      carryOut(plan, installed, store);
      io.stdout.write(`${plan.host.title} asks this program: ${plan.path}\n`);
    }
    io.stdout.write('\nRestart what is running, then try:\n  policy doctor\n');
    return EXIT_CODE.ok;
  },
} satisfies Command;
