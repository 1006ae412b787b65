import type { Host, Reply } from '../hosts/host.ts';
import { HOST_LOADERS } from '../hosts/host-loaders.ts';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';

/** The host that started the hook, or why it is unknown. */
export type RecognisedHost =
  | { readonly ok: true; readonly host: Host }
  | { readonly ok: false; readonly cause: string };

/** The host whose message this is, by its fields. The environment is no evidence: hosts set variables of others. */
export function recogniseHost(message: JsonObject | undefined): RecognisedHost {
  const hosts = Object.values(HOST_LOADERS).map((load) => load());
  const [host, ...others] = message === undefined ? [] : hosts.filter((each) => each.recognise(message));
  if (host === undefined) {
    return {
      ok: false,
      cause:
        'the agent is not named and its message is of no agent that is known; start the hook with --host NAME',
    };
  }
  // An answer in the form of the wrong host lets its call through.
  if (others.length > 0) {
    const names = [host, ...others].map((each) => each.name).join(' and ');
    return {
      ok: false,
      cause: `the agent is not named and its message may be one of ${names}; start the hook with --host NAME`,
    };
  }
  return { ok: true, host };
}

/**
 * The host of a message: hosts also start hooks from the files of others, and an answer in the form of the wrong host lets the
 * call through. A message that the named host may have sent is its own.
 */
export function senderOf(message: Json | undefined, named: Host): Host {
  if (!isJsonObject(message) || named.recognise(message)) return named;
  const recognised = recogniseHost(message);
  return recognised.ok && recognised.host.framing === named.framing ? recognised.host : named;
}

/** The refusal for an unknown host, in the form that most hosts understand. */
export function refuseUnknownHost(cause: string): Reply {
  return { stdout: '', stderr: `Refused by policy: ${cause}.\n`, exitCode: 2 };
}
