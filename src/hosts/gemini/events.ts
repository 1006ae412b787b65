import type { EventKind } from '../../model/event.ts';

/** Gemini CLI's event names (its `docs/hooks/reference.md`) with their kinds here. */
export const EVENTS = {
  SessionStart: 'session_start',
  BeforeAgent: 'before_prompt',
  BeforeModel: 'before_llm',
  BeforeToolSelection: 'tool_choice',
  AfterModel: 'after_llm',
  BeforeTool: 'before_tool',
  AfterTool: 'after_tool',
  AfterAgent: 'after_turn',
  PreCompress: 'before_compact',
  Notification: 'notification',
  SessionEnd: 'session_end',
} as const satisfies Readonly<Record<string, EventKind>>;

export type NativeEvent = keyof typeof EVENTS;

export type GeminiKind = (typeof EVENTS)[NativeEvent];

/** True if Gemini CLI has an event of this name, as far as we know. */
export function isNativeEvent(name: string): name is NativeEvent {
  return Object.hasOwn(EVENTS, name);
}
