/** Every action, strongest first; the strongest of all matching policies wins. */
export const ACTIONS = [
  'hard_abort',
  'abort_turn',
  'deny',
  'ask',
  'retry_feedback',
  'respond',
  'modify',
  'approve',
  'continue',
] as const;
export type Action = (typeof ACTIONS)[number];

/** 0 for the strongest action, growing as they weaken. */
export function rankOf(action: Action): number {
  return ACTIONS.indexOf(action);
}

export function isStronger(a: Action, b: Action): boolean {
  return rankOf(a) < rankOf(b);
}

/** The actions that keep the effect from happening or take it out of the agent's hands. */
export function prevents(action: Action): boolean {
  return rankOf(action) <= rankOf('respond');
}

/** Deny, and the stronger actions. */
export function refuses(action: Action): boolean {
  return rankOf(action) <= rankOf('deny');
}

/** The actions that only take freedom away: open to a policy that nobody trusts, and to one that cannot tell whether it matches. */
export function restricts(action: Action): boolean {
  return rankOf(action) <= rankOf('retry_feedback');
}
