import { isJsonObject, type Json } from '../../lib/json.ts';

/** How to split a spec into parts. A part without a shape stays whole. */
export type Shape =
  | { readonly type: 'whole' }
  | { readonly type: 'regex' }
  /** A glob on paths. */
  | { readonly type: 'glob' }
  /** Names with `|` between them. */
  | { readonly type: 'names' }
  /** One, or a list of which any is enough. */
  | {
      readonly type: 'choice';
      readonly item: Shape;
      /** Items that few cases reach; coverage does not ask for them. */
      readonly outOfReach?: readonly string[];
      /** The prefix of an item that cancels matches of other items. */
      readonly takesBack?: string;
      /** True if one item matches everything that another does. */
      readonly covers?: (wide: Json, narrow: Json) => boolean;
    }
  /** A list whose items must all hold. */
  | { readonly type: 'every'; readonly item: Shape }
  /** A list that is compared from its start: fewer items match more. */
  | { readonly type: 'sequence'; readonly item: Shape }
  /** A mapping of alternatives. */
  | { readonly type: 'options'; readonly item: Shape }
  | {
      readonly type: 'either';
      readonly text: Shape;
      readonly mapping: Shape;
      readonly test?: TestOnValue;
    }
  /** A mapping whose keys must all hold. */
  | {
      readonly type: 'keys';
      readonly keys: () => Readonly<Record<string, KeyShape>>;
      readonly other?: Shape;
    };

export interface TestOnValue {
  /** The test that a plain text abbreviates. */
  readonly plain: 'regex' | 'equals';
  /** The tested thing, for people: `argument`. */
  readonly of: string;
  /** True if the key of the test is the name of one of these. */
  readonly named: boolean;
}

/** The shape of the value under a key. */
export interface KeyShape {
  readonly shape: Shape;
  /** True if the values in it do not count. */
  readonly negative?: true;
  /** True if leaving it out changes the meaning instead of widening it. */
  readonly fixed?: true;
}

/** A part that is never split. */
export const WHOLE: Shape = { type: 'whole' };
export const REGEX: Shape = { type: 'regex' };
export const GLOB: Shape = { type: 'glob' };

/** One item, or a list of alternatives. */
export function choice(item: Shape): Shape {
  return { type: 'choice', item };
}

/**
 * A mapping whose keys must all hold.
 *
 * @param shapes a function, for recursive shapes
 * @param other the shape of every other key
 */
export function keys(shapes: () => Readonly<Record<string, KeyShape>>, other?: Shape): Shape {
  return { type: 'keys', keys: shapes, ...(other === undefined ? {} : { other }) };
}

export interface Part {
  readonly value: Json;
  readonly shape: Shape;
  readonly path: readonly (string | number)[];
}

export function partsIn(value: Json, shape: Shape, path: Part['path'] = []): readonly Part[] {
  const below = (inner: Json, its: Shape | undefined, step: string | number) =>
    its === undefined ? [] : partsIn(inner, its, [...path, step]);
  const inside = (): readonly Part[] => {
    switch (shape.type) {
      case 'either':
        return partsIn(value, isJsonObject(value) ? shape.mapping : shape.text, path);
      case 'keys': {
        const known = shape.keys();
        return Object.entries(isJsonObject(value) ? value : {}).flatMap(([key, inner]) =>
          below(inner, Object.hasOwn(known, key) ? known[key]?.shape : shape.other, key),
        );
      }
      case 'options':
        return Object.entries(isJsonObject(value) ? value : {}).flatMap(([key, inner]) =>
          below(inner, shape.item, key),
        );
      case 'choice':
      case 'every':
      case 'sequence':
        return Array.isArray(value)
          ? value.flatMap((inner: Json, index) => below(inner, shape.item, index))
          : partsIn(value, shape.item, path);
      default:
        return [];
    }
  };
  return [{ value, shape, path }, ...inside()];
}
