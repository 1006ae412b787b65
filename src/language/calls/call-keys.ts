import type { JsonObject } from '../../lib/json.ts';
import { CLOSED, TEXT } from '../../lib/schema-parts.ts';
import { CONTEXT_KEYS, EVENT_KINDS, type EventKind } from '../../model/event.ts';

/** The events that are about one tool call. */
export const TOOL_KINDS: readonly EventKind[] = ['before_tool', 'approve_tool', 'after_tool', 'tool_failure'];

/** A key of a call that does not name an argument of the tool. */
export interface CallKey {
  readonly schema: JsonObject;
  /** The events whose calls have it. */
  readonly events: readonly EventKind[];
}

const TALK: readonly EventKind[] = EVENT_KINDS.filter(
  (kind) => !TOOL_KINDS.includes(kind) && kind !== 'notification',
);
const SCALAR: JsonObject = { type: ['string', 'number', 'boolean'] };

export const CONTEXT_SCHEMA: JsonObject = {
  description: 'Facts about the conversation; what is not given here is not known',
  ...CLOSED,
  minProperties: 1,
  properties: Object.fromEntries(CONTEXT_KEYS.map((key) => [key, SCALAR])),
};

/** The keys of a call. Every other key is an argument of the tool. */
export const CALL_KEYS: Readonly<Record<string, CallKey>> = {
  on: {
    schema: {
      description: 'The event; follows from the other keys unless given',
      type: 'string',
      enum: EVENT_KINDS,
    },
    events: EVENT_KINDS,
  },
  tool: {
    schema: { description: "A portable class or an agent's own name of a tool; shell unless given", ...TEXT },
    events: TOOL_KINDS,
  },
  arguments: {
    schema: {
      description: "The tool's arguments, all of them; any other key of the call names one argument",
      type: 'object',
    },
    events: TOOL_KINDS,
  },
  model: { schema: { description: "The model's name", ...TEXT }, events: EVENT_KINDS },
  prompt: {
    schema: { description: 'What the user says', type: 'string' },
    events: [...TALK.filter((kind) => kind !== 'after_llm'), 'notification'],
  },
  messages: {
    schema: { description: 'The conversation so far', type: 'array', items: { type: 'object' } },
    events: TALK,
  },
  result: { schema: { description: 'What the tool gave back' }, events: ['after_tool', 'tool_failure'] },
  response: { schema: { description: 'What the model answers' }, events: ['after_llm', 'after_turn'] },
  context: { schema: CONTEXT_SCHEMA, events: EVENT_KINDS },
  event: {
    schema: { description: "Fields of the agent's own event, laid over it", type: 'object' },
    events: EVENT_KINDS,
  },
};

/** The events that a call without an event may mean, likeliest first; by default before a tool call. */
export const EVENTS_BY_LIKELIHOOD: readonly EventKind[] = [
  'before_tool',
  'after_tool',
  'after_llm',
  'after_turn',
  'before_llm',
  'before_prompt',
  ...EVENT_KINDS,
];

/** The key that speaks for an event. */
export const MAIN_KEYS: Readonly<Partial<Record<EventKind, string>>> = {
  after_tool: 'result',
  after_llm: 'response',
  after_turn: 'response',
  before_llm: 'messages',
  before_prompt: 'prompt',
};
