import type { Host } from '../../../hosts/host.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { versionProblem } from '../../../hosts/version-problem.ts';
import { hostsJson, hostText } from '../../report/host-text.ts';
import { type Arguments, optionValue } from '../args.ts';
import { type Io, UsageError } from '../io.ts';
import { hostOf } from '../options.ts';
import { page } from '../page.ts';
import { paintFor, printJson } from '../print.ts';

/** `policy docs hosts NAME`: all that is known of a host, or of all of them as JSON. */
export async function showHosts(operands: readonly string[], args: Arguments, io: Io): Promise<void> {
  const [name, ...others] = operands;
  if (others.length > 0) throw new UsageError(`Cannot use "${others[0]}": give one agent or none`);
  const host = name === undefined ? undefined : hostOf(name);
  const version = versionOf(optionValue(args, 'host-version'), host);
  if (host === undefined || args.switches.has('json'))
    printJson(io.stdout, hostsJson(host === undefined ? HOSTS : [host], version));
  else await page(hostText(host, version, paintFor(io.stdout, io.env)), io);
}

function versionOf(version: string | undefined, host: Host | undefined): string | undefined {
  if (version === undefined) return undefined;
  if (host === undefined) throw new UsageError('Cannot use --host-version without an agent: name it as well');
  const problem = versionProblem(host, version);
  if (problem !== undefined) throw new UsageError(problem);
  return version;
}
