import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { WHEN } from '../keys/analyses.ts';
import type { KeyShape, Shape } from '../keys/shape.ts';
import { regexAlternatives, topAlternatives } from './regex-alternatives.ts';
import type { Site } from './site.ts';

/** Everything that can be taken away from the matching keys of a policy. */
export function sitesOf(when: JsonObject): readonly Site[] {
  const sites: Site[] = [];
  const same = (value: Json): JsonObject => (isJsonObject(value) ? value : {});
  walk(when, WHEN, { path: [], negative: false, put: same, narrow: same }, sites);
  return sites;
}

/** A place in the keys, and how to make keys with another value there. */
interface Spot {
  readonly path: readonly (string | number)[];
  readonly negative: boolean;
  /** The keys with another value here. */
  readonly put: (value: Json) => JsonObject;
  /** The same, without any alternative to this place. */
  readonly narrow: (value: Json) => JsonObject;
}

function walk(value: Json, shape: Shape, spot: Spot, sites: Site[]): void {
  switch (shape.type) {
    case 'whole':
      return;
    case 'either':
      walk(value, isJsonObject(value) ? shape.mapping : shape.text, spot, sites);
      return;
    case 'keys':
      if (isJsonObject(value)) walkKeys(value, shape, spot, sites);
      return;
    case 'choice':
      if (Array.isArray(value)) walkChoice(value, shape, spot, sites);
      else walk(value, shape.item, spot, sites);
      return;
    case 'every':
    case 'sequence':
      if (Array.isArray(value)) walkList(value, shape, spot, sites);
      else walk(value, shape.item, spot, sites);
      return;
    case 'options':
      if (isJsonObject(value)) walkOptions(value, shape.item, spot, sites);
      return;
    case 'regex':
      if (typeof value === 'string') walkRegex(value, spot, sites);
      return;
    case 'glob':
      if (typeof value === 'string') addWider(widerGlobs(value), spot, sites);
      return;
    case 'names':
      if (typeof value === 'string') walkNames(value, spot, sites);
      return;
    default:
      shape satisfies never;
  }
}

function walkKeys(
  mapping: JsonObject,
  { keys, other }: Extract<Shape, { type: 'keys' }>,
  spot: Spot,
  sites: Site[],
): void {
  const known = keys();
  for (const [key, value] of Object.entries(mapping)) {
    const part: KeyShape = Object.hasOwn(known, key)
      ? (known[key] ?? { shape: { type: 'whole' } })
      : { shape: other ?? { type: 'whole' } };
    const path = [...spot.path, key];
    const { [key]: _dropped, ...rest } = mapping;
    // Without its last key a mapping says nothing: then it is left out whole, further up.
    if (part.fixed !== true && (spot.path.length === 0 || Object.keys(rest).length > 0)) {
      const excepts = part.negative === true;
      sites.push({ type: 'key', path, label: key, negative: spot.negative, excepts, drop: spot.put(rest) });
    }
    const inside: Spot = {
      path,
      negative: spot.negative !== (part.negative === true),
      put: (changed) => spot.put({ ...mapping, [key]: changed }),
      narrow: (changed) => spot.narrow({ ...mapping, [key]: changed }),
    };
    walk(value, part.shape, inside, sites);
  }
}

function walkChoice(
  list: readonly Json[],
  { item, outOfReach, takesBack }: Extract<Shape, { type: 'choice' }>,
  spot: Spot,
  sites: Site[],
): void {
  const isBack = (value: Json) =>
    takesBack !== undefined && typeof value === 'string' && value.startsWith(takesBack);
  const [backs, others] = [list.filter(isBack), list.filter((value) => !isBack(value))];
  for (const [index, value] of list.entries()) {
    if (typeof value === 'string' && outOfReach?.includes(value)) continue;
    const path = [...spot.path, index];
    if (list.length > 1) {
      sites.push({
        type: 'alternative',
        path,
        label: labelOf(value),
        negative: spot.negative !== isBack(value),
        only: spot.narrow(isBack(value) ? [...others, value] : [value, ...backs]),
        drop: spot.put(list.toSpliced(index, 1)),
      });
    }
    const inside: Spot = {
      path,
      negative: spot.negative,
      put: (changed) => spot.put(list.with(index, changed)),
      narrow: (changed) => spot.narrow([changed]),
    };
    walk(value, item, inside, sites);
  }
}

