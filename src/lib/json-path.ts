import { deepEqual } from './deep-equal.ts';
import { isJsonObject, type Json, type JsonObject, own } from './json.ts';

/** Splits a path such as `edits.*.path`; `*` is any key or index. The empty path is the whole value. */
export function parsePath(path: string): readonly string[] {
  return path === '' ? [] : path.split('.');
}

/** Every value at a path, in document order. `*` matches each child of one level; `*` alone every string at any depth. */
export function valuesAt(value: Json, path: readonly string[]): readonly Json[] {
  const [first] = path;
  if (path.length === 1 && first !== undefined) {
    if (first === '*') return stringsIn(value);
    const child = childAt(value, first);
    return child === undefined ? [] : [child];
  }
  let level: Json[] = [value];
  for (const segment of path) {
    const next: Json[] = [];
    for (const parent of level) {
      if (segment === '*') {
        for (const child of childrenOf(parent)) next.push(child);
      } else {
        const child = childAt(parent, segment);
        if (child !== undefined) next.push(child);
      }
    }
    level = next;
  }
  return level;
}

/**
 * A copy with another value at a path; the same object if nothing changes. Creates missing keys, but no list items; `*` is each
 * child.
 */
export function setAt(value: Json, path: readonly string[], replacement: Json): Json {
  const [segment, ...rest] = path;
  if (segment === undefined) return deepEqual(value, replacement) ? value : replacement;
  if (Array.isArray(value)) return withItems(value, segment, (item) => setAt(item, rest, replacement));
  if (!isJsonObject(value)) return value;
  if (segment === '*') return mapChildren(value, (child) => setAt(child, rest, replacement));
  const child = own(value, segment);
  if (child !== undefined) return withKey(value, segment, setAt(child, rest, replacement));
  return rest.includes('*') ? value : withKey(value, segment, nested(rest, replacement));
}

/** A copy without the values at a path; the same object if there are none. `*` matches each child there is. */
export function removeAt(value: Json, path: readonly string[]): Json {
  const [segment, ...rest] = path;
  if (segment === undefined) return value;
  if (rest.length === 0) return withoutChild(value, segment);
  if (Array.isArray(value)) return withItems(value, segment, (item) => removeAt(item, rest));
  if (!isJsonObject(value)) return value;
  if (segment === '*') return mapChildren(value, (child) => removeAt(child, rest));
  const child = own(value, segment);
  return child === undefined ? value : withKey(value, segment, removeAt(child, rest));
}

/** A copy with every child of a list or object changed, in one go; the same value if none changes or it has none. */
export function mapChildren(value: Json, change: (child: Json) => Json): Json {
  if (Array.isArray(value)) return withItems(value, '*', change);
  if (!isJsonObject(value)) return value;
  const before = Object.entries(value);
  const after = before.map(([key, child]): [string, Json] => [key, change(child)]);
  return after.some(([, child], i) => child !== before[i]?.[1]) ? Object.fromEntries(after) : value;
}

/** A value with every string in it changed, itself included; the same object if none changed, and unchanged parts are shared. */
export function mapStrings(value: Json, change: (text: string) => Json): Json {
  return typeof value === 'string' ? change(value) : mapChildren(value, (child) => mapStrings(child, change));
}

/** The value at an exact path: strings are keys of objects, numbers indexes of lists. */
export function atPath(value: Json, path: readonly (string | number)[]): Json | undefined {
  let here: Json | undefined = value;
  for (const step of path) {
    here = stepInto(here, step);
    if (here === undefined) return undefined;
  }
  return here;
}

/** A copy with another value at an exact path; the same object if the path leads nowhere or nothing changes. */
export function withAtPath(value: Json, path: readonly (string | number)[], replacement: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return deepEqual(value, replacement) ? value : replacement;
  const child = stepInto(value, step);
  if (child === undefined) return value;
  const changed = withAtPath(child, rest, replacement);
  if (Array.isArray(value)) return changed === child ? value : value.with(Number(step), changed);
  return isJsonObject(value) ? withKey(value, String(step), changed) : value;
}

/** Every string inside a value, itself included, in document order; keys are not values. Safe at any depth. */
export function stringsIn(value: Json): string[] {
  const strings: string[] = [];
  eachLeaf(value, (leaf) => {
    if (typeof leaf === 'string') strings.push(leaf);
  });
  return strings;
}

/** Every string, and every number, boolean and null as JSON text, in document order. Safe at any depth. */
export function scalarsIn(value: Json): string[] {
  const scalars: string[] = [];
  eachLeaf(value, (leaf) => scalars.push(String(leaf)));
  return scalars;
}

/** Iterative, because JSON.parse delivers nesting that would overflow a recursive walk. */
function eachLeaf(value: Json, visit: (leaf: string | number | boolean | null) => void): void {
  const open: Json[] = [value];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    if (typeof here !== 'object' || here === null) {
      visit(here);
      continue;
    }
    const children = childrenOf(here);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child !== undefined) open.push(child);
    }
  }
}

function childrenOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

function childAt(value: Json, segment: string): Json | undefined {
  if (Array.isArray(value)) return value[indexOf(segment)];
  return isJsonObject(value) ? own(value, segment) : undefined;
}

function stepInto(value: Json, step: string | number): Json | undefined {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
  return isJsonObject(value) ? own(value, step) : undefined;
}

/** The index a segment names, or -1: `01` and `1e3` are not indexes. */
function indexOf(segment: string): number {
  return /^(?:0|[1-9]\d{0,8})$/.test(segment) ? Number(segment) : -1;
}

function nested(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

function withItems(list: readonly Json[], segment: string, change: (item: Json) => Json): readonly Json[] {
  const only = segment === '*' ? undefined : indexOf(segment);
  const changed = list.map((item, i) => (only === undefined || only === i ? change(item) : item));
  return changed.some((item, i) => item !== list[i]) ? changed : list;
}

/** A computed key in a literal defines an own property, `__proto__` included. */
function withKey(object: JsonObject, key: string, value: Json): JsonObject {
  if (own(object, key) === value) return object;
  return { ...object, [key]: value };
}

function withoutChild(value: Json, segment: string): Json {
  if (Array.isArray(value)) {
    const kept = segment === '*' ? [] : value.filter((_, i) => i !== indexOf(segment));
    return kept.length === value.length ? value : kept;
  }
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => segment !== '*' && key !== segment);
  return kept.length === Object.keys(value).length ? value : Object.fromEntries(kept);
}
