import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeParts } from '../../scripts/merge-parts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dir, '../..');

/** The files of each part of the program. */
async function parts(): Promise<readonly string[][]> {
  const outdir = temporaryFolder();
  await Bun.build({
    entrypoints: [join(ROOT, 'src/main.ts')],
    target: 'bun',
    splitting: true,
    minChunkSize: 16_384,
    define: { BUILD_TARGET: '"linux-x64"' },
    plugins: [mergeParts()],
    outdir,
  });
  return readdirSync(outdir).map((name) => {
    const text = readFileSync(join(outdir, name), 'utf8');
    return [...text.matchAll(/^\/\/ (src\/\S+)$/gm)].map(([, file = '']) => file);
  });
}

test('what nearly every call loads is in few parts, and what it does not load is in none of them', async () => {
  const found = await parts();
  const partOf = (file: string) => found.findIndex((files) => files.includes(file));
  const core = partOf('src/hook/run-hook.ts');
  for (const file of ['src/hook/responder.ts', 'src/language/policy/files/discovery.ts', 'src/lib/json.ts'])
    expect(`${file} ${partOf(file)}`).toBe(`${file} ${core}`);
  const reader = partOf('src/reader/commands/read-command.ts');
  for (const file of ['src/reader/shell/expand/expand.ts', 'src/reader/programs/interpret/effects.ts'])
    expect(`${file} ${partOf(file)}`).toBe(`${file} ${reader}`);
  const dialect = partOf('src/hosts/dialect/host-of.ts');
  expect(new Set([core, reader, dialect, -1]).size).toBe(4);
  const others = [
    'src/hosts/claude/claude.ts',
    'src/hosts/gemini/gemini.ts',
    'src/language/policy/yaml/yaml.ts',
  ];
  for (const file of others) expect([core, reader, dialect, -1]).not.toContain(partOf(file));
  // A file in two parts would be evaluated twice, with a state of its own in each.
  const all = found.flatMap((files) => [...new Set(files)]);
  expect(all.length).toBe(new Set(all).size);
});
