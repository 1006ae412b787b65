import { createRemembering, type Remembering } from '../../hook/remembering.ts';
import type { Host, HostSetting } from '../../hosts/host.ts';
import type { Answer } from '../../language/calls/answer-call.ts';
import { answerDecoded, answerMessage, type Session } from '../../language/calls/answer-call.ts';
import { isFeedback } from '../../language/engine/retries.ts';
import type { Json } from '../../lib/json.ts';
import type { Event } from '../../model/event.ts';
import { type History, type HistoryStore, NO_HISTORY } from '../../model/history.ts';

/** A message that a host sent, or would have sent. */
export interface PastMessage {
  readonly message: Json;
  readonly host: Host;
  readonly setting: HostSetting;
  readonly nowMs: number;
}

export type OrderedSession = Session &
  Required<Pick<Session, 'surroundings'>> & {
    /** Shown each answer with the calls before it, while those are all. */
    readonly look?: (answer: Answer, before: History) => void;
  };

/** Answers a message by the calls before it, and keeps it for those after it, as the hook does. */
export function answerInOrder(
  past: PastMessage,
  session: OrderedSession,
  history: () => HistoryStore,
): Answer {
  const { message, host, setting } = past;
  const known = rememberingOf(past, session, history);
  if (known === undefined) {
    const answer = answerMessage(message, host, setting, session);
    session.look?.(answer, NO_HISTORY);
    return answer;
  }
  const { event, remembering } = known;
  remembering.begin(event.startsTurn === true && !isFeedback(event, session.memory));
  const before = remembering.history();
  const answer = answerDecoded(event, host, setting, { ...session, history: () => before });
  session.look?.(answer, before);
  remembering.keep(answer.decision, true);
  remembering.end();
  return answer;
}

/** Ties a result to its call, and judges nothing. */
export function keepResult(past: PastMessage, session: OrderedSession, history: () => HistoryStore): void {
  rememberingOf(past, session, history)?.remembering.end();
}

/** Undefined if no policy asks for earlier calls. */
function rememberingOf(
  { message, host, setting, nowMs }: PastMessage,
  { engine, surroundings }: OrderedSession,
  history: () => HistoryStore,
): { readonly event: Event; readonly remembering: Remembering } | undefined {
  const { facts } = engine.program;
  const decoded = facts === undefined ? undefined : host.decode(message, setting);
  if (facts === undefined || decoded?.type !== 'event') return undefined;
  const { event } = decoded;
  const { program } = engine;
  const parts = { host, event, program, facts, surroundings, open: history, nowMs: () => nowMs };
  return { event, remembering: createRemembering(parts) };
}
