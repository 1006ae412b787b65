import type { Layer } from '../../../model/policy.ts';

/** Layers that may weaken what happens on errors, and switch off policies of packs. */
export const TRUSTED_LAYERS: readonly Layer[] = ['named', 'organisation', 'user'];
