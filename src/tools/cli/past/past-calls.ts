import type { Host } from '../../../hosts/host.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { callIdentity, type SessionCall } from '../../../hosts/sessions.ts';
import type { Engine } from '../../../language/engine/engine.ts';
import { fastHash } from '../../../lib/digest.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { redactSecrets } from '../../../reader/secrets/redact-secrets.ts';
import { createPastSessions } from '../../compare/past-sessions.ts';
import { callSample, type RecordingPlace } from '../../compare/recorded-samples.ts';
import type { KnownCall, Sample } from '../../compare/sample.ts';
import { callLabel } from '../../suite/cases/call-label.ts';
import { type Io, UsageError } from '../io.ts';
import { createProgress } from '../test/progress.ts';
import {
  namedSessions,
  readSession,
  type SessionHost,
  type SessionPath,
  usualSessions,
} from './find-sessions.ts';

const MAX_CALL_CHARS = 200;
const FILES_PER_COLLECTION = 8;

export interface SessionChoice {
  /** Files and folders; if there are none, those that agents keep on this machine. */
  readonly paths: readonly string[];
  /** If there are none, all hosts. */
  readonly hosts: readonly Host[];
  /** ISO time; calls whose session tells no time always count, and those before it in a session are early. */
  readonly since: string;
  /** True if a policy looks at more than one session: then all calls come in the order of their times. */
  readonly across?: boolean;
}

/**
 * The tool calls of past sessions, one by one, with a bar while it takes long.
 *
 * @param onUnreadable a file that is no session of a known host, or cannot be read
 * @throws UsageError for a host whose sessions are not known, and a path that is not there
 */
export async function* pastCalls(
  choice: SessionChoice,
  place: RecordingPlace,
  io: Io,
  onUnreadable: () => void,
): AsyncGenerator<KnownCall> {
  const files = await sessionFiles(choice, io);
  const { across = false } = choice;
  const samples = sampleMaker(place, across);
  const progress = createProgress(io.stderr);
  const seen = new Set<string>();
  let calls = 0;
  const isEarly = ({ time }: SessionCall) => (time ?? choice.since) < choice.since;
  try {
    /** Of each session the last call of the turn that it is in. */
    const turns = new Map<string, SessionCall>();
    const known = function* (call: SessionCall, sample: KnownCall): Generator<KnownCall> {
      yield isEarly(call) ? { ...sample, early: true } : sample;
    };
    const sessions = wholeSessions(files, onUnreadable);
    const isWanted = ({ calls: made }: WholeSession) => across || !made.every(isEarly);
    for (const { host, call, at, isLast } of inOrder(sessions.filter(isWanted), across)) {
      const session = `${host.name} ${call.session}`;
      const identity = callIdentity(call);
      const name = identity === undefined ? undefined : `${host.name} ${identity}`;
      const isCopy = name !== undefined && seen.has(name);
      if (name !== undefined) seen.add(name);
      const last = turns.get(session);
      if (!isCopy) {
        progress.show(at, ++calls, 'calls');
        const isOwn = call.bySubagent !== true;
        if (isOwn && last !== undefined && last.turn !== call.turn)
          yield* known(last, samples.endOf(host, last));
        yield* known(call, samples.of(host, call));
        if (isOwn && call.cutOff === true) turns.delete(session);
        else if (isOwn) turns.set(session, call);
      }
      const ended = isLast ? turns.get(session) : undefined;
      // The last one may be under way.
      if (ended?.ran !== undefined) yield* known(ended, samples.endOf(host, ended));
      if (isLast) turns.delete(session);
    }
  } finally {
    progress.clear();
  }
}

/** A session by its id or how that begins; undefined if no agent keeps it here. */
export async function findSession(id: string, io: Io): Promise<WholeSession | undefined> {
  const files = await sessionFiles({ paths: [], hosts: [], since: '' }, io);
  // Most agents name the file after the session.
  const isNamed = ({ path }: SessionPath) => path.includes(id.slice(0, BEGINNING));
  for (const some of [files.filter(isNamed), files.filter((file) => !isNamed(file))])
    for (const session of wholeSessions(some, () => {})) if (isMeant(session.session, id)) return session;
  return undefined;
}

const BEGINNING = 8;

function isMeant(session: string, id: string): boolean {
  return session === id || (id.length >= BEGINNING && session.startsWith(id));
}

interface WholeSession {
  readonly host: Host;
  readonly session: string;
  readonly calls: readonly SessionCall[];
  /** The share of all files that was read before. */
  readonly at: number;
}

/** Sessions with all of their calls in order; those of subagents are in files of their own, beside them. */
function* wholeSessions(files: readonly SessionPath[], onUnreadable: () => void): Generator<WholeSession> {
  let whole: WholeSession | undefined;
  for (const [index, file] of files.entries()) {
    // By itself the runtime lets the memory double before it collects garbage.
    if (index % FILES_PER_COLLECTION === 0) Bun.gc(true);
    const read = readSession(file);
    if (read === undefined) onUnreadable();
    if (read === undefined) continue;
    const { host } = read;
    for (const [session, calls] of Map.groupBy(read.calls, (call) => call.session)) {
      const isSame = whole?.host === host && whole.session === session;
      if (whole !== undefined && !isSame) yield whole;
      const before = isSame ? (whole?.calls ?? []) : [];
      whole = { host, session, calls: inTime(before, calls), at: index / files.length };
    }
  }
  if (whole !== undefined) yield whole;
}

