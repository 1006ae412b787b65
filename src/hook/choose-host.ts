import type { Host, HostSetting, Reply } from '../hosts/host.ts';
import { HOSTS, hostNamed } from '../hosts/registry.ts';

/** The host that was named, or the one that the environment shows; undefined if neither is known. */
export function chooseHost(name: string | undefined, env: HostSetting['env']): Host | undefined {
  return name === undefined ? HOSTS.find((host) => host.recognise(env)) : hostNamed(name);
}

/** The refusal for a host that is not known: the words that most hosts understand as one, in a single object. */
export function refuseUnknownHost(name: string | undefined): Reply {
  const cause =
    name === undefined
      ? 'the host is not named and cannot be recognised; start the hook with --host NAME'
      : `the host "${name}" is not known; policy hosts lists those that are`;
  const reason = `Refused by policy: ${cause}.`;
  return {
    stdout: `${JSON.stringify({ decision: 'deny', action: 'skip', reason })}\n`,
    stderr: `${reason}\n`,
    exitCode: 0,
  };
}
