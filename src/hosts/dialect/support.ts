import type { ContextKey } from '../../model/event.ts';
import type { Beside, Support } from '../host.ts';

/** What hosts of this dialect send with every event. */
const CONTEXT: readonly ContextKey[] = ['cwd', 'session', 'host', 'permission_mode', 'agent', 'subagent'];

/** Where the model reads what goes beside an answer. */
export const READ: readonly Beside[] = ['message', 'add_context'];

/** What a host does on one event, where it is like others of its kind. */
export function support(parts: Partial<Support> & Pick<Support, 'actions'>): Support {
  return { rewrites: [], beside: ['message'], context: CONTEXT, model: 'never', ...parts };
}

/** An event that is told and nothing more. */
export const TOLD: Support = support({ actions: ['continue'], note: 'Only notified' });
