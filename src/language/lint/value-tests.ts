import { isJsonObject, type Json, own, ownObject } from '../../lib/json.ts';
import type { WhenPart } from './when-parts.ts';

/** A test on one value, wherever a policy has one. */
export interface ValueTestPlace {
  /** What is tested, as the author names it: `argument "command"`. */
  readonly subject: string;
  /** The last part of the name: `command`. */
  readonly name: string;
  readonly test: Json;
  /** What a plain text means there. */
  readonly plain: 'regex' | 'equals';
  readonly path: readonly (string | number)[];
  /** True if several values can be there, of which each may pass another part of the test. */
  readonly several: boolean;
}

/** The tests on values in one matching key. */
export function valueTestsIn({ key, spec, path }: WhenPart): readonly ValueTestPlace[] {
  switch (key) {
    case 'arguments':
      return entriesOf(spec).map(([name, test]) => place('argument', name, test, [...path, name], 'regex'));
    case 'event':
      return entriesOf(spec).map(([name, test]) => place('event', name, test, [...path, name], 'regex'));
    case 'context':
      return entriesOf(spec).map(([name, test]) => place('context', name, test, [...path, name], 'equals'));
    case 'content': {
      const test = isJsonObject(spec) ? own(spec, 'test') : spec;
      const at = isJsonObject(spec) ? [...path, 'test'] : path;
      if (test === undefined) return [];
      return [{ ...place('content', 'text', test, at, 'regex'), subject: '"content"', several: true }];
    }
    case 'command':
      return commandTests(spec, path);
    case 'url':
      return urlTests(spec, path);
    default:
      return [];
  }
}

const OPERAND_KEYS = ['first', 'rest', 'every', 'any'];

function commandTests(spec: Json, path: WhenPart['path']): readonly ValueTestPlace[] {
  if (Array.isArray(spec)) {
    return spec.flatMap((item: Json, index) =>
      isJsonObject(item) ? commandTests(item, [...path, index]) : [],
    );
  }
  return entriesOf(spec).flatMap(([key, value]): readonly ValueTestPlace[] => {
    const here = [...path, key];
    if (key === 'args') {
      return entriesOf(value)
        .filter(([name]) => OPERAND_KEYS.includes(name))
        .map(([name, test]) => place('args', name, test, [...here, name], 'regex'));
    }
    if (key === 'environment')
      return entriesOf(value).map(([name, test]) =>
        place('environment', name, test, [...here, name], 'regex'),
      );
    if (key === 'flags')
      return entriesOf(ownObject(isJsonObject(value) ? value : {}, 'values') ?? {}).map(([name, test]) =>
        place('flag', name, test, [...here, 'values', name], 'regex'),
      );
    if (key === 'except' || key === 'pipes_to' || key === 'pipes_from') return commandTests(value, here);
    return key === 'network' ? urlTests(value, here) : [];
  });
}

function urlTests(spec: Json, path: WhenPart['path']): readonly ValueTestPlace[] {
  if (Array.isArray(spec)) return spec.flatMap((each, index) => urlTests(each, [...path, index]));
  return entriesOf(spec).flatMap(([key, value]): readonly ValueTestPlace[] => {
    if (key === 'except') return urlTests(value, [...path, key]);
    return key === 'path' ? [place('url', key, value, [...path, key], 'regex')] : [];
  });
}

function place(
  kind: string,
  name: string,
  test: Json,
  path: WhenPart['path'],
  plain: ValueTestPlace['plain'],
): ValueTestPlace {
  const last = name.split('.').at(-1) ?? name;
  return {
    subject: `${kind} "${name}"`,
    name: last,
    test,
    path,
    plain,
    several: name.split('.').includes('*'),
  };
}

function entriesOf(spec: Json): readonly (readonly [string, Json])[] {
  return isJsonObject(spec) ? Object.entries(spec) : [];
}
