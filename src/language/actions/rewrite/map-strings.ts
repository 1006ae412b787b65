import { isJsonObject, type Json } from '../../../lib/json.ts';

interface Frame {
  readonly source: Json;
  readonly keys: readonly (string | number)[];
  next: number;
  copy: Json[] | Record<string, Json> | undefined;
}

/**
 * A value with every string in it changed, itself included; the same object if none changed, and unchanged parts are
 * shared. Iterative, because JSON.parse delivers nesting that would overflow a recursive walk.
 */
export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  const stack = [open(value)];
  for (;;) {
    const frame = stack[stack.length - 1];
    if (frame === undefined) return value;
    const key = frame.keys[frame.next];
    if (key === undefined) {
      stack.pop();
      const done = frame.copy ?? frame.source;
      const parent = stack[stack.length - 1];
      if (parent === undefined) return done;
      put(parent, done);
      continue;
    }
    const child = childOf(frame.source, key);
    if (typeof child === 'string') put(frame, change(child));
    else if (typeof child === 'object' && child !== null) stack.push(open(child));
    else frame.next += 1;
  }
}

function open(source: Json): Frame {
  const keys = Array.isArray(source) ? [...source.keys()] : Object.keys(isJsonObject(source) ? source : {});
  return { source, keys, next: 0, copy: undefined };
}

function childOf(source: Json, key: string | number): Json | undefined {
  if (typeof key === 'number') return Array.isArray(source) ? source[key] : undefined;
  return isJsonObject(source) ? source[key] : undefined;
}

/** Puts the changed child in its place. Spreading keeps `__proto__` an own key, so that writing it stays safe. */
function put(frame: Frame, child: Json): void {
  const key = frame.keys[frame.next];
  frame.next += 1;
  if (key === undefined || child === childOf(frame.source, key)) return;
  if (typeof key === 'number') {
    const copy = Array.isArray(frame.copy)
      ? frame.copy
      : Array.isArray(frame.source)
        ? [...frame.source]
        : [];
    copy[key] = child;
    frame.copy = copy;
    return;
  }
  const copy: Record<string, Json> =
    frame.copy !== undefined && !Array.isArray(frame.copy)
      ? frame.copy
      : { ...(isJsonObject(frame.source) ? frame.source : {}) };
  copy[key] = child;
  frame.copy = copy;
}
