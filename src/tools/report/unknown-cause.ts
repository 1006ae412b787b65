import { ANALYSES } from '../../language/keys/analyses.ts';
import type { Miss } from '../../model/miss.ts';

/** In words why a key of a policy said unknown. */
export function unknownCause(miss: Miss | undefined): string {
  const key = miss?.path[0];
  if (key === undefined) return 'a key cannot be told';
  return `${key}: ${ANALYSES.get(String(key))?.unknownCause ?? 'it cannot be told'}`;
}
