import type { Host, HostSetting, Reply } from '../hosts/host.ts';
import { HOSTS, hostNamed } from '../hosts/registry.ts';

/** The host that started the hook, or why it is not known. */
export type ChosenHost =
  | { readonly ok: true; readonly host: Host }
  | { readonly ok: false; readonly cause: string };

/** The host that was named, or the one that the environment shows. */
export function chooseHost(name: string | undefined, env: HostSetting['env']): ChosenHost {
  if (name !== undefined) {
    const named = hostNamed(name);
    if (named !== undefined) return { ok: true, host: named };
    return { ok: false, cause: `the host "${name}" is not known; policy hosts lists those that are` };
  }
  const [host, ...others] = HOSTS.filter((each) => each.recognise(env));
  if (host === undefined) {
    return {
      ok: false,
      cause: 'the host is not named and cannot be recognised; start the hook with --host NAME',
    };
  }
  // An answer in the form of the wrong host lets its call through.
  if (others.length > 0) {
    const names = [host, ...others].map((each) => each.name).join(' and ');
    return {
      ok: false,
      cause: `the host is not named and the environment shows ${names}; start the hook with --host NAME`,
    };
  }
  return { ok: true, host };
}

/** The refusal for a host that is not known: the words that most hosts understand as one, in a single object. */
export function refuseUnknownHost(cause: string): Reply {
  const reason = `Refused by policy: ${cause}.`;
  return {
    stdout: `${JSON.stringify({ decision: 'deny', action: 'skip', reason })}\n`,
    stderr: `${reason}\n`,
    exitCode: 0,
  };
}