interface PlacedCall extends Pick<WholeSession, 'host' | 'at'> {
  readonly call: SessionCall;
  readonly isLast: boolean;
}

/** One session after the other; or all of them at once, by the time of each call or of the one before it. */
function* inOrder(sessions: Iterable<WholeSession>, across: boolean): Generator<PlacedCall> {
  const all: (PlacedCall & { readonly time: string })[] = [];
  for (const { host, at, calls } of sessions) {
    let time = '';
    for (const [index, call] of calls.entries()) {
      time = call.time ?? time;
      const placed = { host, at, call, isLast: index === calls.length - 1 };
      if (across) all.push({ ...placed, time });
      else yield placed;
    }
  }
  yield* all.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** Calls of two files; one after the other where some have no time. */
function inTime(before: readonly SessionCall[], more: readonly SessionCall[]): readonly SessionCall[] {
  const calls = [...before, ...more];
  if (before.length === 0 || calls.some(({ time }) => time === undefined)) return calls;
  return calls.toSorted(({ time: a = '' }, { time: b = '' }) => (a < b ? -1 : a > b ? 1 : 0));
}

async function sessionFiles(choice: SessionChoice, io: Io): Promise<readonly SessionPath[]> {
  const hosts: SessionHost[] = [];
  for (const host of choice.hosts.length > 0 ? choice.hosts : HOSTS) {
    const sessions = await host.sessions?.();
    if (sessions !== undefined) hosts.push({ host, sessions });
    else if (choice.hosts.length > 0)
      throw new UsageError(`Cannot scan sessions of ${host.title}: nobody knows how it keeps them`);
  }
  return choice.paths.length > 0 ? namedSessions(choice.paths, hosts, io.cwd) : usualSessions(hosts, io.env);
}

/** So many calls are remembered with their decisions: all of them would fill the memory. */
const MAX_KNOWN = 128;

interface SampleMaker {
  readonly of: (host: Host, call: SessionCall) => KnownCall;
  /** The end of a turn after its last call. */
  readonly endOf: (host: Host, call: SessionCall) => KnownCall;
}

/** Agents do the same again and again: a call that was there not long ago is not decided again. */
function sampleMaker(place: RecordingPlace, across: boolean): SampleMaker {
  const known = new Map<string, Sample>();
  const sessions = createPastSessions(place, across);
  const of = (host: Host, call: SessionCall): KnownCall => {
    const cwd = call.cwd ?? place.cwd;
    const alike = fastHash(JSON.stringify([host.name, call.tool, call.arguments]));
    const key = `${cwd} ${alike}`;
    const sample = known.get(key) ?? sampleOf(host, { ...call, cwd }, key, place);
    known.delete(key);
    known.set(key, sample);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    return {
      sample: {
        get label() {
          return sample.label;
        },
        place: sample.place,
        key,
        judge: (engine) =>
          engine.program.facts === undefined
            ? sample.judge(engine)
            : sessions.judge(host, { ...call, cwd }, engine),
      },
      record: undefined,
      get label() {
        return labelOf(host, call);
      },
      alike,
      host: host.name,
      session: `${host.name} ${call.session}`,
      cwd,
      time: call.time,
    };
  };
  const endOf = (host: Host, call: SessionCall): KnownCall => {
    const cwd = call.cwd ?? place.cwd;
    const session = `${host.name} ${call.session}`;
    const label = `${host.name} end of a turn`;
    const key = `${session} ${call.turn} ends`;
    const judge = (engine: Engine) => sessions.judgeEnd(host, { ...call, cwd }, engine);
    const sample = { label, place: call.session, key, judge };
    return { sample, record: undefined, label, alike: label, host: host.name, session, cwd, time: call.time };
  };
  return { of, endOf };
}

function sampleOf(host: Host, call: SessionCall, key: string, place: RecordingPlace): Sample {
  const answers = new WeakMap<Engine, () => ReturnType<Sample['judge']>>();
  return {
    get label() {
      return labelOf(host, call);
    },
    place: call.session,
    key,
    judge: (engine) => {
      const known = answers.get(engine);
      if (known !== undefined) return known();
      try {
        const answer = callSample(host, call, place)?.judge(engine);
        answers.set(engine, () => answer);
        return answer;
      } catch (error) {
        answers.set(engine, () => {
          throw error;
        });
        throw error;
      }
    },
  };
}

/** Beside a command, the other arguments are of no interest. */
function commandOrArguments(args: JsonObject): JsonObject {
  const { command, cmd, script } = args;
  const said = command ?? cmd ?? script;
  return said === undefined ? args : { command: said };
}

/** Cut first by far too much, so that no half of a secret is left, and is not recognised. */
function labelOf(host: Host, { tool, arguments: args }: SessionCall): string {
  const whole = callLabel(
    { on: 'before_tool', tool, arguments: commandOrArguments(args) },
    16 * MAX_CALL_CHARS,
  );
  const { text } = redactSecrets(whole);
  const cut = text.length > MAX_CALL_CHARS ? `${text.slice(0, MAX_CALL_CHARS - 1)}…` : text;
  return `${host.name} ${cut}`;
}
