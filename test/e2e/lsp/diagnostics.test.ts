import { describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from 'vscode-languageserver';
import { BINARY } from '../../support/binary.ts';
import { startEditor } from './client.ts';
import { projects } from './project.ts';

const { projectWith, editorIn } = projects();

const policy = (id: string, rest = '') =>
  `  - id: ${id}\n    command: {run: ${id}}\n    action: deny\n    reason: Not here\n    examples: {hit: [{command: ${id}}]}\n${rest}`;
const file = (...policies: readonly string[]) => `version: 1\npolicies:\n${policies.join('')}`;
const SOUND = file(policy('npm'));
const BROKEN = SOUND.replace('action: deny', 'acton: deny');

const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);

describe('findings', () => {
  test('are those of policy check, at the same places', async () => {
    const text = file(
      policy('npm'),
      '  - id: dead\n    command: git push --force\n    action: deny\n    when: {tol: shell}\n',
      '  - id: bare\n    tool: shell\n    arguments: {comand: x}\n    action: deny\n',
    );
    const folder = projectWith({ '.policy/house.yaml': text });
    const checked = Bun.spawnSync([BINARY, 'check', '--json'], { cwd: folder, env: { HOME: folder } });
    const expected = JSON.parse(checked.stdout.toString()).diagnostics as readonly {
      readonly code: string;
      readonly message: string;
      readonly line: number;
      readonly column: number;
    }[];
    const editor = await editorIn(folder);
    await editor.open(join(folder, '.policy/house.yaml'), text);
    const found = await editor.findings(join(folder, '.policy/house.yaml'));
    expect(expected.length).toBeGreaterThan(1);
    expect(
      found.map(({ code, message, range: { start } }) => ({
        code: String(code),
        message: String(message).split('\n')[0] ?? '',
        line: start.line + 1,
        column: start.character + 1,
      })),
    ).toEqual(expected.map(({ code, message, line, column }) => ({ code, message, line, column })));
  });

  test('are about the text in the editor, not the one on the disk', async () => {
    const folder = projectWith({ '.policy/house.yaml': SOUND });
    const path = join(folder, '.policy/house.yaml');
    const editor = await editorIn(folder);
    await editor.open(path, SOUND);
    expect(await editor.findings(path)).toEqual([]);
    await editor.change(path, BROKEN);
    expect(codes(await editor.findings(path))).toContain('unknown-key');
    await editor.change(path, SOUND);
    expect(await editor.findings(path)).toEqual([]);
    await editor.change(path, BROKEN);
    await editor.findings(path);
    await editor.close(path);
    await editor.until(path, (found) => found.length === 0);
  });

  test('of files that extend follow the unsaved text of those that are extended', async () => {
    const extending = `version: 1\nextends: [../shared/base.yaml]\npolicies:\n${policy('npm')}`;
    const folder = projectWith({ '.policy/house.yaml': extending, 'shared/base.yaml': file(policy('yarn')) });
    const house = join(folder, '.policy/house.yaml');
    const base = join(folder, 'shared/base.yaml');
    const editor = await editorIn(folder);
    await editor.open(house, extending);
    expect(await editor.findings(house)).toEqual([]);
    await editor.open(base, file(policy('yarn')));
    expect(await editor.findings(base)).toEqual([]);
    await editor.change(base, `name: house\n${file(policy('npm').replace('deny', 'ask'))}`);
    const clash = await editor.until(house, (found) => found.length > 0);
    expect(codes(clash)).toEqual(['duplicate-id']);
    await editor.change(base, file(policy('yarn')));
    await editor.until(house, (found) => found.length === 0);
  });

  test('of a file that is not open are shown too, and go with their cause', async () => {
    const folder = projectWith({
      '.policy/house.yaml': SOUND,
      '.policy/other.yaml': BROKEN.replaceAll('npm', 'yarn'),
    });
    const house = join(folder, '.policy/house.yaml');
    const other = join(folder, '.policy/other.yaml');
    const editor = await editorIn(folder);
    await editor.open(house, SOUND);
    expect(await editor.findings(house)).toEqual([]);
    await editor.until(other, (found) => codes(found).includes('unknown-key'));
    writeFileSync(other, SOUND.replaceAll('npm', 'yarn'));
    await editor.until(other, (found) => found.length === 0);
  });

  test('follow a data file that goes and comes on the disk', async () => {
    const text =
      'version: 1\npolicies:\n  - id: scripts\n    command: {run: npm, args: {first: {one_of: {file: names.json}}}}\n    action: deny\n    reason: Not here\n    examples: {hit: [{command: npm a}]}\n';
    const folder = projectWith({ '.policy/house.yaml': text, 'names.json': '["a"]' });
    const path = join(folder, '.policy/house.yaml');
    const editor = await editorIn(folder);
    await editor.open(path, text);
    expect(await editor.findings(path)).toEqual([]);
    rmSync(join(folder, 'names.json'));
    const missing = await editor.until(path, (found) => found.length > 0);
    expect(missing[0]).toMatchObject({ code: 'data', range: { start: { line: 3 } } });
    writeFileSync(join(folder, 'names.json'), '{');
    const broken = await editor.until(path, (found) =>
      found.some(({ message }) => !/no such/.test(String(message))),
    );
    expect(codes(broken)).toContain('data');
    writeFileSync(join(folder, 'names.json'), JSON.stringify(['a'.repeat(300_000)]));
    await editor.until(path, (found) => found.some(({ message }) => /larger than/.test(String(message))));
    writeFileSync(join(folder, 'names.json'), '["a"]');
    await editor.until(path, (found) => found.length === 0);
  });

  test('follow what comes into a folder that is extended', async () => {
    const text = `version: 1\nextends: [../shared]\npolicies:\n${policy('npm')}`;
    const folder = projectWith({ '.policy/house.yaml': text, 'shared/team/base.yaml': file(policy('yarn')) });
    const path = join(folder, '.policy/house.yaml');
    const added = join(folder, 'shared/added.yaml');
    const editor = await editorIn(folder);
    await editor.open(path, text);
    expect(await editor.findings(path)).toEqual([]);
    writeFileSync(added, BROKEN.replaceAll('npm', 'pnpm'));
    await editor.until(added, (found) => codes(found).includes('unknown-key'));
    rmSync(added);
    await editor.until(added, (found) => found.length === 0);
  });

  test('of a new file and of one that was deleted while it is open are those of its text', async () => {
    const folder = projectWith({ '.policy/house.yaml': SOUND });
    const editor = await editorIn(folder);
    const fresh = join(folder, '.policy/fresh.yaml');
    await editor.open(fresh, BROKEN);
    expect(codes(await editor.findings(fresh))).toContain('unknown-key');
    const path = join(folder, '.policy/house.yaml');
    await editor.open(path, BROKEN);
    expect(codes(await editor.findings(path))).toContain('unknown-key');
    rmSync(join(folder, '.policy'), { recursive: true });
    await editor.change(path, `${BROKEN}# more\n`);
    expect(codes(await editor.findings(path))).toContain('unknown-key');
  });

  test('are made of policies and tests anywhere, and of no other YAML', async () => {
    const folder = projectWith({
      'packs/a/a.yaml': BROKEN,
      'compose.yaml': "version: '3'\nservices: {\n",
      'packs/a/a.test.yaml': 'cases:\n  - {cal: x, expect: deny}\n',
    });
    const editor = await editorIn(folder);
    const [compose, pack, tests] = ['compose.yaml', 'packs/a/a.yaml', 'packs/a/a.test.yaml'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await editor.open(compose, "version: '3'\nservices: {\n");
    await editor.open(pack, BROKEN);
    expect(codes(await editor.findings(pack))).toContain('unknown-key');
    await editor.open(tests, 'cases:\n  - {cal: x, expect: deny}\n');
    expect(codes(await editor.findings(tests))).toContain('unknown-key');
    // It is still ours where its first lines are gone for a moment.
    await editor.change(pack, BROKEN.replace('version: 1\n', ''));
    expect(codes(await editor.findings(pack))).toContain('missing-key');
    await expect(Promise.race([editor.findings(compose), Bun.sleep(200)])).resolves.toBeUndefined();
  });
});

test('the server ends with its editor', async () => {
  const editor = await startEditor(projectWith({}));
  const ended = new Promise((resolve) => editor.child.on('exit', resolve));
  editor.child.stdin?.end();
  expect(await ended).toBe(1);
  expect(editor.stderr()).toBe('');
});
