import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEYS, RESULTS } from '../../scripts/code-rows.ts';
import { policySchema } from '../../src/language/policy/schema/schema.ts';
import { ownObject } from '../../src/lib/json.ts';
import { CONSEQUENCES } from '../../src/model/consequences.ts';
import { ROLES } from '../../src/model/roles.ts';
import { runCli } from '../cli/test-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { codeBlocks, expectMarkedText } from './markdown.ts';
import { code, describedKeys, propertiesOf, table } from './tables.ts';

const PAGE = 'docs/programs.md';
const DEFINITIONS = ownObject(policySchema(), '$defs');

const TABLES: Readonly<Record<string, string>> = {
  'row-keys': table(['key', 'meaning'], describedKeys(propertiesOf(DEFINITIONS?.['program']))),
  'runs-keys': table(['key', 'meaning'], describedKeys(propertiesOf(DEFINITIONS?.['runs']))),
  roles: table(
    ['role', 'the word'],
    Object.entries(ROLES).map(([role, meaning]) => [code(role), meaning]),
  ),
  'code-keys': table(['key', 'meaning'], describedKeys(KEYS)),
  'code-results': table(
    ['`gives`', 'value'],
    Object.entries(RESULTS).map(([name, meaning]) => [code(name), meaning]),
  ),
  consequences: table(
    ['key', 'value', 'what happens'],
    Object.entries(CONSEQUENCES).flatMap(([kind, { values }]) =>
      Object.entries(values).map(([value, meaning]) => [code(kind), code(value), meaning]),
    ),
  ),
};

describe(PAGE, () => {
  for (const [name, text] of Object.entries(TABLES)) {
    test(`has the table "${name}" of the program`, () => {
      expectMarkedText(PAGE, name, text);
    });
  }

  test('shows a file that policy check finds nothing wrong with', async () => {
    const [block] = codeBlocks(PAGE);
    const at = temporaryFolder();
    mkdirSync(join(at, 'policies'));
    writeFileSync(join(at, 'policies', 'acmectl.yaml'), block?.text ?? '');
    const { stdout, exitCode } = await runCli(['check', 'policies'], { cwd: at });
    expect(stdout).toBe('No problems in 1 policy of 1 file\n');
    expect(exitCode).toBe(0);
  });
});
