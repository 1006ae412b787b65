import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Json } from '../../src/lib/json.ts';
import {
  atPath,
  parsePath,
  removeAt,
  scalarsIn,
  setAt,
  stringsIn,
  valuesAt,
  withAtPath,
} from '../../src/lib/json-path.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

const CALL: Json = {
  command: 'git push',
  edits: [
    { path: '/a', old: 'x' },
    { path: '/b', old: 'y' },
  ],
  depth: 3,
  dry: false,
  nothing: null,
};

function parsed(text: string): Json {
  return JSON.parse(text);
}

const json: fc.Arbitrary<Json> = fc.jsonValue().map((value) => parsed(JSON.stringify(value)));
const segment = fc.constantFrom('*', '0', '1', 'a', 'b', '__proto__', 'constructor', 'length');

describe('parsePath', () => {
  test('splits at dots, and reads the empty path as the whole value', () => {
    expect(parsePath('edits.0.path')).toEqual(['edits', '0', 'path']);
    expect(parsePath('*')).toEqual(['*']);
    expect(parsePath('')).toEqual([]);
  });
});

describe('valuesAt', () => {
  test.each<[string, readonly Json[]]>([
    ['command', ['git push']],
    ['edits.0.path', ['/a']],
    ['edits.*.path', ['/a', '/b']],
    ['edits.*.*', ['/a', 'x', '/b', 'y']],
    ['*', ['git push', '/a', 'x', '/b', 'y']],
    ['edits.2.path', []],
    ['edits.00.path', []],
    ['edits.-1.path', []],
    ['edits.length', []],
    ['edits.1e0.path', []],
    ['nothing', [null]],
    ['nothing.deeper', []],
    ['command.0', []],
    ['command.length', []],
    ['toString', []],
    ['__proto__', []],
    ['', [CALL]],
  ])('finds %p', (path, expected) => {
    expect(valuesAt(CALL, parsePath(path))).toEqual(expected);
  });

  test('finds an own key that is named like an inherited one', () => {
    const value = parsed('{"__proto__": {"x": 1}, "constructor": 2}');
    expect(valuesAt(value, ['__proto__', 'x'])).toEqual([1]);
    expect(valuesAt(value, ['constructor'])).toEqual([2]);
  });
});

describe('setAt', () => {
  test.each<[string, Json, Json]>([
    ['command', 'ls', { ...(CALL as object), command: 'ls' }],
    ['options.level', 2, { ...(CALL as object), options: { level: 2 } }],
    [
      'edits.*.old',
      'z',
      {
        ...(CALL as object),
        edits: [
          { path: '/a', old: 'z' },
          { path: '/b', old: 'z' },
        ],
      },
    ],
    ['', 'whole', 'whole'],
  ])('sets %p', (path, value, expected) => {
    expect(setAt(CALL, parsePath(path), value)).toEqual(expected);
  });

  test.each([
    ['command.deeper', 'x'],
    ['edits.5.path', 'x'],
    ['missing.*.x', 'x'],
    ['command', 'git push'],
    ['edits.0', { old: 'x', path: '/a' }],
  ])('returns the same object when %p changes nothing', (path, value) => {
    expect(setAt(CALL, parsePath(path), value)).toBe(CALL);
  });

  test('creates __proto__ as an own key and leaves the prototype alone', () => {
    const changed = setAt({}, ['__proto__', 'polluted'], 'yes');
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"polluted":"yes"}}');
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('never changes its input, and what it set is there afterwards', () => {
    fc.assert(
      fc.property(json, fc.array(segment, { maxLength: 3 }), json, (value, path, replacement) => {
        const before = JSON.stringify(value);
        const changed = setAt(value, path, replacement);
        expect(JSON.stringify(value)).toBe(before);
        expect(setAt(changed, path, replacement)).toBe(changed);
        if (changed !== value && !path.includes('*')) expect(valuesAt(changed, path)).toEqual([replacement]);
      }),
    );
  });
});

