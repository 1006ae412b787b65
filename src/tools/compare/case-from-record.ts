import type { DecisionRecord } from '../../hook/audit/record.ts';
import type { BareCall, Host, HostSetting } from '../../hosts/host.ts';
import { hostNamed } from '../../hosts/registry.ts';
import { settingFor } from '../../language/calls/answer-call.ts';
import { TEST_CWD, TEST_HOME } from '../../language/calls/bare-event.ts';
import { CALL_KEYS } from '../../language/calls/call-keys.ts';
import { deepEqual } from '../../lib/deep-equal.ts';
import { withSafeId } from '../../lib/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import { CONTEXT_KEYS, type ContextKey, type Event, MACHINE_CONTEXT } from '../../model/event.ts';
import { callLabel } from '../suite/cases/call-label.ts';
import { eventLabel } from './recorded-samples.ts';

/** A case of a test file, or why a record makes none. */
export type RecordedCase =
  | {
      readonly ok: true;
      /** The case for this host in this directory. */
      readonly testCase: JsonObject;
      /** The same call for any host and any directory; undefined where only this host's own words say it. */
      readonly portable: JsonObject | undefined;
    }
  | { readonly ok: false; readonly cause: string };

export interface CaseWishes {
  /** The name of the case; made of the call and its decision unless given. */
  readonly name: string | undefined;
  /** The action that is expected; the one that was decided unless given. */
  readonly action: string | undefined;
  /** This user's home directory, which tests do not have. */
  readonly home: string | undefined;
}

/** A logged decision as a case: with a call if that is equivalent, else with the host's message. */
export function caseFromRecord(record: DecisionRecord, wishes: CaseWishes): RecordedCase {
  const host = hostNamed(record.host);
  if (host === undefined) return { ok: false, cause: `there is no host "${record.host}"` };
  if (record.input === undefined || record.input === null)
    return { ok: false, cause: 'its message was not kept; run policy install --log-input' };
  const interactive = record.setting?.interactive === true;
  const setting = { ...settingFor(interactive), version: record.setting?.version };
  const message = withSafeId(moved(record.input, wishes.home, TEST_HOME));
  const decoded = host.decode(message, setting);
  if (decoded.type !== 'event') return { ok: false, cause: 'its message is no event' };
  const { event } = decoded;
  const call = callFor(event, host, setting);
  const { cwd } = event.context;
  const expect: JsonObject = {
    action: wishes.action ?? record.action,
    ...(wishes.action === undefined && record.policy !== undefined ? { policy: record.policy } : {}),
  };
  const named = (label: string) => wishes.name ?? `${String(expect['action'])}: ${label}`;
  const person = interactive ? { interactive } : {};
  if (call === undefined) {
    const name = named(eventLabel(event));
    const testCase = { name, host: host.name, stdin: message, ...person, expect };
    return { ok: true, testCase, portable: undefined };
  }
  const place = typeof cwd === 'string' && cwd !== TEST_CWD ? { cwd } : {};
  const anywhere = portableCall(call, event, host, setting);
  const portable = anywhere && (moved({ ...anywhere }, cwd, TEST_CWD) as JsonObject & BareCall);
  return {
    ok: true,
    testCase: {
      name: named(callLabel(call)),
      call: writtenCall(call),
      hosts: [host.name],
      ...place,
      ...person,
      expect,
    },
    portable: portable && {
      name: named(callLabel(portable)),
      call: writtenCall(portable),
      ...person,
      expect,
    },
  };
}

/** The call by the names that all hosts share; undefined if this host would make another of it. */
function portableCall(call: BareCall, event: Event, host: Host, setting: HostSetting): BareCall | undefined {
  if (call.tool === undefined) return call;
  const row = Object.hasOwn(host.tools, call.tool) ? host.tools[call.tool] : undefined;
  const [tool] = row?.classes ?? [];
  if (tool === undefined) return undefined;
  const shared = new Map(Object.entries(row?.aliases ?? {}).map(([name, own]) => [own, name]));
  const args = Object.entries(call.arguments ?? {}).map(([name, value]) => [shared.get(name) ?? name, value]);
  const made = { ...call, tool, arguments: Object.fromEntries(args) as JsonObject };
  const same = composed(made, host, setting);
  return same !== undefined && isSameEvent(same, event) ? made : undefined;
}

