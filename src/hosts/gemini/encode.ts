import { isJsonObject, type Json, type JsonObject, ownString } from '../../lib/json.ts';
import type { Decision } from '../../model/decision.ts';
import type { Event, EventKind } from '../../model/event.ts';
import type { HostSetting, Reply } from '../host.ts';
import { EVENTS, isNativeEvent } from './events.ts';
import { type Rewrite, rewriteOf, syntheticAnswer } from './rewrite.ts';

/** An answer without effect: JSON that is no object. Silence would not do, because the command line reads it as a failure. */
export const NO_OPINION: Reply = { stdout: 'null', stderr: '', exitCode: 0 };

/** An answer. stderr stays empty: Gemini CLI would read it as the answer if stdout were lost. */
function reply(body: JsonObject, exitCode: 0 | 2): Reply {
  return { stdout: JSON.stringify(body), stderr: '', exitCode };
}

/** A deny stops these events; on others it would do harm, or nothing. */
const DENIABLE: readonly EventKind[] = [
  'before_prompt',
  'before_llm',
  'after_llm',
  'before_tool',
  'after_tool',
];
const STOPPABLE: readonly EventKind[] = [...DENIABLE, 'after_turn'];

/** Puts a decision into the words of Gemini CLI. A decision that the event cannot carry out becomes a deny if there is one. */
export function encode(event: Event, decision: Decision, setting: HostSetting): Reply {
  return event.kind === 'tool_choice' ? toolChoice(event, decision) : answer(event, decision, setting);
}

function answer(event: Event, decision: Decision, setting: HostSetting): Reply {
  switch (decision.action) {
    case 'continue':
    case 'approve':
      return reply(extraFields(event, decision), 0);
    case 'deny':
      return deny(event, decision, decision.reason);
    case 'ask':
      return setting.interactive && event.kind === 'before_tool'
        ? ask(event, decision)
        : deny(event, decision, decision.reason);
    case 'abort_turn':
    case 'hard_abort':
      return abort(event, decision);
    case 'retry_feedback':
      return retry(event, decision);
    case 'respond':
      return respond(event, decision);
    case 'modify':
      return modify(event, decision);
    default:
      return decision.action satisfies never;
  }
}

function deny(event: Event, decision: Decision, reason: string | undefined): Reply {
  if (!DENIABLE.includes(event.kind)) return reply(extraFields(event, decision), 0);
  const said = nonEmptyReason(reason);
  return reply(
    { decision: 'deny', reason: said, ...extraFields(event, withReason(event, decision, said)) },
    2,
  );
}

/** The dialog shows `systemMessage`, the log `reason`. */
function ask(event: Event, decision: Decision): Reply {
  const reason = nonEmptyReason(decision.reason);
  const asked = { ...decision, messages: [reason, ...decision.messages] };
  return reply({ decision: 'ask', reason, ...extraFields(event, asked) }, 0);
}

function abort(event: Event, decision: Decision): Reply {
  if (!STOPPABLE.includes(event.kind)) return reply(extraFields(event, decision), 0);
  const reason = nonEmptyReason(decision.reason);
  // In AfterAgent a deny would ask the model again; elsewhere it backs the stop up.
  const backing = DENIABLE.includes(event.kind) ? { decision: 'deny', reason } : {};
  const beside = extraFields(event, withReason(event, decision, reason));
  return reply({ continue: false, stopReason: reason, ...backing, ...beside }, 2);
}

function retry(event: Event, decision: Decision): Reply {
  const text = decision.feedback ?? decision.reason;
  if (event.kind !== 'after_turn') return deny(event, decision, text);
  return reply({ decision: 'deny', reason: nonEmptyReason(text), ...extraFields(event, decision) }, 0);
}

