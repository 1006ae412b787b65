import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parse } from 'unbash';
import { plainSyntax } from '../../src/reader/shell/parse/plain-syntax.ts';

/** Nothing, or all that the parser says of a script, also what it says only when asked. */
function difference(text: string): unknown {
  const plain = plainSyntax(text);
  return plain === undefined ? undefined : { text, plain: facts(plain), parsed: facts(parse(text)) };
}

/** Fields that a node may work out when it is asked. */
const FIELDS = [
  ...'type pos end text value parts name prefix suffix args redirects descriptor'.split(' '),
  ...'operator target commands command operators prefixes background shebang errors'.split(' '),
];

function facts(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(facts);
  if (typeof node !== 'object' || node === null) return node;
  const fields: Readonly<Record<string, unknown>> = { ...node };
  const others = Object.keys(fields).filter((key) => !FIELDS.includes(key) && key !== 'toJSON');
  const read = node as Readonly<Record<string, unknown>>;
  return Object.fromEntries([...FIELDS, ...others].map((key) => [key, facts(read[key])]));
}

function expectSame(text: string): boolean {
  const found = difference(text) as { plain: unknown; parsed: unknown } | undefined;
  if (found !== undefined) expect(found.plain).toEqual(found.parsed);
  return found !== undefined;
}

describe('plainSyntax', () => {
  test.each([
    'ls -la src',
    'cd web && grep -rn \'two words\' src 2>&1 | head -20; echo "done now"',
    'a >/dev/null 2>&1 || b > /dev/null >&2\n\n c &&\n d |\n e\n',
    "python3 -c 'print(1)\nprint(2)' '' \"\"",
    'wc -l src/**/*.ts *? a?b*c ?',
    'git diff HEAD~1 HEAD^ ~/x a=b --c=d x:~ 50% a@b ~',
    '\t a \t;b;',
  ])('reads %j as the parser does', (text) => {
    expect(expectSame(text)).toBe(true);
  });

  test.each([
    ...['a $b', 'a `b`', 'a "$b"', 'a "b!"', 'a b\\ c', "a 'b'c", "a b'c'", 'a "b"\'c\'', 'a [b]', 'a {b,c}'],
    'a & b',
    'a &> b',
    'a > b',
    'a >> /dev/null',
    'a 2>b',
    'a 3>&1',
    'a12>&1',
    'a < b',
    'a << b\nb',
    '> /dev/null',
    '2>&1 a',
    'a >&-',
    'a=b',
    'a=b c',
    'export a=b',
    'alias a=b',
    'declare -x a',
    'if a; then b; fi',
    'time a',
    '! a',
    '(a)',
    '{ a; }',
    '[[ a ]]',
    'a()',
    'a # b',
    '#a',
    'a |',
    'a &&',
    '| a',
    '; a',
    'a ;; b',
    'a | | b',
    'a && && b',
    "a 'b",
    'a "b',
    'é',
    'a é',
    "a 'é'",
    'a\r',
    'a\0b',
    'a |& b',
    'a\\\nb',
    'a ||| b',
    'a &&& b',
  ])('leaves %j to the parser', (text) => {
    expect(plainSyntax(text)).toBeUndefined();
  });

  test('says the same as the parser of any script that it reads', () => {
    const word = fc.constantFrom(
      'ls',
      'git',
      'x-y',
      '-la',
      'a=b',
      '--c=d',
      '~',
      '~/a',
      'b~1',
      'x:~',
      '1',
      '2',
      '12',
      'a.b',
      '/dev/null',
      '%',
      '^',
      '@',
      ',',
      ':',
      '.',
      '=',
      '_',
      '+',
      "'a b'",
      '"c d"',
      "''",
      '""',
      "'a\nb'",
      '"x;y"',
      "'|'",
      '"&&"',
      "'>'",
      'if',
      'in',
      'time',
      'done',
      'export',
      'function',
      '#',
      '*',
      'a*?b',
      '**/*.ts',
      '***',
      '$x',
      '!',
      '[',
      '{',
      '}',
      '\\',
      'é',
    );
    const joint = fc.constantFrom(
      ' ',
      ' ',
      ' ',
      '  ',
      '\t',
      '',
      '\n',
      '\n\n',
      ';',
      ' ; ',
      '|',
      ' | ',
      '&&',
      ' && ',
      '||',
      ' || ',
      '&',
      ';;',
      '|&',
      '>',
      ' >',
      '> ',
      ' 2>&1',
      ' 2>&1 ',
      ' >/dev/null ',
      ' > /dev/null',
      ' 1>&2',
      '>&2',
      ' 2> /dev/null',
      ' >  /dev/null',
      ' <',
    );
    let read = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(word, joint), { maxLength: 9 }), (pieces) => {
        if (expectSame(pieces.flat().join(''))) read++;
      }),
      { numRuns: 5_000 },
    );
    expect(read).toBeGreaterThan(500);
  });
});
