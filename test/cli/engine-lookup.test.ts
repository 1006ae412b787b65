import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineLookup } from '../../src/tools/cli/past/engine-lookup.ts';
import { processIo } from '../../src/tools/cli/process-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('directories with the same policies share an engine, and those with their own do not', () => {
  const folder = temporaryFolder();
  for (const name of ['a', 'b', 'c']) mkdirSync(join(folder, name, '.policy'), { recursive: true });
  const policy = 'version: 1\npolicies:\n  - {id: x, tool: shell, action: deny, reason: No}\n';
  writeFileSync(join(folder, 'c/.policy/own.yaml'), policy);
  const engines = engineLookup([], { ...processIo(), cwd: folder, env: { HOME: folder } });
  const idsOf = (name: string) => engines.of(join(folder, name)).program.rules.map(({ id }) => id);
  expect(engines.of(join(folder, 'a')) === engines.of(join(folder, 'b'))).toBe(true);
  expect(idsOf('a')).not.toContain('own/x');
  expect(idsOf('c')).toContain('own/x');
  const filesOf = (name: string) => engines.filesOf(engines.of(join(folder, name)).program)?.size;
  expect([filesOf('a'), filesOf('b'), filesOf('c')]).toEqual([0, 0, 1]);
});