function respond(event: Event, decision: Decision): Reply {
  const text = decision.result?.for_llm;
  if (event.kind !== 'before_llm' || text === undefined)
    return deny(event, decision, text ?? decision.reason);
  const fields = { decision: 'deny', reason: decision.reason ?? 'Answered by policy' };
  return reply({ ...fields, ...extraFields(event, decision, { llm_response: syntheticAnswer(text) }) }, 0);
}

function modify(event: Event, decision: Decision): Reply {
  const rewrite = rewriteOf(event, decision.subject ?? event.subject);
  switch (rewrite.type) {
    case 'none':
      return reply(extraFields(event, decision), 0);
    case 'output':
      return reply(extraFields(event, decision, rewrite.output), 0);
    case 'impossible':
      return decision.onUnsupported === 'continue'
        ? reply(extraFields(event, decision), 0)
        : deny(event, decision, `Cannot rewrite on Gemini CLI: ${rewrite.why}`);
    default:
      return rewrite satisfies never;
  }
}

/** Around a turn the host shows the message in place of the reason, so it has to hold the reason too. */
function withReason(event: Event, decision: Decision, reason: string): Decision {
  const replaced = event.kind === 'before_prompt' || event.kind === 'after_turn';
  return replaced && decision.messages.length > 0
    ? { ...decision, messages: [reason, ...decision.messages] }
    : decision;
}

/** Any object, even `{}`, sets the tool config; so there is none unless there is something to say. */
function toolChoice(event: Event, decision: Decision): Reply {
  if (decision.action === 'continue' || decision.action === 'approve') return NO_OPINION;
  if (decision.action !== 'modify') return reply(NO_TOOLS, 0);
  const rewrite: Rewrite = rewriteOf(event, decision.subject ?? event.subject);
  return rewrite.type === 'output' ? reply(eventOutput(event, rewrite.output), 0) : NO_OPINION;
}

/** The fields beside the action: the message for the user, the context for the model, and the action's own output. */
function extraFields(event: Event, decision: Decision, output: JsonObject = {}): JsonObject {
  const context = decision.contexts.length === 0 ? {} : { additionalContext: decision.contexts.join('\n') };
  return {
    ...(decision.messages.length === 0 ? {} : { systemMessage: decision.messages.join('\n') }),
    ...(decision.suppressOutput ? { suppressOutput: true } : {}),
    ...eventOutput(event, { ...output, ...context }),
  };
}

function eventOutput(event: Event, output: JsonObject): JsonObject {
  return Object.keys(output).length === 0
    ? {}
    : { hookSpecificOutput: { hookEventName: event.native, ...output } };
}

/** Gemini CLI says "No reason provided" for an empty reason. */
function nonEmptyReason(reason: string | undefined): string {
  return reason === undefined || reason === '' ? 'Refused by policy' : reason;
}

/** No tool may be called. Gemini CLI ignores every other refusal in BeforeToolSelection. */
const NO_TOOLS = {
  hookSpecificOutput: { hookEventName: 'BeforeToolSelection', toolConfig: { mode: 'NONE' } },
} as const;

export function refuse(message: Json | undefined, cause: string): Reply {
  const name = isJsonObject(message) ? ownString(message, 'hook_event_name') : undefined;
  const reason = `Refused by policy: this event cannot be judged: ${cause}`;
  const stop = { continue: false, stopReason: reason };
  // Everything that any event takes for a refusal. The stop keeps AfterAgent from asking the model again.
  if (name === undefined || !isNativeEvent(name))
    return reply({ ...stop, decision: 'deny', reason, ...NO_TOOLS }, 2);
  const kind = EVENTS[name];
  if (kind === 'tool_choice') return reply(NO_TOOLS, 0);
  if (!DENIABLE.includes(kind)) return reply({}, 0);
  // About a model a later hook's `allow` overwrites a `deny`, but not a stop.
  const isAboutModel = kind === 'before_llm' || kind === 'after_llm';
  return reply({ ...(isAboutModel ? stop : {}), decision: 'deny', reason }, 2);
}
