import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseYaml } from '../../src/language/policy/yaml/yaml.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

function parsedValue(text: string): unknown {
  const { document, diagnostics } = parseYaml(text, 'a.yaml');
  expect(diagnostics).toEqual([]);
  return document?.value;
}

describe('parseYaml', () => {
  test.each([
    ['a: 1', { a: 1 }],
    ['a: 017', { a: 17 }],
    ['a: yes', { a: 'yes' }],
    ['on: off', { on: 'off' }],
    ['1.10: x', { '1.10': 'x' }],
    ['null: x', { null: 'x' }],
    ['"a b": x', { 'a b': 'x' }],
    ['a: !!str 1', { a: '1' }],
    ['a: ~', { a: null }],
    ['a:', { a: null }],
    ["a: '\\s'", { a: '\\s' }],
    ['a: |\n  one\n  two\n', { a: 'one\ntwo\n' }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['\ufeffa: 1', { a: 1 }],
    ['---\na: 1\n...\n', { a: 1 }],
    ['1', 1],
  ])('reads %j', (text, value) => {
    expect(parsedValue(text)).toEqual(value);
  });

  test('takes "constructor" and "toString" for ordinary keys', () => {
    const value = parsedValue('constructor: 1\ntoString: 2') as object;
    expect(Object.entries(value)).toEqual([
      ['constructor', 1],
      ['toString', 2],
    ]);
  });

  test('leaves __proto__ out and changes no prototype', () => {
    const { document, diagnostics } = parseYaml('__proto__: {polluted: 1}\na: 1', 'a.yaml');
    expect(diagnostics.map(({ message }) => message)).toEqual(['Cannot use key "__proto__"']);
    expect(document?.value).toEqual({ a: 1 });
    expect(Object.getPrototypeOf(document?.value)).toBe(Object.prototype);
  });

  const TEXT = [
    'version: 1',
    'policies:',
    '  - id: "a b"',
    "    arguments: {command: 'x', 'quoted key': 2}",
    '    reason: |',
    '      several',
    '      lines',
    '    empty:',
    '    list: [one, &two two, *two]',
  ].join('\n');

  test.each([
    [[], 'value', 1, 1, 1],
    [['version'], 'key', 1, 1, 7],
    [['version'], 'value', 1, 10, 1],
    [['policies', 0], 'value', 3, 5, 1],
    [['policies', 0, 'id'], 'value', 3, 9, 5],
    [['policies', 0, 'arguments'], 'value', 4, 16, 1],
    [['policies', 0, 'arguments', 'command'], 'key', 4, 17, 7],
    [['policies', 0, 'arguments', 'command'], 'value', 4, 26, 3],
    [['policies', 0, 'arguments', 'quoted key'], 'key', 4, 31, 12],
    [['policies', 0, 'reason'], 'value', 6, 7, 7],
    [['policies', 0, 'empty'], 'value', 8, 5, 5],
    [['policies', 0, 'list', 0], 'value', 9, 12, 3],
    [['policies', 0, 'list', 2], 'value', 9, 27, 4],
    [['policies', 0, 'nothing', 'here'], 'value', 3, 5, 1],
    [['policies', 0, 'list', 7], 'value', 9, 5, 4],
  ] as const)('knows the place of %j, its %s', (path, what, line, column, length) => {
    const { document } = parseYaml(TEXT, 'a.yaml');
    expect(document?.positionOf(path, what)).toEqual({ file: 'a.yaml', line, column, length });
  });

  test('reads any JSON text as what it is', () => {
    const json = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        // Not a printable YAML character, not a key, or no number that keeps its digits: refused on purpose.
        fc.pre(!/[\ud800-\udfff\u007f-\u009f\ufffe\uffff\u2028\u2029\ufeff]|"__proto__"|"<<"/.test(text));
        fc.pre(value !== null && !/(?<![.\d])\d{16}/.test(text));
        expect(parsedValue(text)).toEqual(value);
      }),
    );
  });

  test('never throws and always gives a document or a reason', () => {
    const pieces = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '&a ',
      '*a',
      '!',
      '|',
      '#',
      ',',
      '\t',
      '? ',
      '---\n',
      '%',
      '1',
      '\u0000',
      '\r',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const { document, diagnostics } = parseYaml(parts.join(''), 'a.yaml');
        expect(document !== undefined || diagnostics.length > 0).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test('refuses aliases that stand for too much, at once', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const item = level === 0 ? '1' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(10).fill(item).join(', ')}]`;
    });
    const { document, diagnostics } = parseYaml(levels.join('\n'), 'a.yaml');
    expect(document).toBeUndefined();
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'Cannot read YAML: it holds more than 500000 values',
    ]);
  });

  test('refuses more than 1,000 aliases', () => {
    const text = `a: &a 1\nb: [${Array(1_001).fill('*a').join(', ')}]`;
    expect(parseYaml(text, 'a.yaml').diagnostics.map(({ message }) => message)).toEqual([
      'Cannot use more than 1000 aliases in one file',
    ]);
  });

  test('refuses an alias inside its own anchor', () => {
    expect(parseYaml('a: &a [*a]', 'a.yaml').diagnostics.map(({ message }) => message)).toEqual([
      'Cannot use alias "*a" inside its own anchor',
    ]);
  });

  test('refuses a mapping as a key, also by alias', () => {
    const message = 'Cannot use a list or mapping as a key: keys are strings';
    expect(parseYaml('? [a]\n: b', 'a.yaml').diagnostics.map((each) => each.message)).toEqual([message]);
    expect(parseYaml('a: &a {b: c}\n*a : d', 'a.yaml').diagnostics.map((each) => each.message)).toEqual([
      message,
    ]);
  });

  test('refuses 101 levels', () => {
    const { diagnostics } = parseYaml('['.repeat(101) + ']'.repeat(101), 'a.yaml');
    expect(diagnostics.map(({ hint }) => hint)).toEqual(['nest at most 100 levels']);
  });

  const MIB4 = 4 * 1024 * 1024;
  test.each([
    ['items', '- a\n'],
    ['nested items', '- - - - - - - - a\n'],
    ['block texts', '- |\n'],
    ['flow items', '[],'],
    ['keys', 'a: b\n'],
    ['anchors', '- &a b\n'],
    ['documents', '---\n'],
  ])('answers for 4 MiB of %s without parsing them', (_, part) => {
    const text = part.repeat(MIB4 / part.length);
    const { document, diagnostics } = withinProcessorTime(1_000, () => parseYaml(text, 'a.yaml'));
    expect(document).toBeUndefined();
    expect(diagnostics.map(({ hint }) => hint)).toEqual(['split it into several files']);
  });
});
