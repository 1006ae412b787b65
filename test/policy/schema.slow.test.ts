import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { HOSTS } from '../../src/hosts/registry.ts';
import { COMMON_PARAMS } from '../../src/language/actions/common-params.ts';
import { ACTION_SPECS } from '../../src/language/actions/registry.ts';
import { MATCHERS } from '../../src/language/keys/registry.ts';
import { validatePolicyFile } from '../../src/language/policy/parse/parse.ts';
import { policySchema } from '../../src/language/policy/schema/schema.ts';
import { keyLookup } from '../../src/language/policy/schema/schema-keys.ts';
import { parseYaml } from '../../src/language/policy/yaml/yaml.ts';
import { isJsonObject, type Json, type JsonObject, ownObject } from '../../src/lib/json.ts';
import { EVENT_KINDS } from '../../src/model/event.ts';

const SCHEMA = policySchema();
/** Compiles the schema once, which takes a second. */
const AJV = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTuples: false,
  strictRequired: false,
  strictTypes: false,
  allowUnionTypes: true,
});
const POLICY_KEYS = keyLookup()(['policies', 0]);

function policyWith(parts: JsonObject): JsonObject {
  return { version: 1, policies: [{ id: 'a', ...parts }] };
}

function keywordsOf(value: JsonObject): readonly string[] {
  return validatePolicyFile(value).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

describe('policySchema', () => {
  test('is a JSON Schema that Ajv takes in strict mode', () => {
    expect(AJV.validateSchema(SCHEMA)).toBe(true);
    expect(() => AJV.compile(SCHEMA)).not.toThrow();
  });

  test.each(MATCHERS.map(({ key, summary }) => [key, summary]))(
    'explains the matching key %s',
    (key, summary) => {
      expect(POLICY_KEYS.get(key)).toBe(summary);
      expect(keyLookup()(['policies', 0, 'not']).get(key)).toBe(summary);
    },
  );

  test('knows every parameter of every action', () => {
    for (const params of [COMMON_PARAMS, ...ACTION_SPECS.map((spec) => spec.params)]) {
      for (const key of Object.keys(params)) expect(POLICY_KEYS.has(key)).toBe(true);
    }
  });

  test('gives every key of a file and of a policy a description for editors', () => {
    for (const path of [[], ['policies', 0], ['tools', 0], ['defaults'], ['policies', 0, 'examples']]) {
      for (const [key, description] of keyLookup()(path))
        expect([key, typeof description]).toEqual([key, 'string']);
    }
  });

  test.each(ACTION_SPECS.map(({ action }) => action))(
    'takes action %s with its own parameters only',
    (action) => {
      const spec = ACTION_SPECS.find((each) => each.action === action);
      const foreign = ACTION_SPECS.flatMap(({ params }) => Object.keys(params)).filter(
        (key) => !Object.hasOwn(spec?.params ?? {}, key),
      );
      const found = keywordsOf(
        policyWith({ action, ...Object.fromEntries(foreign.map((key) => [key, true])) }),
      );
      for (const key of foreign) expect(found).toContain(`/policies/0/${key} false schema`);
      for (const key of spec?.required ?? []) {
        expect(
          validatePolicyFile(policyWith({ action })).map(({ params }) => params['missingProperty']),
        ).toContain(key);
      }
    },
  );

  test('takes deny_tool for deny', () => {
    expect(keywordsOf(policyWith({ action: 'deny_tool', reason: 'x', instead: 'y' }))).toEqual([]);
  });

  test('takes the registered hosts and events, and no others', () => {
    const hosts = HOSTS.map(({ name }) => name);
    expect(keywordsOf(policyWith({ action: 'continue', hosts, on: EVENT_KINDS }))).toEqual([]);
    expect(keywordsOf(policyWith({ action: 'continue', hosts: ['none'] }))).toEqual([
      '/policies/0/hosts/0 enum',
    ]);
  });

  test('refers only to definitions that it has', () => {
    const references: string[] = [];
    const visit = (value: Json): void => {
      if (Array.isArray(value)) value.forEach(visit);
      else if (isJsonObject(value)) {
        if (typeof value['$ref'] === 'string') references.push(value['$ref']);
        Object.values(value).forEach(visit);
      }
    };
    visit(SCHEMA);
    expect(references.length).toBeGreaterThan(MATCHERS.length);
    for (const reference of references) {
      const target = reference
        .split('/')
        .slice(1)
        .reduce<JsonObject | undefined>((schema, key) => ownObject(schema ?? {}, key), SCHEMA);
      expect([reference, target !== undefined]).toEqual([reference, true]);
    }
  });
});

describe('the generated validator', () => {
  const validate = AJV.compile(SCHEMA);
  const folder = join(import.meta.dir, 'golden');
  const readable = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [name, parseYaml(readFileSync(join(folder, name), 'utf8'), name).document?.value] as const)
    .filter(([, value]) => value !== undefined);

  test.each(readable)('says of golden/%s what the schema says', (_name, value) => {
    const expected = validate(value) ? [] : (validate.errors ?? []);
    const brief = (errors: readonly { instancePath: string; keyword: string }[]) =>
      errors.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
    expect(brief(validatePolicyFile(value))).toEqual(brief(expected));
  });

  test('reports at most 1,000 errors', () => {
    const policies = Array.from({ length: 2_000 }, () => ({ id: '', action: 'x' }));
    expect(validatePolicyFile({ version: 1, policies })).toHaveLength(1_000);
  });
});
