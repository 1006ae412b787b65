import { isJsonObject, type Json } from './json.ts';

/** True if two JSON values are the same; the order of keys does not matter. Iterative, so safe at any depth. */
export function deepEqual(a: Json, b: Json): boolean {
  const pending: [Json | undefined, Json | undefined][] = [[a, b]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (Array.isArray(left)) {
      if (!Array.isArray(right) || left.length !== right.length) return false;
      for (let i = 0; i < left.length; i++) pending.push([left[i], right[i]]);
    } else if (isJsonObject(left)) {
      if (!isJsonObject(right)) return false;
      const keys = Object.keys(left);
      if (keys.length !== Object.keys(right).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(right, key)) return false;
        pending.push([left[key], right[key]]);
      }
    } else {
      return false;
    }
  }
  return true;
}
