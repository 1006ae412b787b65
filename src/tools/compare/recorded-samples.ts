import type { DecisionRecord } from '../../hook/audit/record.ts';
import { createProcessHistory } from '../../hook/state/history/process-history.ts';
import { createProcessMemory } from '../../hook/state/process-memory.ts';
import type { BareCall, Host, HostSetting } from '../../hosts/host.ts';
import { HOSTS, hostNamed, sendersOf } from '../../hosts/registry.ts';
import type { SessionCall } from '../../hosts/sessions.ts';
import { answerBareCall, type Session } from '../../language/calls/answer-call.ts';
import { CALL_KEYS } from '../../language/calls/call-keys.ts';
import { readCall } from '../../language/calls/read-call.ts';
import type { Engine } from '../../language/engine/engine.ts';
import { withSafeId } from '../../lib/exact-numbers.ts';
import { isJsonObject, type Json } from '../../lib/json.ts';
import type { Event } from '../../model/event.ts';
import type { HistoryStore } from '../../model/history.ts';
import type { JudgeAnswer, JudgeQuestion } from '../../model/judge.ts';
import type { Memory } from '../../model/memory.ts';
import type { Program } from '../../model/policy.ts';
import type { Surroundings } from '../../model/surroundings.ts';
import { callLabel } from '../suite/cases/call-label.ts';
import { answerInOrder } from './answer-in-order.ts';
import type { Sample } from './sample.ts';

/** The facts of the machine that judging a recorded message again needs. */
export interface RecordingPlace {
  readonly env: HostSetting['env'];
  readonly cwd: string;
  /** By the policies that judge, whose own files are known wherever they lie. */
  readonly surroundings: (event: Event, program: Program) => Surroundings;
}

/** The memory that a set of policies has of the messages before. */
export interface Remembered {
  readonly memory: Memory;
  /** Made when it is first needed. */
  readonly history: () => HistoryStore;
}

/** The memory between the messages of a recording, for each engine on its own. */
export type Memories = WeakMap<Engine, Remembered>;

/** A logged decision as a sample; undefined if its message was not kept or says nothing that can be judged. */
export function recordSample(
  record: DecisionRecord,
  place: RecordingPlace,
  memories: Memories,
): Sample | undefined {
  const host = hostNamed(record.host);
  const { input } = record;
  if (host === undefined || input === undefined || input === null) return undefined;
  const sample = messageSample(withSafeId(input), host, record.time, memories, {
    setting: loggedSetting(record, place),
    surroundings: place.surroundings,
    verdict: (question) => recordedAnswer(record, question),
    nowMs: Date.parse(record.time),
  });
  return sample === undefined ? undefined : { ...sample, key: record.decision_id };
}

/** How the host of a logged decision was started, as far as the log says. */
export function loggedSetting({ setting }: DecisionRecord, { env, cwd }: RecordingPlace): HostSetting {
  const interactive = setting?.interactive === true;
  return { version: setting?.version, env, cwd: setting?.cwd ?? cwd, interactive };
}

/** The answer of a judge when the decision was taken. */
function recordedAnswer({ judges }: DecisionRecord, { ruleId }: JudgeQuestion): JudgeAnswer {
  const kept = judges?.find(({ id }) => id === ruleId);
  if (kept === undefined || !('verdict' in kept)) return { type: 'unasked' };
  const { verdict, confidence, cached } = kept;
  return { type: 'verdict', verdict, confidence, cached, reason: '', doubt: null };
}

/** A host's own message, or a call as people write it; a text names the fault. */
export function lineSample(
  value: Json,
  line: string,
  place: RecordingPlace,
  memories: Memories,
): Sample | string {
  if (!isJsonObject(value)) return 'it is not a JSON object';
  const setting: HostSetting = { version: undefined, env: place.env, cwd: place.cwd, interactive: false };
  const host = sendersOf(value).find(({ decode }) => decode(value, setting).type === 'event');
  if (host !== undefined) {
    const { surroundings } = place;
    return messageSample(value, host, line, memories, { setting, surroundings }) ?? 'it is not an event';
  }
  if (!Object.keys(value).some((key) => Object.hasOwn(CALL_KEYS, key) || key === 'command'))
    return `it is neither a message of ${HOSTS.map(({ name }) => name).join(', ')} nor a call`;
  const reading = readCall(value);
  if (!reading.ok) return reading.problems[0]?.message ?? 'it is not a call';
  const { cwd } = place;
  const call = { ...reading.call, context: { cwd, ...reading.call.context } };
  return {
    label: callLabel(call),
    place: line,
    key: JSON.stringify(call),
    judge: (engine) =>
      answerBareCall(call, {
        engine,
        memory: createProcessMemory(),
        surroundings: (event) => place.surroundings(event, engine.program),
      }),
  };
}

/** A call of a session as the host would have asked about it, on its own; undefined if the host does not ask about it. */
export function callSample(host: Host, call: SessionCall, place: RecordingPlace): Sample | undefined {
  const message = hostMessage(host, call, place.cwd, { on: 'before_tool' });
  return messageSample(message, host, call.session, new WeakMap(), {
    setting: settingOf(call, place),
    surroundings: place.surroundings,
    verdict: () => ({ type: 'unasked' }),
  });
}

/** The message that a host would have sent about a call of a session. */
export function hostMessage(
  host: Host,
  { tool, arguments: args, session, event, cwd }: SessionCall,
  usual: string,
  what: Pick<BareCall, 'on' | 'result'>,
): Json {
  const context = { cwd: cwd ?? usual, session };
  return host.compose({ ...what, tool, arguments: args, context, ...(event === undefined ? {} : { event }) });
}

/** How the host of a session was started, as far as is known. */
export function settingOf({ cwd }: SessionCall, place: RecordingPlace): HostSetting {
  return { version: undefined, env: place.env, cwd: cwd ?? place.cwd, interactive: false };
}

type Manner = Pick<Session, 'verdict'> &
  Pick<RecordingPlace, 'surroundings'> & { readonly setting: HostSetting; readonly nowMs?: number };

function messageSample(
  message: Json,
  host: Host,
  place: string,
  memories: Memories,
  { setting, surroundings, nowMs = 0, ...manner }: Manner,
): Sample | undefined {
  const decoded = host.decode(message, setting);
  if (decoded.type !== 'event') return undefined;
  return {
    label: eventLabel(decoded.event),
    place,
    // The messages before it count as well, so no two of them are alike.
    key: place,
    judge: (engine) => {
      const known = memories.get(engine) ?? emptyMemory();
      memories.set(engine, known);
      const session = {
        engine,
        memory: known.memory,
        surroundings: (event: Event) => surroundings(event, engine.program),
        ...manner,
      };
      return answerInOrder({ message, host, setting, nowMs }, session, known.history);
    },
  };
}

export function emptyMemory(): Remembered {
  let history: HistoryStore | undefined;
  return { memory: createProcessMemory(), history: () => (history ??= createProcessHistory()) };
}

/** `gemini run_shell_command git push -f`. */
export function eventLabel(event: Event): string {
  const { tool } = event;
  if (tool === undefined) return `${event.host} ${event.native}`;
  const call = { on: event.kind, tool: tool.name, arguments: tool.arguments ?? {} };
  return `${event.host} ${callLabel(call)}`;
}
