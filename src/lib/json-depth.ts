import { isJsonObject, type Json } from './json.ts';

/** True if lists and objects nest more than `maxDepth` levels deep. Iterative, so safe at any depth. */
export function nestsDeeper(value: Json, maxDepth: number): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; depth <= maxDepth; depth++) {
    level = level.flatMap(childrenOf);
    if (level.length === 0) return false;
  }
  return level.some((item) => typeof item === 'object' && item !== null) || level.length > 0;
}

function childrenOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}
