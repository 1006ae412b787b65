import type { JsonObject } from '../../lib/json.ts';
import type { Decision } from '../../model/decision.ts';
import type { Event, EventKind, Subject } from '../../model/event.ts';
import type { HostSetting, Reply } from '../host.ts';

/** The event of an answer: as much of it as there is if it could not be read. */
export type AnsweredEvent = Pick<Event, 'kind' | 'native' | 'subject'> &
  Partial<Pick<Event, 'raw' | 'context'>>;

/** The answers of a host to decisions. Each returns a whole answer; undefined if this event has no answers for it. */
export interface Answers {
  /** Lets the event's action happen, as the host would have it; says nothing unless given. */
  readonly pass?: (on: AnsweredEvent) => JsonObject;
  /** Prevents the event's action. */
  readonly deny: (on: AnsweredEvent, reason: string) => JsonObject | undefined;
  /** The same, and ends the agent's turn; as `deny` unless given. */
  readonly stop?: (on: AnsweredEvent, reason: string) => JsonObject | undefined;
  /** Asks a person; as `deny` unless given. */
  readonly ask?: (on: AnsweredEvent, reason: string) => JsonObject | undefined;
  /** Lets it happen without asking a person, and as the setting has it, from then on; says nothing unless given. */
  readonly approve?: (
    on: AnsweredEvent,
    reason: string,
    setting?: Pick<HostSetting, 'keepYes'>,
  ) => JsonObject | undefined;
  /** Answers in the place of a tool; as `deny` unless given. */
  readonly respond?: (on: AnsweredEvent, text: string, isError: boolean) => JsonObject | undefined;
  /** Sends the agent back to work. */
  readonly retry?: (on: AnsweredEvent, feedback: string) => JsonObject | undefined;
  /** Puts another subject in the place of the event's. */
  readonly rewrite?: (on: AnsweredEvent, subject: Subject) => JsonObject | undefined;
  /** The fields beside any of these; none unless given. */
  readonly beside?: (on: AnsweredEvent, decision: Pick<Decision, 'messages' | 'contexts'>) => JsonObject;
}

/** Turns the answers of a refusal into the output and exit code. The kind is undefined if the message does not name it. */
export type ExitStyle = (body: JsonObject, reason: string, kind: EventKind | undefined) => Reply;

/** An answer that refuses nothing. */
export function plainReply(body: JsonObject): Reply {
  return { stdout: JSON.stringify(body), stderr: '', exitCode: 0 };
}

/**
 * The answers, and exit code 2 with the reason on stderr: this refuses even where something else has printed before it. For
 * hosts that listen to both.
 */
export function refuseByBodyAndExitCode(body: JsonObject, reason: string): Reply {
  return { stdout: JSON.stringify(body), stderr: `${reason}\n`, exitCode: 2 };
}

/** The answers alone, for hosts that would not read them beside another exit code. */
export function refuseByBody(body: JsonObject): Reply {
  return plainReply(body);
}