/** The call that composes to the same event; undefined if none does. */
function callFor(event: Event, host: Host, setting: HostSetting): BareCall | undefined {
  const { kind, tool, model, subject } = event;
  if (setting.version !== undefined) return undefined;
  const prompt = ownString(subject, 'prompt');
  const result = own(subject, 'result');
  const call: BareCall = {
    on: kind,
    ...(tool === undefined ? {} : { tool: tool.name, arguments: tool.arguments ?? {} }),
    ...(model === undefined ? {} : { model }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(result === undefined ? {} : { result: plainResult(result) }),
  };
  const bare = composed(call, host, setting);
  const facts = CONTEXT.filter((key) => bare?.context[key] !== event.context[key]);
  const context = Object.fromEntries(facts.flatMap((key) => [[key, event.context[key] ?? '']]));
  const whole = facts.length === 0 ? call : { ...call, context };
  const made = composed(whole, host, setting);
  return made !== undefined && isSameEvent(made, event) ? whole : undefined;
}

/** Facts that a case has its own way to say, or none because they are different each time. */
const OWN_PLACE: readonly ContextKey[] = ['cwd', 'session', 'host', ...MACHINE_CONTEXT];
const CONTEXT = CONTEXT_KEYS.filter((key) => !OWN_PLACE.includes(key));

function composed(call: BareCall, host: Host, setting: HostSetting): Event | undefined {
  const decoded = host.decode(host.compose(call), setting);
  return decoded.type === 'event' ? decoded.event : undefined;
}

function isSameEvent(made: Event, event: Event): boolean {
  return (
    made.kind === event.kind &&
    made.model === event.model &&
    made.tool?.name === event.tool?.name &&
    deepEqual(made.subject, event.subject) &&
    // A policy can ask about a field that is only in the host's own event.
    Object.keys(event.raw).every((key) => Object.hasOwn(made.raw, key)) &&
    CONTEXT.every((key) => made.context[key] === event.context[key])
  );
}

/** Hosts wrap a result in more or less; a person writes the text. */
function plainResult(result: Json): Json {
  if (!isJsonObject(result)) return result;
  return ownString(result, 'llmContent') ?? ownString(result, 'for_llm') ?? result;
}

/** A call as people write it: arguments by name, where no key of a call has that name. */
function writtenCall({ on, arguments: args, ...rest }: BareCall): JsonObject {
  const isPlain = args !== undefined && Object.keys(args).every((key) => !Object.hasOwn(CALL_KEYS, key));
  const kind = on === 'before_tool' ? {} : { on };
  // JSON leaves out undefined values on the way.
  const call: JsonObject = { ...kind, ...JSON.parse(JSON.stringify(rest)) };
  if (args === undefined) return call;
  return isPlain && !hasMisspelling(args) ? { ...call, ...args } : { ...call, arguments: args };
}

/** A name so close to "arguments" that it would be read as a slip. */
function hasMisspelling(args: JsonObject): boolean {
  return Object.entries(args).some(([key, value]) => isJsonObject(value) && /^arg/i.test(key));
}

/** The same with the paths below one folder moved below another: a test must not depend on a machine. */
function moved(value: Json, from: unknown, to: string): Json {
  if (typeof from !== 'string' || from === '' || from === '/') return value;
  const inner = (path: string) => JSON.stringify(path).slice(1, -1);
  const start = inner(from.replace(/\/$/, '')).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // Not where another name begins alike.
  return JSON.parse(JSON.stringify(value).replaceAll(new RegExp(`${start}(?![\\w.-])`, 'g'), inner(to)));
}
