import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { REWRITE_FORMS, rewriteForm } from '../../../src/language/actions/rewrite/registry.ts';
import type { Json, JsonObject } from '../../../src/lib/json.ts';
import type { EventKind } from '../../../src/model/event.ts';
import { deepFreeze, rewriteInput } from '../input.ts';

/** Name, event, spec, subject before, subject after; `same` means the very object. */
type Case = readonly [string, EventKind, Json, JsonObject, JsonObject | 'same'];

const values: JsonObject = { who: '{{x}}', price: '$1', tool_name: 'exec' };

const CASES = load(readFileSync(join(import.meta.dir, 'forms.yaml'), 'utf8')) as Readonly<
  Record<string, readonly Case[]>
>;

test('every form has cases, in the order in which forms are carried out', () => {
  expect(Object.keys(CASES)).toEqual(REWRITE_FORMS.map(({ key }) => key));
});

for (const [key, cases] of Object.entries(CASES)) {
  describe(key, () => {
    test.each([...cases])('%s', (_, kind, spec, before, after) => {
      const form = rewriteForm(key);
      expect(form?.events).toContain(kind);
      const subject = deepFreeze(before);
      const changed = form?.apply(spec, subject, rewriteInput(kind, subject, values));
      if (after === 'same') expect(changed).toBe(subject);
      else expect<unknown>(changed).toEqual(after);
    });
  });
}
