import type { Layer } from '../../../model/policy.ts';

/** Layers that may let calls pass on errors, and switch off policies of packs. */
export const TRUSTED_LAYERS: readonly Layer[] = ['named', 'organisation', 'user'];

/** True for a file that is no pack of this build and in none of these layers. */
export function isUntrusted({
  layer,
  pack,
}: {
  readonly layer: Layer;
  readonly pack: string | undefined;
}): boolean {
  return pack === undefined && !TRUSTED_LAYERS.includes(layer);
}
