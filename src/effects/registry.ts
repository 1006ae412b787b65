import type { Action } from '../model/action.ts';
import { abortTurn } from './abort-turn.ts';
import { approve } from './approve.ts';
import { ask } from './ask.ts';
import { continueEffect } from './continue.ts';
import { deny } from './deny.ts';
import type { Effect } from './effect.ts';
import { hardAbort } from './hard-abort.ts';
import { modify } from './modify.ts';
import { respond } from './respond.ts';
import { retryFeedback } from './retry-feedback.ts';

const BY_ACTION: Readonly<Record<Action, Effect>> = {
  hard_abort: hardAbort,
  abort_turn: abortTurn,
  deny,
  ask,
  retry_feedback: retryFeedback,
  respond,
  modify,
  approve,
  continue: continueEffect,
};

/** Every effect, strongest first. */
export const EFFECTS: readonly Effect[] = Object.values(BY_ACTION);

/** The effect of an action. */
export function effectOf(action: Action): Effect {
  return BY_ACTION[action];
}
