import { expect, test } from 'bun:test';
import { readCall } from '../../src/language/calls/read-call.ts';
import { BUILTIN_PACKS } from '../../src/language/policy/compile/packs.ts';
import { parseYaml } from '../../src/language/policy/yaml/yaml.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../src/lib/json.ts';
import { callLabel } from '../../src/tools/suite/cases/call-label.ts';
import { expectMarkedText, pageText } from './markdown.ts';
import { code, table } from './tables.ts';

const PAGE = 'docs/packs.md';
const MAX_CHARS = 70;

function listIn(object: JsonObject, key: string): readonly JsonObject[] {
  const value = own(object, key);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The shortest of the examples that says something by itself. */
function exampleOf(policy: JsonObject, kind: 'hit' | 'miss'): string {
  const labels = listIn(ownObject(policy, 'examples') ?? {}, kind)
    .map(labelOf)
    .filter(
      (label) => label !== '' && label.length <= MAX_CHARS && !label.includes('`') && !label.includes('\n'),
    );
  return labels[0] === undefined ? '–' : code(labels[0]);
}

function labelOf(call: JsonObject): string {
  const command = ownString(call, 'command');
  if (command !== undefined) return command;
  const read = readCall(call as Json);
  return read.ok ? callLabel(read.call) : '';
}

for (const pack of BUILTIN_PACKS.names) {
  test(`docs/packs.md has the policies of ${pack}`, () => {
    const value = parseYaml(BUILTIN_PACKS.text(pack) ?? '', pack).document?.value;
    const file = isJsonObject(value) ? value : {};
    const usual = ownString(ownObject(file, 'defaults') ?? {}, 'action');
    const rows = [...listIn(file, 'policies'), ...listIn(file, 'tools')].map((policy) => [
      code(ownString(policy, 'id') ?? ownString(policy, 'name') ?? ''),
      ownString(policy, 'description') ?? '',
      code(ownString(policy, 'type') ?? ownString(policy, 'action') ?? usual ?? 'respond'),
      exampleOf(policy, 'hit'),
      exampleOf(policy, 'miss'),
    ]);
    expectMarkedText(PAGE, pack, table(['policy', 'for', 'does', 'about', 'leaves alone'], rows));
  });
}

test('docs/packs.md names every pack', () => {
  for (const name of BUILTIN_PACKS.names) expect(pageText(PAGE)).toContain(`[\`builtin:${name}\`](#${name})`);
});
