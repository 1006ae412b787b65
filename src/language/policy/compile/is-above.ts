import { LAYERS, type Layer } from '../../../model/policy.ts';

interface Layered {
  readonly layer: Layer;
}

export function isAbove(upper: Layered, lower: Layered): boolean {
  return LAYERS.indexOf(upper.layer) < LAYERS.indexOf(lower.layer);
}
