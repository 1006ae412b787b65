import { test } from 'bun:test';
import {
  CONTENT_ATTRIBUTES,
  DECISION_ATTRIBUTES,
  HEARTBEAT_ATTRIBUTES,
  METRICS,
  RESOURCE_ATTRIBUTES,
} from '../../src/fleet/export/attributes.ts';
import { expectMarkedText } from './markdown.ts';
import { code, table } from './tables.ts';

const PAGE = 'docs/fleet.md';

test.each([
  ['resource', RESOURCE_ATTRIBUTES],
  ['decision', DECISION_ATTRIBUTES],
  ['heartbeat', HEARTBEAT_ATTRIBUTES],
  ['content', CONTENT_ATTRIBUTES],
] as const)('docs/fleet.md has every attribute of %s', (name, attributes) => {
  const rows = Object.entries(attributes).map(([key, meaning]) => [code(key), meaning]);
  expectMarkedText(PAGE, name, table(['attribute', 'meaning'], rows));
});

test('docs/fleet.md has every metric', () => {
  const rows = Object.entries(METRICS).map(([name, { unit, description, attributes }]) => [
    code(name),
    code(unit),
    description,
    attributes.map(code).join(' '),
  ]);
  expectMarkedText(PAGE, 'metrics', table(['metric', 'unit', 'meaning', 'by'], rows));
});
