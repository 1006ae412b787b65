import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '../../src/language/policy/yaml/yaml.ts';
import { compileJsonSchema, jsonSchemaProblems } from '../../src/lib/json-schema/json-schema.ts';
import { testSchema } from '../../src/tools/suite/cases/case-keys.ts';
import { parseTestFile } from '../../src/tools/suite/cases/parse-test-file.ts';

const BROKEN = join(import.meta.dir, 'golden', 'broken');
const violations = compileJsonSchema(testSchema());

/** Files that are broken in a way that a schema cannot say. */
const BEYOND = ['matrix.test.yaml', 'duplicate.test.yaml', 'not-yaml.test.yaml', 'empty.test.yaml'];

const SOUND: readonly string[] = [
  'cases: [{call: {command: ls}, expect: deny}]',
  'version: 1\ndescription: x\npolicies: [a.yaml]\ncalls: {a: {command: ls}}\ncases: [{name: n, call: a, expect: {action: deny_tool}}]',
  'cases: [{calls: [{command: ls}, {tool: fetch, arguments: {prompt: x}}], hosts: [gemini], model: m, cwd: /a, context: {iteration: 1}, history: [{command: ls}], interactive: true, skip: x, expect: {exit: 2, stdout: {a: 1}, stderr: x}}]',
  'calls: {a: {command: ls}}\ncases: [{matrix: {calls: [a], hosts: [jcli], models: [m], expect: {a: deny}}}]',
  'cases: [{host: gemini, stdin: {a: 1}, expect: {reason: {exactly: x}, result: [1], message: /x/}}]',
  'cases: [{host: picoclaw, stdin: [{a: 1}, text], expect: continue}]',
  'cases: [{call: {on: after_llm, response: x, event: {a: 1}}, expect: {response: x, prompt: x, request: {model: m}, feedback: x, add_context: x, monitored: x, policy: x, call: {command: x}}}]',
];

describe('testSchema', () => {
  test('is a JSON Schema', () => {
    expect(jsonSchemaProblems(testSchema())).toEqual([]);
  });

  test('accepts what the reader accepts', () => {
    for (const text of SOUND) {
      const value = parseYaml(text, 'a.test.yaml').document?.value ?? null;
      expect([text, parseTestFile(text, 'a.test.yaml').ok, violations(value)]).toEqual([text, true, []]);
    }
  });

  test('refuses the shapes that the reader refuses', () => {
    const names = readdirSync(BROKEN).filter((name) => name.endsWith('.yaml') && !BEYOND.includes(name));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const value = parseYaml(readFileSync(join(BROKEN, name), 'utf8'), name).document?.value ?? null;
      expect([name, violations(value).length > 0]).toEqual([name, true]);
    }
  });

  test('describes every key', () => {
    const undescribed: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, value] of Object.entries(schema)) {
        if (key !== 'properties') visit(value, `${path}/${key}`);
        else
          for (const [name, property] of Object.entries(value as object)) {
            const isPlain = path.includes('/context') || path.includes('properties/exactly');
            if (!isPlain && !JSON.stringify(property).includes('"description"'))
              undescribed.push(`${path}/${name}`);
            visit(property, `${path}/properties/${name}`);
          }
      }
    };
    visit(testSchema(), '');
    expect(undescribed).toEqual([]);
  });
});
