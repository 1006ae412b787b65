import type { Action } from '../../model/action.ts';
import { type EventKind, TOOL_EVENTS } from '../../model/event.ts';

/** An author's spelling of an action, on fewer events. It does not occur after loading. */
export interface ActionAlias {
  readonly action: Action;
  readonly events: readonly EventKind[];
}

/** By the name that a policy file may use. */
export const ACTION_ALIASES: Readonly<Record<string, ActionAlias>> = {
  deny_tool: { action: 'deny', events: TOOL_EVENTS },
};
