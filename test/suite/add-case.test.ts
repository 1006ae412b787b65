import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseYaml } from '../../src/language/policy/yaml/yaml.ts';
import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import { addCase, fileWithCase } from '../../src/tools/suite/record/add-case.ts';

function readValue(text: string): JsonObject {
  const { document, diagnostics } = parseYaml(text, 'a.test.yaml');
  expect(diagnostics).toEqual([]);
  return isJsonObject(document?.value) ? document.value : {};
}

/** JSON without what YAML files may not hold: the key `__proto__`, and numbers that lose digits. */
const json = fc
  .jsonValue({ maxDepth: 4 })
  .filter(
    (value) =>
      !/"(__proto__|<<)":/.test(JSON.stringify(value)) && !/\d{16}|e[+-]?\d/.test(JSON.stringify(value)),
  );
const testCase = fc.dictionary(fc.constantFrom('name', 'call', 'expect', 'stdin'), json, {
  minKeys: 1,
}) as fc.Arbitrary<JsonObject>;

describe('addCase', () => {
  const FILES = [
    'version: 1\ncases:\n  - a: 1\n',
    'version: 1\ncases:\n- a: 1\n- {b: 2}  # two\n# end\n',
    'cases:\n    - a:\n        b: |\n          text\n\n    # of c\n    - c: 1',
    'cases:\n  - a: 1\n\n  - b: 2\n\ncalls:\n  x: {y: 1}\n',
  ];

  test('adds any case to any file, and changes nothing else', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FILES), testCase, (text, added) => {
        const plain = JSON.parse(JSON.stringify(added));
        const result = addCase(text, plain);
        if (!result.ok) throw new Error(result.cause);
        const before = readValue(text);
        const after = readValue(result.text);
        expect(after).toEqual({ ...before, cases: [...(before['cases'] as JsonObject[]), plain] });
        const lines = result.text.split('\n');
        for (const line of text.split('\n')) expect(lines).toContain(line);
        expect(lines[result.line - 1]).toMatch(/^ *- /);
      }),
      { numRuns: 100 },
    );
  });

  test('keeps line breaks of Windows', () => {
    const result = addCase('cases:\r\n  - a: 1\r\n', { b: 2 });
    expect(result).toMatchObject({ ok: true, text: 'cases:\r\n  - a: 1\r\n\r\n  - b: 2\r\n' });
  });

  test.each([
    ['cases: [{a: 1}]\n', 'its cases are written in brackets'],
    ['version: 1\n', 'it has no list of cases'],
    ['[1]', 'it has no list of cases'],
  ])('refuses %j', (text, cause) => {
    expect(addCase(text, { a: 1 })).toEqual({ ok: false, cause });
  });
});

describe('fileWithCase', () => {
  test('is a test file with that case', () => {
    expect(fileWithCase({ name: 'x', call: { command: 'ls' }, expect: 'deny' })).toBe(
      'version: 1\ncases:\n  - name: x\n    call: {command: ls}\n    expect: deny\n',
    );
  });
});
