import type { JsonObject } from '../../lib/json.ts';
import type { Decision } from '../../model/decision.ts';
import type { Event, EventKind, Subject } from '../../model/event.ts';
import type { HostSetting, Reply } from '../host.ts';

/** The event of an answer, or the known parts of one that could not be read. */
export type AnsweredEvent = Pick<Event, 'kind' | 'native' | 'subject'> &
  Partial<Pick<Event, 'raw' | 'context'>>;

/** The answers of a host to decisions. Each returns a whole answer, or undefined if this event has none. */
export interface Answers {
  /** Lets the event's action happen, without an opinion; by default an empty answer. */
  readonly pass?: (on: AnsweredEvent) => JsonObject;
  /** Prevents the event's action. */
  readonly deny: (on: AnsweredEvent, reason: string) => JsonObject | undefined;
  /** The same, and ends the agent's turn; by default as `deny`. */
  readonly stop?: (on: AnsweredEvent, reason: string) => JsonObject | undefined;
  /** Asks a person; by default as `deny`. */
  readonly ask?: (on: AnsweredEvent, reason: string) => JsonObject | undefined;
  /** Lets it happen without asking a person, and as the setting says, from then on; by default an empty answer. */
  readonly approve?: (
    on: AnsweredEvent,
    reason: string,
    setting?: Pick<HostSetting, 'keepYes'>,
  ) => JsonObject | undefined;
  /** Answers instead of a tool; by default as `deny`. */
  readonly respond?: (on: AnsweredEvent, text: string, isError: boolean) => JsonObject | undefined;
  /** Sends the agent back to work. */
  readonly retry?: (on: AnsweredEvent, feedback: string) => JsonObject | undefined;
  /** Replaces the event's subject. */
  readonly rewrite?: (on: AnsweredEvent, subject: Subject) => JsonObject | undefined;
  /** The fields in addition to any of these; by default none. */
  readonly beside?: (on: AnsweredEvent, decision: Pick<Decision, 'messages' | 'contexts'>) => JsonObject;
}

/** Turns a refusal into output and exit code. The kind is undefined if the message does not name it. */
export type ExitStyle = (body: JsonObject, reason: string, kind: EventKind | undefined) => Reply;

/** An answer that refuses nothing, with exit code 0. */
export function plainReply(body: JsonObject): Reply {
  return { stdout: JSON.stringify(body), stderr: '', exitCode: 0 };
}

/** A refusal by the answer and by exit code 2 with the reason on stderr: it holds even if other programs print. */
export function refuseByBodyAndExitCode(body: JsonObject, reason: string): Reply {
  return { stdout: JSON.stringify(body), stderr: `${reason}\n`, exitCode: 2 };
}

/** A refusal by the answer alone, for hosts that ignore answers with another exit code. */
export function refuseByBody(body: JsonObject): Reply {
  return plainReply(body);
}
