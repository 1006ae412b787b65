import type { Layer } from '../../../model/policy.ts';

/** Layers that may weaken what happens on errors, and switch off policies of packs. */
export const TRUSTED_LAYERS: readonly Layer[] = ['named', 'organisation', 'user'];

/** True for a file that is neither a pack of this build nor of such a layer. */
export function isUntrusted({
  layer,
  pack,
}: {
  readonly layer: Layer;
  readonly pack: string | undefined;
}): boolean {
  return pack === undefined && !TRUSTED_LAYERS.includes(layer);
}
