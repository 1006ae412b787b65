import type { Action } from '../../model/action.ts';
import type { ActionSpec } from './action-spec.ts';

/** The specs of all actions, strongest first, each loaded when it is asked for: deciding one call needs one of them. */
export const ACTION_LOADERS: Readonly<Record<Action, () => ActionSpec>> = {
  hard_abort: () => (require('./abort.ts') as typeof import('./abort.ts')).hardAbort,
  abort_turn: () => (require('./abort.ts') as typeof import('./abort.ts')).abortTurn,
  deny: () => (require('./deny.ts') as typeof import('./deny.ts')).deny,
  ask: () => (require('./ask.ts') as typeof import('./ask.ts')).ask,
  retry_feedback: () =>
    (require('./retry-feedback.ts') as typeof import('./retry-feedback.ts')).retryFeedback,
  respond: () => (require('./respond.ts') as typeof import('./respond.ts')).respond,
  modify: () => (require('./modify.ts') as typeof import('./modify.ts')).modify,
  approve: () => (require('./approve.ts') as typeof import('./approve.ts')).approve,
  continue: () => (require('./continue.ts') as typeof import('./continue.ts')).continueAction,
};

const loaded: Partial<Record<Action, ActionSpec>> = {};

export function actionSpec(action: Action): ActionSpec {
  const spec = loaded[action] ?? ACTION_LOADERS[action]();
  loaded[action] = spec;
  return spec;
}
