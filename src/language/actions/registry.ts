import { ACTION_LOADERS } from './action-loaders.ts';
import type { ActionSpec } from './action-spec.ts';

export { actionSpec } from './action-loaders.ts';

/** The specs of all actions, strongest first, loaded. */
export const ACTION_SPECS: readonly ActionSpec[] = Object.values(ACTION_LOADERS).map((load) => load());
