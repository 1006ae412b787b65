import { ConfigurationProblem } from '../../../hosts/configuration-problem.ts';
import type { Host } from '../../../hosts/host.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { hostsOn } from '../install/found-hosts.ts';
import { FILES, machineOf } from '../install/machine.ts';
import type { Io } from '../io.ts';

/** The first host whose configuration starts a hook here; undefined if none does, or nobody knows where they would be. */
export async function hostInUse(io: Io): Promise<Host | undefined> {
  if (!io.env['HOME']?.startsWith('/')) return undefined;
  const machine = machineOf(io);
  for (const host of HOSTS) {
    const installation = await host.installation();
    try {
      if (installation.inspect(machine, FILES).hooks.length > 0) return host;
    } catch (error) {
      // Which one it is only decides whose answer is shown.
      if (!(error instanceof ConfigurationProblem)) throw error;
    }
  }
  return undefined;
}

/** The host of this machine: the first one whose hook is installed, else the first one that is here; undefined if none is. */
export async function hostHere(io: Io): Promise<Host | undefined> {
  if (!io.env['HOME']?.startsWith('/')) return undefined;
  return (await hostInUse(io)) ?? (await hostsOn(machineOf(io), HOSTS))[0]?.host;
}
