import { ConfigurationProblem } from '../../../hosts/configuration-problem.ts';
import type { Host } from '../../../hosts/host.ts';
import {
  type HookFinding,
  type Installation,
  type InstallScope,
  type Machine,
  oncePerMessage,
} from '../../../hosts/installation.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { UsageError } from '../io.ts';
import { hostOf } from '../options.ts';
import { FILES, hostProgram } from './machine.ts';

/** A host with the known facts of its configuration. */
export interface FoundHost {
  readonly host: Host;
  readonly installation: Installation;
}

/**
 * The hosts that are named, else those that are here: their folder, or a program that starts them.
 *
 * @throws UsageError if there is none
 */
export async function findHosts(names: readonly string[], machine: Machine): Promise<readonly FoundHost[]> {
  const known = await withInstallations(names.length === 0 ? HOSTS : names.map(hostOf));
  const found = names.length > 0 ? known : await hostsOn(machine, HOSTS);
  if (found.length > 0) return found;
  const places = known.map(({ host, installation }) => `${host.title} (${installation.folder(machine)})`);
  throw new UsageError(
    `Cannot find an agent: looked for ${places.join(', ')} and their programs on PATH; name one with --host`,
  );
}

/** Those of some hosts that are here. */
export async function hostsOn(machine: Machine, hosts: readonly Host[]): Promise<readonly FoundHost[]> {
  return (await withInstallations(hosts)).filter(
    ({ installation }) =>
      FILES.isFolder(installation.folder(machine)) ||
      // A hook may be in a folder that others have too.
      installation.places('user', machine).some(isThere) ||
      hostProgram(installation, machine.env) !== undefined,
  );
}

function withInstallations(hosts: readonly Host[]): Promise<readonly FoundHost[]> {
  return Promise.all(hosts.map(async (host) => ({ host, installation: await host.installation() })));
}

/** A file that cannot be read is there, and its agent's to say. */
function isThere(path: string): boolean {
  try {
    return FILES.text(path) !== undefined;
  } catch (error) {
    if (error instanceof ConfigurationProblem) return true;
    throw error;
  }
}

/** The remaining work for a person after an install, and hosts that now ask twice by the files of others. */
export async function findingsAfter(
  installed: readonly Host[],
  machine: Machine,
): Promise<readonly HookFinding[]> {
  const known = await withInstallations(HOSTS);
  const found = known.flatMap(({ host, installation }) => {
    try {
      const { findings } = installation.inspect(machine, FILES);
      return findings.filter(({ code }) => code === 'asks-twice' || installed.includes(host));
    } catch (error) {
      if (error instanceof ConfigurationProblem) return [];
      throw error;
    }
  });
  return oncePerMessage(found);
}

export function withScope(
  found: readonly FoundHost[],
  scope: InstallScope,
  machine: Machine,
): readonly FoundHost[] {
  const fitting = found.filter(({ installation }) => installation.places(scope, machine).length > 0);
  // The machine has a place for the program, whichever agent it is for.
  if (fitting.length > 0 || scope === 'system') return fitting;
  const titles = found.map(({ host }) => host.title).join(', ');
  throw new UsageError(`Cannot use --${scope}: ${titles} has no such configuration`);
}
