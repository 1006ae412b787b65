import { statusOf } from '../../../hosts/call-results.ts';
import type { Host } from '../../../hosts/host.ts';
import { hostNamed } from '../../../hosts/registry.ts';
import type { SessionCall } from '../../../hosts/sessions.ts';
import type { Answer } from '../../../language/calls/answer-call.ts';
import { createEngine, type Engine } from '../../../language/engine/engine.ts';
import { createFacts } from '../../../language/engine/facts.ts';
import type { CompiledFiles } from '../../../language/policy/compile/compile-files.ts';
import { withSafeId } from '../../../lib/exact-numbers.ts';
import type { Event } from '../../../model/event.ts';
import type { History } from '../../../model/history.ts';
import { redactSecrets } from '../../../reader/secrets/redact-secrets.ts';
import { answerInOrder, type OrderedSession } from '../../compare/answer-in-order.ts';
import { createPastSessions } from '../../compare/past-sessions.ts';
import {
  emptyMemory,
  eventLabel,
  hostMessage,
  loggedSetting,
  type RecordingPlace,
  settingOf,
} from '../../compare/recorded-samples.ts';
import { earlierCallsOf, explanationOf } from '../../report/explanation/explanation.ts';
import { type Io, UsageError } from '../io.ts';
import { findSession } from '../past/past-calls.ts';
import { loggedDecisions, recordingPlace } from '../past/recorded-calls.ts';
import { type EarlierStep, type JudgedSteps, nowUs } from './judged-steps.ts';

interface Call {
  readonly judge: (engine: Engine, more: Pick<OrderedSession, 'trace' | 'look'>) => Answer;
  readonly host: Host;
  /** How it ended, as far as is known. */
  readonly outcome: string | undefined;
}

/** The calls of a session with the directory that it was in. */
interface FoundSession {
  readonly cwd: string | undefined;
  readonly calls: readonly Call[];
}

/** A real session, whose calls can be judged again. */
export interface OpenedSession {
  /** Its directory; undefined if it does not tell. */
  readonly cwd: string | undefined;
  /** Judges its calls in order, and explains the last of them. */
  readonly judge: (compiled: CompiledFiles) => JudgedSteps;
}

/**
 * Finds a session: the file that its agent keeps, or the messages in the log, if they were kept.
 *
 * @throws UsageError if nothing is known of it
 */
export async function openSession(session: string, io: Io): Promise<OpenedSession> {
  let compiled: CompiledFiles | undefined;
  const place = recordingPlace(io, () => compiled?.inForce);
  const found = (await ofAgent(session, place, io)) ?? ofLog(session, place, io);
  if (found === undefined)
    throw new UsageError(
      `Cannot explain session "${session}": no agent keeps it here, and the log has no messages of it; policy install --log-input keeps them`,
    );
  return {
    cwd: found.cwd,
    judge(by) {
      compiled = by;
      return judgeCalls(found.calls, createEngine(by.program), place);
    },
  };
}

function judgeCalls(calls: readonly Call[], engine: Engine, place: RecordingPlace): JudgedSteps {
  const factsOf = (event: Event, before?: History) => {
    const surroundings = (about: Event) => place.surroundings(about, engine.program);
    return createFacts(event, emptyMemory().memory, surroundings, engine.program.programs, before);
  };
  const judged = calls.flatMap(({ judge, host, outcome: end }) => {
    let before: readonly string[] = [];
    const startUs = nowUs();
    const answer = judge(engine, {
      trace: { nowUs },
      look: ({ event, outcome }, known) => {
        if (event !== undefined && outcome !== undefined)
          before = earlierCallsOf(outcome, factsOf(event, known));
      },
    });
    const durationUs = nowUs() - startUs;
    const { event } = answer;
    return event === undefined ? [] : [{ event, answer, before, host: host.name, end, durationUs }];
  });
  const last = judged.at(-1);
  const explanation = last && explanationOf(last.answer, factsOf, last.host, last.durationUs);
  if (last === undefined || explanation === undefined)
    throw new UsageError('Cannot explain a session: its agent asks hooks about none of its calls');
  return {
    earlier: judged.slice(0, -1).map((each): EarlierStep => {
      const { action, policyId } = each.answer.decision;
      return {
        label: redactSecrets(eventLabel(each.event)).text,
        action,
        policy: policyId,
        outcome: each.end,
        before: policyId === undefined ? [] : each.before,
      };
    }),
    explanation: { ...explanation, before: last.before },
  };
}

/** Of the session that an agent keeps; undefined if none is found. */
async function ofAgent(session: string, place: RecordingPlace, io: Io): Promise<FoundSession | undefined> {
  const found = await findSession(session, io);
  if (found === undefined) return undefined;
  const { host, calls } = found;
  const sessions = createPastSessions(place);
  return {
    cwd: calls[0]?.cwd,
    calls: calls.map((call) => ({
      judge: (engine, more) => sessions.judge(host, call, engine, more),
      host,
      outcome: outcomeOf(host, call, place),
    })),
  };
}

/** The end of a call then; undefined if the session does not tell. */
function outcomeOf(host: Host, call: SessionCall, place: RecordingPlace): string | undefined {
  const { result, ran } = call;
  if (result === undefined) return ran === false ? 'not run' : undefined;
  const message = hostMessage(host, call, place.cwd, { on: result.on, result: result.value });
  const decoded = host.decode(message, settingOf(call, place));
  const status = decoded.type === 'event' ? statusOf(host.results, decoded.event) : 'unknown';
  return status === 'unknown' ? 'done' : status === 'not_run' ? 'not run' : status;
}

/** Of the messages that the log keeps; undefined if it keeps none. */
function ofLog(session: string, place: RecordingPlace, { env }: Io): FoundSession | undefined {
  const history = emptyMemory();
  const records = loggedDecisions(env).filter((record) => record.session === session);
  const calls = records.flatMap((record): readonly Call[] => {
    const { input } = record;
    const host = hostNamed(record.host);
    if (host === undefined || input === undefined || input === null) return [];
    const setting = loggedSetting(record, place);
    const past = { message: withSafeId(input), host, setting, nowMs: Date.parse(record.time) };
    const judge: Call['judge'] = (engine, more) => {
      const surroundings = (event: Event) => place.surroundings(event, engine.program);
      const manner = { engine, memory: history.memory, surroundings, ...more };
      return answerInOrder(past, { ...manner, verdict: () => ({ type: 'unasked' }) }, history.history);
    };
    return [{ judge, host, outcome: undefined }];
  });
  return calls.length === 0 ? undefined : { cwd: records[0]?.cwd, calls };
}
