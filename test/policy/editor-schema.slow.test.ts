import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { validatePolicyFile } from '../../src/language/policy/parse/parse.ts';
import { parseYaml } from '../../src/language/policy/yaml/yaml.ts';
import { editorSchema } from '../../src/tools/cli/docs/editor-schema.ts';

const validate = new Ajv2020({ strict: false }).compile(editorSchema());
const FOLDER = join(import.meta.dir, 'golden');
const PACKS = [...new Bun.Glob('policies/*/policy.yaml').scanSync(join(import.meta.dir, '../..'))].map(
  (path) => join(import.meta.dir, '../..', path),
);

function takes(yaml: string): boolean {
  return validate(parseYaml(yaml, 'a.yaml').document?.value);
}

function policy(keys: string): string {
  return `version: 1\nparameters: {p: {type: string, default: a}}\npolicies: [{id: a, ${keys}, action: deny}]\n`;
}

test.each([
  ['url: {except: {$parameter: p}}', true],
  ['url: {except: [a.example, {$parameter: p}]}', true],
  ['command: {run: rm, flags: {any: [{$parameter: p}]}}', true],
  ['arguments: {content: {min_length: {$parameter: p}}}', true],
  ['path: {match: {$parameter: p}}, reason: {$parameter: p}', true],
  ['url: {except: {$parameter: 1}}', false],
  ['url: {except: {$parameter: p, also: b}}', false],
  ['locked: {$parameter: p}', false],
  ['commnd: {$parameter: p}', false],
])('the schema for editors takes %s: %j', (keys, isTaken) => {
  expect(takes(policy(keys))).toBe(isTaken);
});

test('the schema for editors takes what the schema takes, and nothing else, where there is no parameter', () => {
  const golden = readdirSync(FOLDER).filter(
    (name) => name.endsWith('.yaml') && !name.startsWith('parameters'),
  );
  const files = [...golden.map((name) => join(FOLDER, name)), ...PACKS].filter(
    (path) => !readFileSync(path, 'utf8').includes('$parameter'),
  );
  const taken = files.filter((path) => {
    const value = parseYaml(readFileSync(path, 'utf8'), 'a.yaml').document?.value;
    // Another test shows that the generated validator says what the schema says.
    expect([path, validate(value)]).toEqual([path, validatePolicyFile(value ?? null).length === 0]);
    return validate(value);
  });
  expect(taken.length).toBeGreaterThan(PACKS.length - 1);
});
