import { describe, expect, test } from 'bun:test';
import { COMMON_PARAMS } from '../../src/effects/common-params.ts';
import { EFFECTS } from '../../src/effects/registry.ts';
import { REWRITE_FORMS } from '../../src/effects/rewrite/registry.ts';
import { isJsonObject, type Json, type JsonObject, ownObject, ownString } from '../../src/lib/json.ts';
import { SECRET_DETECTORS } from '../../src/lib/secret-detectors.ts';
import { templateProblems } from '../../src/lib/template.ts';
import { OPERANDS_SCHEMA } from '../../src/matchers/command-operands.ts';
import { COMMAND_DEFINITIONS } from '../../src/matchers/command-spec.ts';
import { path } from '../../src/matchers/path.ts';
import { MATCHERS } from '../../src/matchers/registry.ts';
import { URL_TEST_DEFINITIONS } from '../../src/matchers/url-spec.ts';
import { VALUE_TEST_DEFINITION } from '../../src/matchers/value-test.ts';
import { ACTIONS } from '../../src/model/action.ts';
import { EVENT_KINDS, TOOL_CLASSES } from '../../src/model/event.ts';
import { POLICY_KEYS, policySchema } from '../../src/policy/schema.ts';
import { PATH_SET_NAMES } from '../../src/reading/path-sets.ts';
import { GAP_REASONS } from '../../src/reading/reading.ts';
import { SUSPICIONS } from '../../src/reading/suspicious-text.ts';
import { expectMarkedText, inlineCodes, markedText, tableRows } from './markdown.ts';

const PAGE = 'docs/policy.md';
const SCHEMA = policySchema();

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

/** The keys of a schema's properties with their descriptions. */
function describedKeys(properties: JsonObject | undefined): readonly (readonly string[])[] {
  return Object.entries(properties ?? {}).map(([key, schema]) => [
    code(key),
    isJsonObject(schema) ? (ownString(schema, 'description') ?? '') : '',
  ]);
}

/** The properties of the mapping among a schema's alternatives. */
function propertiesOf(schema: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const alternatives = schema['anyOf'];
  const own = ownObject(schema, 'properties');
  return own ?? (Array.isArray(alternatives) ? alternatives.map(propertiesOf).findLast((found) => found) : undefined);
}

const POLICY_ROWS = Object.entries({
  ...ownObject(ownObject(SCHEMA, '$defs') ?? {}, 'policy'),
}).flatMap(([key, value]) => (key === 'properties' && isJsonObject(value) ? describedKeys(value) : []));

const TABLES: Readonly<Record<string, string>> = {
  'file-keys': table(['key', 'meaning'], describedKeys(ownObject(SCHEMA, 'properties'))),
  'policy-keys': table(
    ['key', 'meaning'],
    POLICY_ROWS.filter(([key]) =>
      [...POLICY_KEYS, ...Object.keys(COMMON_PARAMS)].some((known) => key === code(known)),
    ),
  ),
  matchers: table(
    ['key', 'holds if', 'on'],
    MATCHERS.map(({ key, summary, events }) => [
      code(key),
      summary,
      events === undefined ? 'every event' : events.map(code).join(' '),
    ]),
  ),
  'value-tests': table(['key', 'the value'], describedKeys(propertiesOf(VALUE_TEST_DEFINITION['value_test']))),
  'command-keys': table(['key', 'meaning'], describedKeys(propertiesOf(COMMAND_DEFINITIONS['command_rule']))),
  'operand-keys': table(['key', 'meaning'], describedKeys(propertiesOf(OPERANDS_SCHEMA))),
  'path-keys': table(['key', 'meaning'], describedKeys(propertiesOf(path.schema))),
  'url-keys': table(['key', 'meaning'], describedKeys(propertiesOf(URL_TEST_DEFINITIONS['url_test']))),
  actions: table(
    ['action', 'effect', 'parameters', 'on'],
    EFFECTS.map(({ action, summary, params, events }) => [
      code(action),
      summary,
      Object.keys(params).map(code).join(' '),
      events.length === EVENT_KINDS.length ? 'every event' : events.map(code).join(' '),
    ]),
  ),
  rewrites: table(
    ['form', 'change', 'on'],
    REWRITE_FORMS.map(({ key, summary, events }) => [code(key), summary, events.map(code).join(' ')]),
  ),
  detectors: table(
    ['detector', 'finds'],
    SECRET_DETECTORS.map(({ name, summary }) => [code(name), summary]),
  ),
};

/** Tables whose second column is written by hand. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  events: EVENT_KINDS,
  gaps: GAP_REASONS,
  'path-sets': PATH_SET_NAMES,
  suspicions: SUSPICIONS,
};

describe('docs/policy.md', () => {
  for (const [name, text] of Object.entries(TABLES)) {
    test(`has the table "${name}" of the program`, () => {
      expectMarkedText(PAGE, name, text);
    });
  }

  for (const [name, names] of Object.entries(NAMED)) {
    test(`explains every one of the table "${name}"`, () => {
      expect(tableRows(PAGE, name).map(([first]) => first)).toEqual(names.map(code));
    });
  }

  test('leaves no description out', () => {
    const rows = Object.values(TABLES).flatMap((text) => text.split('\n').slice(2));
    expect(rows.filter((row) => /^\| \S+ \|\s+\|/.test(row))).toEqual([]);
  });

  test('names the tool classes and the actions in their order', () => {
    const codesIn = (name: string) => [...markedText(PAGE, name).matchAll(/`([^`]+)`/g)].map(([, word]) => word);
    expect(codesIn('tool-classes')).toEqual([...TOOL_CLASSES]);
    expect(codesIn('strongest')).toEqual([...ACTIONS]);
  });

  test('shows templates that are templates', () => {
    const shown = inlineCodes(PAGE).filter((text) => text.startsWith('{{'));
    expect(shown.length).toBeGreaterThan(8);
    expect(shown.flatMap((text) => templateProblems(text))).toEqual([]);
  });
});
