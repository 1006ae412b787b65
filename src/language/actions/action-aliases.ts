import type { Action } from '../../model/action.ts';
import type { EventKind } from '../../model/event.ts';
import { TOOL_EVENTS } from './event-groups.ts';

/** An author's spelling of an action, on fewer events. It does not occur after loading. */
export interface ActionAlias {
  readonly action: Action;
  readonly summary: string;
  readonly events: readonly EventKind[];
}

/** By the name that a policy file may use. */
export const ACTION_ALIASES: Readonly<Record<string, ActionAlias>> = {
  deny_tool: {
    action: 'deny',
    summary: 'deny, on tool events only: the call does not run and the model reads why',
    events: TOOL_EVENTS,
  },
};