describe('removeAt', () => {
  test.each<[string, Json]>([
    ['depth', { command: 'git push', edits: [], dry: false }],
    ['edits', { command: 'git push', depth: 3, dry: false }],
    ['edits.*', { command: 'git push', edits: [], depth: 3, dry: false }],
  ])('removes %p', (path, expected) => {
    const value = { command: 'git push', edits: [], depth: 3, dry: false };
    expect(removeAt(path === 'edits.*' ? { ...value, edits: [1, 2] } : value, parsePath(path))).toEqual(
      expected,
    );
  });

  test('removes one item of a list and a key of each item', () => {
    expect(removeAt([1, 2, 3], ['1'])).toEqual([1, 3]);
    expect(removeAt([{ a: 1, b: 2 }, { b: 3 }], ['*', 'b'])).toEqual([{ a: 1 }, {}]);
  });

  test.each(['missing', 'edits.7', 'command.x', 'toString', '__proto__', 'edits.*.missing'])(
    'returns the same object when there is nothing at %p',
    (path) => {
      expect(removeAt(CALL, parsePath(path))).toBe(CALL);
    },
  );

  test('keeps an own __proto__ key while it removes another', () => {
    const value = parsed('{"__proto__": 1, "a": 2}');
    expect(JSON.stringify(removeAt(value, ['a']))).toBe('{"__proto__":1}');
  });

  test('leaves nothing at the path and never changes its input', () => {
    fc.assert(
      fc.property(json, fc.array(segment, { minLength: 1, maxLength: 3 }), (value, path) => {
        const before = JSON.stringify(value);
        const changed = removeAt(value, path);
        expect(JSON.stringify(value)).toBe(before);
        if (path.join('.') !== '*') expect(valuesAt(value, path).length === 0).toBe(changed === value);
      }),
    );
  });
});

describe('atPath and withAtPath', () => {
  test('take strings for keys and numbers for indexes only', () => {
    expect(atPath(CALL, ['edits', 1, 'path'])).toBe('/b');
    expect(atPath(CALL, ['edits', '1', 'path'])).toBeUndefined();
    expect(atPath({ 1: 'x' }, [1])).toBeUndefined();
    expect(atPath({ '*': 'star', 'a.b': 'dot' }, ['a.b'])).toBe('dot');
    expect(atPath(CALL, ['constructor'])).toBeUndefined();
  });

  test('withAtPath replaces what is there and nothing else', () => {
    expect(withAtPath(CALL, ['edits', 1, 'path'], '/c')).toEqual({
      ...(CALL as object),
      edits: [
        { path: '/a', old: 'x' },
        { path: '/c', old: 'y' },
      ],
    });
    expect(withAtPath(CALL, ['edits', 2, 'path'], '/c')).toBe(CALL);
    expect(withAtPath(CALL, ['missing'], 1)).toBe(CALL);
    expect(withAtPath(CALL, ['command'], 'git push')).toBe(CALL);
  });
});

test('setAt changes every key of a large object in one go', () => {
  const large = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, 'old']));
  const changed = withinProcessorTime(1_000, () => setAt({ x: large }, ['x', '*'], 'new'));
  expect(valuesAt(changed, ['x', '*']).every((value) => value === 'new')).toBe(true);
  expect(setAt(changed, ['x', '*'], 'new')).toBe(changed);
});

describe('stringsIn and scalarsIn', () => {
  test('list leaves in document order without keys', () => {
    expect(stringsIn(CALL)).toEqual(['git push', '/a', 'x', '/b', 'y']);
    expect(scalarsIn(CALL)).toEqual(['git push', '/a', 'x', '/b', 'y', '3', 'false', 'null']);
    expect(scalarsIn(1e21)).toEqual(['1e+21']);
    expect(stringsIn('alone')).toEqual(['alone']);
  });

  test('survive 100,000 levels of nesting', () => {
    const lists = parsed(`${'['.repeat(100_000)}"deep"${']'.repeat(100_000)}`);
    const objects = parsed(`${'{"a":'.repeat(100_000)}7${'}'.repeat(100_000)}`);
    expect(stringsIn(lists)).toEqual(['deep']);
    expect(scalarsIn(objects)).toEqual(['7']);
    expect(valuesAt(lists, ['*'])).toEqual(['deep']);
  });

  test('find each string that JSON text holds, keys aside', () => {
    fc.assert(
      fc.property(json, (value) => {
        const found: string[] = [];
        JSON.stringify(value, (_, inner: unknown) => {
          if (typeof inner === 'string') found.push(inner);
          return inner;
        });
        expect(stringsIn(value)).toEqual(found);
      }),
    );
  });
});
