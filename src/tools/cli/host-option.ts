import type { Host } from '../../hosts/host.ts';
import { HOSTS, hostNamed } from '../../hosts/registry.ts';
import { closest } from '../../lib/closest.ts';
import { UsageError } from './io.ts';

/** The host of this name, or a usage error that lists them. */
export function hostOf(name: string): Host {
  const host = hostNamed(name);
  if (host !== undefined) return host;
  const names = HOSTS.map((each) => each.name);
  // Agents have longer names elsewhere: `claude-code`, `gemini-cli`.
  const meant = names.find((each) => name.startsWith(`${each}-`)) ?? closest(name, names);
  throw new UsageError(
    `Cannot use agent "${name}": ${meant === undefined ? `it is not one of ${names.join(', ')}` : `did you mean "${meant}"?`}`,
  );
}
