import type { Effect } from './effect.ts';
import { EFFECT_LOADERS } from './effect-loaders.ts';

export { effectOf } from './effect-loaders.ts';

/** Every effect, strongest first, all of them loaded. */
export const EFFECTS: readonly Effect[] = Object.values(EFFECT_LOADERS).map((load) => load());
