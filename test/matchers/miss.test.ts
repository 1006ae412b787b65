import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { missText } from '../../src/language/keys/miss-text.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import { compileWhen, findingOf } from '../../src/language/keys/when.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { factsOf, shell } from './support.ts';

function whyNot(when: JsonObject, facts: ReturnType<typeof shell>): string | undefined {
  const { miss } = findingOf(compileWhen(when, MATCHER_TABLE), facts);
  return miss === undefined ? undefined : missText(miss);
}

const COMMANDS = load(readFileSync(join(import.meta.dir, 'miss.yaml'), 'utf8')) as readonly (readonly [
  when: JsonObject,
  command: string,
  why: string,
])[];

describe('a policy that does not match', () => {
  test.each(COMMANDS)('%j of "%s" says why: %s', (when, text, why) => {
    expect(whyNot(when, shell(text))).toBe(why);
  });

  test('says nothing where it matches', () => {
    expect(whyNot({ tool: 'shell', command: 'ls' }, shell('cat a; ls'))).toBeUndefined();
  });

  test('cuts what is long', () => {
    const facts = factsOf({ on: 'before_tool', tool: 'write', arguments: { content: 'x'.repeat(5_000) } });
    const why = whyNot({ arguments: { content: 'y' } }, facts) ?? '';
    expect(why.length).toBeLessThan(200);
  });
});
