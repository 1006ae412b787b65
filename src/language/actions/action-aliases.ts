import type { Action } from '../../model/action.ts';
import type { EventKind } from '../../model/event.ts';
import { TOOL_EVENTS } from './event-groups.ts';

/** An author's spelling of an action, on fewer events. It does not occur after loading. */
export interface ActionAlias {
  readonly action: Action;
  readonly events: readonly EventKind[];
}

/** By the name that a policy file may use. */
export const ACTION_ALIASES: Readonly<Record<string, ActionAlias>> = {
  deny_tool: { action: 'deny', events: TOOL_EVENTS },
};
