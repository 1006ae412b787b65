import type { EventKind } from '../../model/event.ts';

/** jcli's event names with their kinds here. `stop` is the end of a turn, micro and auto are sizes of compaction. */
export const EVENTS = {
  session_start: 'session_start',
  pre_send_message: 'before_prompt',
  post_send_message: 'prompt_sent',
  pre_llm_request: 'before_llm',
  post_llm_response: 'after_llm',
  pre_tool_execution: 'before_tool',
  post_tool_execution: 'after_tool',
  post_tool_execution_failure: 'tool_failure',
  stop: 'after_turn',
  pre_auto_compact: 'before_compact',
  pre_micro_compact: 'before_compact',
  post_auto_compact: 'after_compact',
  post_micro_compact: 'after_compact',
  session_end: 'session_end',
} as const satisfies Readonly<Record<string, EventKind>>;

export type NativeEvent = keyof typeof EVENTS;

export type JcliKind = (typeof EVENTS)[NativeEvent];

/** True if jcli has an event of this name, as far as we know. */
export function isNativeEvent(name: string): name is NativeEvent {
  return Object.hasOwn(EVENTS, name);
}

/** A field of messages with a text, and the text's key in a policy. */
export type TextField = readonly [field: string, key: string];

export const TEXT_EVENTS = {
  before_prompt: ['user_input', 'prompt'],
  prompt_sent: ['user_input', 'prompt'],
  after_llm: ['assistant_output', 'response'],
  after_tool: ['tool_result', 'result'],
  tool_failure: ['tool_error', 'result'],
} as const satisfies Readonly<Partial<Record<JcliKind, TextField>>>;