function walkOptions(mapping: JsonObject, item: Shape, spot: Spot, sites: Site[]): void {
  for (const [key, value] of Object.entries(mapping)) {
    const path = [...spot.path, key];
    const { [key]: _dropped, ...rest } = mapping;
    if (Object.keys(rest).length > 0) {
      sites.push({
        type: 'alternative',
        path,
        label: key,
        negative: spot.negative,
        only: spot.narrow({ [key]: value }),
        drop: spot.put(rest),
      });
    }
    const inside: Spot = {
      path,
      negative: spot.negative,
      put: (changed) => spot.put({ ...mapping, [key]: changed }),
      narrow: (changed) => spot.narrow({ [key]: changed }),
    };
    walk(value, item, inside, sites);
  }
}

function walkList(
  list: readonly Json[],
  { type, item }: Extract<Shape, { type: 'every' | 'sequence' }>,
  spot: Spot,
  sites: Site[],
): void {
  for (const [index, value] of list.entries()) {
    const path = [...spot.path, index];
    const isDroppable = list.length > 1 && (type === 'every' || index === list.length - 1);
    if (isDroppable) {
      const drop = spot.put(list.toSpliced(index, 1));
      sites.push({ type: 'item', path, label: labelOf(value), negative: spot.negative, drop });
    }
    const inside: Spot = {
      path,
      negative: spot.negative,
      put: (changed) => spot.put(list.with(index, changed)),
      narrow: (changed) => spot.narrow(list.with(index, changed)),
    };
    walk(value, item, inside, sites);
  }
}

function walkRegex(source: string, spot: Spot, sites: Site[]): void {
  for (const { before, alternatives, after } of regexAlternatives(source)) {
    for (const [index, alternative] of alternatives.entries()) {
      const others = alternatives.toSpliced(index, 1).join('|');
      sites.push({
        type: 'alternative',
        path: spot.path,
        label: alternative,
        negative: spot.negative,
        only: spot.narrow(before + alternative + after),
        drop: spot.put(before + others + after),
      });
    }
  }
  addWider(widerRegexes(source), spot, sites);
}

function walkNames(names: string, spot: Spot, sites: Site[]): void {
  const list = names.split('|').map((name) => name.trim());
  if (list.length < 2) return;
  for (const [index, name] of list.entries()) {
    sites.push({
      type: 'alternative',
      path: spot.path,
      label: name,
      negative: spot.negative,
      only: spot.narrow(name),
      drop: spot.put(list.toSpliced(index, 1).join('|')),
    });
  }
}

function addWider(wider: readonly WiderPattern[], spot: Spot, sites: Site[]): void {
  for (const { without, pattern } of wider) {
    const drop = spot.put(pattern);
    sites.push({ type: 'pattern', path: spot.path, label: without, negative: spot.negative, drop });
  }
}

const MAX_LABEL = 80;

function labelOf(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text;
}

/** A pattern that matches more, and the part that was taken from it. */
interface WiderPattern {
  readonly without: string;
  readonly pattern: string;
}

/** A regex without the anchors at the ends of one of its alternatives, each on its own. */
export function widerRegexes(source: string): readonly WiderPattern[] {
  const top = topAlternatives(source);
  if (top === undefined) {
    const flags = /^\(\?[imsU-]+\)/.exec(source)?.[0] ?? '';
    return unanchored(source.slice(flags.length)).map((wider) => ({
      ...wider,
      pattern: flags + wider.pattern,
    }));
  }
  return top.alternatives.flatMap((alternative, index) =>
    unanchored(alternative).map(({ without, pattern }) => ({
      without: `${without} of "${alternative}"`,
      pattern: top.before + top.alternatives.with(index, pattern).join('|'),
    })),
  );
}

const START = /^(?:\^|\\b|\\A)/;
/** The backslash of the anchor is not escaped itself. */
const END = /(?:\$|\\b|\\z)$(?<=(?:^|[^\\])(?:\\\\)*(?:\$|\\b|\\z))/;

function unanchored(source: string): readonly WiderPattern[] {
  return [START, END].flatMap((anchor) => {
    const found = anchor.exec(source)?.[0];
    const pattern = source.replace(anchor, '');
    return found === undefined || pattern === '' ? [] : [{ without: `"${found}"`, pattern }];
  });
}

/** A glob in which one `*` for a folder or file crosses folders, each on its own. */
export function widerGlobs(glob: string): readonly WiderPattern[] {
  return [...glob.matchAll(/(?<=^|\/)\*(?=\/|$)/g)].map(({ index }) => ({
    without: `the limit of "*" to one folder`,
    pattern: `${glob.slice(0, index)}**${glob.slice(index + 1)}`,
  }));
}
