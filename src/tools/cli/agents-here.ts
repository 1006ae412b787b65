import { ConfigurationProblem } from '../../hosts/configuration-problem.ts';
import type { Machine } from '../../hosts/installation.ts';
import { HOSTS } from '../../hosts/registry.ts';
import type { AgentHere } from '../report/guarded-html.ts';
import { FILES, machineOf } from './install/machine.ts';
import { hostVersion } from './install/newer-host.ts';
import { type FoundHost, hostsOn } from './install/plan.ts';
import type { Io } from './io.ts';

/** The agents of this machine, each with its version and whether it starts a hook of ours. None where nobody knows the home. */
export async function agentsHere(io: Io): Promise<readonly AgentHere[]> {
  if (!io.env['HOME']?.startsWith('/')) return [];
  const machine = machineOf(io);
  const found = await hostsOn(machine, HOSTS);
  return Promise.all(
    found.map(async (each) => ({
      name: each.host.name,
      title: each.host.title,
      hasHook: hasHook(each, machine),
      version: await hostVersion(each, machine),
    })),
  );
}

function hasHook({ installation }: FoundHost, machine: Machine): boolean | undefined {
  try {
    return installation.inspect(machine, FILES).hooks.length > 0;
  } catch (error) {
    if (error instanceof ConfigurationProblem) return undefined;
    throw error;
  }
}
