import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Json } from '../../src/lib/json.ts';
import { renderTemplate, templatePaths, templateProblems } from '../../src/lib/template.ts';

const VALUES: Readonly<Record<string, Json>> = {
  name: 'exec',
  'arguments.count': 3,
  'arguments.list': ['a', { b: null }],
  no: false,
  tricky: '{{name}}',
  'match.1': '$1 $& \\1',
};

function render(template: string): string {
  return renderTemplate(template, (path) => VALUES[path]);
}

describe('renderTemplate', () => {
  test.each([
    ['run {{name}} now', 'run exec now'],
    ['{{ name }}{{\tname\n}}', 'execexec'],
    ['{{arguments.count}} {{no}}', '3 false'],
    ['{{arguments.list}}', '["a",{"b":null}]'],
    ['[{{missing}}]', '[]'],
    ['{{tricky}}', '{{name}}'],
    ['{{match.1}}', '$1 $& \\1'],
    ['{{', '{{'],
    ['{{ }} {{a b}}', '{{ }} {{a b}}'],
    ['{"a":{"b":"{{name}}"}}', '{"a":{"b":"exec"}}'],
    ['{"a":{{arguments.count}}}', '{"a":3}'],
    ['{{{name}}}', '{exec}'],
    ['{{na{{name}}me}}', '{{naexecme}}'],
    ['}} {{name}}', '}} exec'],
  ])('renders %p as %p', (template, expected) => {
    expect(render(template)).toBe(expected);
  });

  test('never looks at a value again', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, value) => {
        const prefix = before.replaceAll('{', '(');
        expect(renderTemplate(`${prefix}{{a}}{{b}}`, () => value)).toBe(prefix + value + value);
      }),
    );
  });

  test('leaves text without braces as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('{{'));
        expect(render(text)).toBe(text);
      }),
    );
  });
});

describe('templatePaths', () => {
  test('lists paths with the place of their braces', () => {
    expect(templatePaths('a {{x}} {{ y.0 }} {{x}} {{bad one}}')).toEqual([
      { path: 'x', index: 2 },
      { path: 'y.0', index: 8 },
      { path: 'x', index: 18 },
    ]);
  });
});

describe('renderTemplate with a length', () => {
  test.each([
    ['{{a}}{{a}}{{a}}', 5, 'abcab'],
    ['{{a}}', 3, 'abc'],
    ['plain text', 5, 'plain'],
    ['{{none}}', 0, ''],
    ['x{{a}}', 0, ''],
  ])('cuts %j after %p', (template, maxLength, expected) => {
    expect(renderTemplate(template, (path) => (path === 'a' ? 'abc' : undefined), maxLength)).toBe(expected);
  });

  test('asks for no more than fits', () => {
    let asked = 0;
    const lookup = () => {
      asked += 1;
      return 'x'.repeat(1_000);
    };
    expect(renderTemplate('{{a}}'.repeat(1_000), lookup, 2_500)).toHaveLength(2_500);
    expect(asked).toBe(3);
  });
});

describe('templateProblems', () => {
  test.each([
    ['{{x', 0, 'never closed'],
    ['ab {{ }}', 3, 'names no value'],
    ['{{}}', 0, 'names no value'],
    ['{{a b}}', 0, 'no spaces'],
    ['{{y}}', 0, 'there is no such value'],
  ])('says what is wrong with %p', (template, index, message) => {
    const problems = templateProblems(template, (path) => path === 'x');
    expect(problems).toHaveLength(1);
    expect(problems[0]?.index).toBe(index);
    expect(problems[0]?.message).toContain(message);
  });

  test('lists every problem in order', () => {
    const problems = templateProblems('{{y}} {{ }} {{x}} {{', (path) => path === 'x');
    expect(problems.map(({ index }) => index)).toEqual([0, 6, 18]);
  });

  test('finds nothing in text, in JSON and in well-formed templates', () => {
    for (const template of ['', 'plain', '{"a":{"b":{}}}', '{{x}}', '{{{x}}}']) {
      expect(templateProblems(template, (path) => path === 'x')).toEqual([]);
    }
    expect(templateProblems('{{anything}}')).toEqual([]);
  });
});
