import { readExitCode } from '../dialect/read-exit-code.ts';
import { hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import type { Installation, Machine } from '../installation.ts';

const MANAGED = '/etc/crush/crush.json';

/** The configuration of Crush; each file adds its hooks to those of the others. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['crush'],
    release: { newest: '0.96', args: ['--version'] },
    folder,
    guarding: ['before_tool'],
    dialect: { comments: false },
    at: ['hooks'],
    place: (scope, machine) =>
      ({
        user: `${folder(machine)}/crush.json`,
        project: `${machine.project}/crush.json`,
        system: MANAGED,
      })[scope],
    layers: (machine) => [
      `${folder(machine)}/crush.json`,
      `${machine.project}/crush.json`,
      `${machine.project}/.crush.json`,
      MANAGED,
    ],
    bare: true,
    untyped: true,
    group: {},
    allTools: ['.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 30,
    read: readExitCode,
  });
}

function folder({ env, home }: Machine): string {
  return env['CRUSH_GLOBAL_CONFIG'] ?? `${env['XDG_CONFIG_HOME'] ?? `${home}/.config`}/crush`;
}
