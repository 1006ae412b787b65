import type { JsonObject } from '../../lib/json.ts';
import { isJsonObject, type Json, own, ownString } from '../../lib/json.ts';
import type { Decision } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { Host, Reply } from '../host.ts';
import { overlay } from '../overlay.ts';
import { type AnsweredEvent, plainReply, refuseByBodyAndExitCode } from './answers.ts';
import type { Dialect } from './dialect.ts';
import { subjectOf } from './subject.ts';

/** Puts a decision into the answers of a host. A decision that it has no answers for becomes its refusal, if there is one. */
export function encodeWith({ title, answers, exitStyle = refuseByBodyAndExitCode }: Dialect): Host['encode'] {
  const beside = (event: Event, decision: Decision) => answers.beside?.(event, decision) ?? {};
  const nothing = (event: Event, decision: Decision) =>
    plainReply(overlay(answers.pass?.(event) ?? {}, beside(event, decision)));
  const refuse = (event: Event, decision: Decision, body: JsonObject | undefined, text: string): Reply =>
    body === undefined
      ? nothing(event, decision)
      : exitStyle(overlay(body, beside(event, decision)), text, event.kind);
  const deny = (event: Event, decision: Decision, text = reasonOf(decision)) =>
    refuse(event, decision, answers.deny(event, text), text);
  return (event, decision, setting) => {
    const reason = reasonOf(decision);
    switch (decision.action) {
      case 'continue':
        return nothing(event, decision);
      case 'approve':
        return plainReply(
          overlay(
            answers.approve?.(event, decision.reason ?? 'Approved by policy', setting) ??
              answers.pass?.(event) ??
              {},
            beside(event, decision),
          ),
        );
      case 'deny':
        return deny(event, decision);
      case 'ask': {
        const asked = answers.ask?.(event, reason);
        return asked === undefined
          ? deny(event, decision)
          : plainReply(overlay(asked, beside(event, decision)));
      }
      case 'abort_turn':
      case 'hard_abort':
        return event.kind === 'after_turn'
          ? // To some hosts exit code 2 means here that the agent shall go on.
            plainReply(overlay(answers.stop?.(event, reason) ?? {}, beside(event, decision)))
          : refuse(event, decision, (answers.stop ?? answers.deny)(event, reason), reason);
      case 'retry_feedback': {
        const feedback = nonEmptyReason(decision.feedback ?? decision.reason);
        const again = answers.retry?.(event, feedback);
        return again === undefined
          ? deny(event, decision, feedback)
          : refuse(event, decision, again, feedback);
      }
      case 'respond': {
        const text = nonEmptyReason(decision.result?.for_llm ?? decision.reason);
        const instead = answers.respond?.(event, text, decision.result?.is_error === true);
        return instead === undefined ? deny(event, decision, text) : plainReply(instead);
      }
      case 'modify': {
        const rewritten = answers.rewrite?.(event, decision.subject ?? event.subject);
        if (rewritten !== undefined) return plainReply(overlay(rewritten, beside(event, decision)));
        return decision.onUnsupported === 'continue'
          ? nothing(event, decision)
          : deny(event, decision, `Cannot rewrite on ${title}: the agent does not accept the result`);
      }
      default:
        return decision.action satisfies never;
    }
  };
}

/** Refuses a message that cannot be judged, by as much of it as can be read. */
export function refuseWith({
  events,
  answers,
  exitStyle = refuseByBodyAndExitCode,
  read = (message) => message,
}: Dialect): (message: Json | undefined, cause: string) => Reply {
  return (message, cause) => {
    const reason = `Refused by policy: this event cannot be judged: ${cause}`;
    const fields = isJsonObject(message) ? read(message) : {};
    const native = ownString(fields, 'hook_event_name');
    // An event that was only guessed by other fields may be another one.
    const isNamed = isJsonObject(message) && NAME_FIELDS.some((field) => own(message, field) === native);
    const kind =
      native !== undefined && isNamed && Object.hasOwn(events, native) ? events[native] : undefined;
    if (native === undefined || kind === undefined)
      return exitStyle((answers.stop ?? answers.deny)(ANY_CALL, reason) ?? {}, reason, undefined);
    const subject = subjectOf(kind, fields);
    const body = answers.deny(
      {
        kind,
        native,
        ...(isJsonObject(message) ? { raw: message } : {}),
        subject: typeof subject === 'string' ? { result: own(fields, 'tool_response') ?? null } : subject,
      },
      reason,
    );
    return body === undefined ? plainReply({}) : exitStyle(body, reason, kind);
  };
}

const NAME_FIELDS = ['hook_event_name', 'hookEventName'] as const;

/** A message that does not name its event counts as this one; a stop prevents other things as well. */
const ANY_CALL: AnsweredEvent = { kind: 'before_tool', native: 'PreToolUse', subject: {} };

/** Some hosts take an empty reason for no refusal. */
function nonEmptyReason(reason: string | undefined): string {
  return reason === undefined || reason.trim() === '' ? 'Refused by policy' : reason;
}

function reasonOf({ reason }: Decision): string {
  return nonEmptyReason(reason);
}
