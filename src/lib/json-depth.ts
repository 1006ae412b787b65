import { isJsonObject, type Json } from './json.ts';

/** The most levels of a host's message. Real ones are far below; deeper values would take seconds. */
export const MAX_MESSAGE_DEPTH = 1_000;

/** True if lists and objects are inside each other on more than `maxDepth` levels. Iterative, so safe at any depth. */
export function nestsDeeper(value: Json, maxDepth: number): boolean {
  let level: readonly Json[] = isContainer(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) return true;
    const below: Json[] = [];
    for (const container of level) addContainers(container, below);
    level = below;
  }
  return false;
}

function addContainers(container: Json, found: Json[]): void {
  if (Array.isArray(container)) {
    for (const item of container) if (isContainer(item)) found.push(item);
  } else if (isJsonObject(container)) {
    for (const key of Object.keys(container)) {
      const item = container[key];
      if (item !== undefined && isContainer(item)) found.push(item);
    }
  }
}

function isContainer(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}
