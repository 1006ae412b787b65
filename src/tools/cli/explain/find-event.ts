import { senderOf } from '../../../hook/recognise-host.ts';
import type { Host, HostSetting } from '../../../hosts/host.ts';
import { HOSTS, sendersOf } from '../../../hosts/registry.ts';
import { CALL_KEYS } from '../../../language/calls/call-keys.ts';
import { readCall } from '../../../language/calls/read-call.ts';
import { isJsonObject, type Json } from '../../../lib/json.ts';
import { messageOf } from '../../../lib/message-of.ts';
import type { EventKind } from '../../../model/event.ts';
import { UsageError } from '../io.ts';

export interface FoundMessage {
  readonly host: Host;
  /** True if the host only lends its words: nobody has named it, it sent nothing, and it is not here. */
  readonly isAssumed: boolean;
  readonly message: Json;
  /** The message as it is sent. */
  readonly text: string;
}

/**
 * Finds the host of a message: a host's own JSON by its shape, or a bare call put into the words of a host.
 *
 * @param named the host of `--host`, unless the message can only be another's; undefined to find out
 * @param here the host of this machine, which gets a bare call if none is named and it has its event; undefined if there is none
 * @throws UsageError if it is neither, or an event that the named host does not have
 */
export function findMessage(
  text: string,
  named: Host | undefined,
  here: Host | undefined,
  setting: HostSetting,
): FoundMessage {
  const value = parse(text);
  if (!isJsonObject(value)) throw new UsageError('Cannot explain the call: it is not a JSON object');
  const isEvent = ({ decode }: Host) => decode(value, setting).type === 'event';
  const host = (named === undefined ? sendersOf(value) : [senderOf(value, named)]).find(isEvent);
  const isCall = Object.keys(value).some((key) => Object.hasOwn(CALL_KEYS, key));
  const reading = isCall ? readCall(value) : undefined;
  // A bare call may look like a message to hosts that name no event in theirs.
  const isMessage = named !== undefined || reading?.ok !== true || host?.recognise(value) === true;
  if (host !== undefined && isMessage) return { host, isAssumed: false, message: value, text };
  if (reading === undefined) throw new UsageError(notUnderstood(value, named, setting));
  if (!reading.ok) {
    const [first] = reading.problems;
    const hint = first?.hint === undefined ? '' : `; ${first.hint}`;
    throw new UsageError(`${first?.message ?? 'Cannot use the call'}${hint}`);
  }
  const { cwd } = setting;
  const call = { ...reading.call, context: { cwd, ...reading.call.context } };
  const sender = hostWith(call.on, named, here);
  const message = sender.compose(call);
  const isAssumed = sender !== named && sender !== here;
  return { host: sender, isAssumed, message, text: JSON.stringify(message) };
}

/** Hosts put an event that they do not have into other words, or answer it unread. */
function hostWith(kind: EventKind, named: Host | undefined, here: Host | undefined): Host {
  const able = HOSTS.filter((host) => host.supports(undefined)[kind] !== undefined);
  const wanted = named ?? here;
  const sender = wanted !== undefined && able.includes(wanted) ? wanted : able[0];
  if (sender !== undefined && (named === undefined || sender === named)) return sender;
  const names = able.map(({ name }) => name).join(', ');
  throw new UsageError(
    `Cannot explain on: ${kind} for ${named?.name ?? 'any agent'}: it has no such event; agents that do: ${names}`,
  );
}

function notUnderstood(value: Json, named: Host | undefined, setting: HostSetting): string {
  if (named === undefined) {
    const names = HOSTS.map(({ name }) => name).join(', ');
    return `Cannot explain the call: it is neither a message of ${names} nor a bare call such as {"tool":"shell","arguments":{"command":"git push"}}`;
  }
  const decoded = named.decode(value, setting);
  const cause = decoded.type === 'malformed' ? decoded.cause : 'it is answered without asking any policy';
  return `Cannot explain the message of ${named.name}: ${cause}`;
}

function parse(text: string): Json {
  if (text.trim() === '')
    throw new UsageError(
      "Cannot explain the call: there is none; give --command 'git push', or a call as JSON",
    );
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`Cannot explain the call: it is not JSON (${messageOf(error)})`);
  }
}
