import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeAction, CodeLens, DocumentSymbol, TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { BINARY } from '../../support/binary.ts';
import { uriOf } from './client.ts';
import { projects } from './project.ts';

const { projectWith, editorIn } = projects();

const SOUND = `version: 1
policies:
  - id: npm
    command: {run: npm}
    action: deny
    reason: Use pnpm
    examples: {hit: [{command: npm i}], miss: [{command: pnpm i}]}
`;
const FIXABLE = SOUND.replace(
  '    action',
  '    tool: [shell, read, shell]\n    model_prefix: [gpt-, gpt-4]\n    action',
);
const BEGIN = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const ALL = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };

function edited(text: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create('file:///x', 'yaml', 1, text), [...edits]);
}

describe('code actions', () => {
  test('do what policy check --fix does, one by one and together', async () => {
    const folder = projectWith({ '.policy/house.yaml': FIXABLE });
    const path = join(folder, '.policy/house.yaml');
    const editor = await editorIn(folder);
    await editor.open(path, FIXABLE);
    const ask = (range: object) =>
      editor.request<readonly CodeAction[]>('textDocument/codeAction', path, {
        range,
        context: { diagnostics: [] },
      });
    const editsOf = (action: CodeAction | undefined) => action?.edit?.changes?.[uriOf(path)] ?? [];
    const actions = await ask(ALL);
    Bun.spawnSync([BINARY, 'check', '--fix'], { cwd: folder, env: { HOME: folder } });
    const fixed = readFileSync(path, 'utf8');
    expect(fixed).not.toBe(FIXABLE);
    const quick = actions.filter(({ kind }) => kind === 'quickfix');
    const whole = actions.filter(({ kind }) => kind === 'source.fixAll');
    expect(quick).toHaveLength(2);
    expect(whole).toHaveLength(1);
    expect(edited(FIXABLE, editsOf(whole[0]))).toBe(fixed);
    expect(edited(FIXABLE, quick.flatMap(editsOf))).toBe(fixed);
    expect((await ask(BEGIN)).map(({ kind }) => kind)).toEqual(['source.fixAll']);
    // They are about the text as it is now, even before it was looked at.
    await editor.change(path, SOUND);
    expect(await ask(ALL)).toEqual([]);
  });
});

describe('a quick fix', () => {
  const ask = async (marked: Readonly<Record<string, string>>) => {
    const [[name, text] = ['', '']] = Object.entries(marked);
    const folder = projectWith({ [name]: text });
    const path = join(folder, name);
    const editor = await editorIn(folder);
    await editor.open(path, text);
    const found = await editor.request<readonly CodeAction[]>('textDocument/codeAction', path, {
      range: ALL,
      context: { diagnostics: [] },
    });
    return found.map(({ title, kind, edit }) => [
      kind,
      title,
      edited(text, edit?.changes?.[uriOf(path)] ?? []),
    ]);
  };

  test.each([
    ['a key', '    action: deny', '    aktion: deny', 'Write "action" for "aktion"'],
    ['an action', 'action: deny', 'action: block', 'Write "deny" for "block"'],
    ['a value in quotes', 'action: "deny"', 'action: "dney"', 'Write "deny" for "dney"'],
    ['a key of a command', '{run: npm}', '{rnu: npm}', 'Write "run" for "rnu"'],
  ])('writes what %s was meant to be', async (_what, right, wrong, title) => {
    const sound = SOUND.replace('action: deny', right.includes('"') ? right : 'action: deny');
    const broken = sound.replace(right, wrong);
    expect(broken).not.toBe(sound);
    expect(await ask({ '.policy/house.yaml': broken })).toContainEqual(['quickfix', title, sound]);
  });

  test('is not offered where nothing was meant', async () => {
    const found = await ask({ '.policy/house.yaml': SOUND.replace('run: npm', 'zzzzzz: npm') });
    expect(found).toEqual([]);
  });
});

describe('the outline', () => {
  test('has the policies of a file and the cases of a test, broken files too', async () => {
    const second = '  - {id: "two", action: ask, command: ls, reason: a}\n';
    const tests =
      'cases:\n  - name: refuses npm\n    call: {command: npm ci}\n    expect: deny\n  - {name: b, call: {command: ls}, expect: continue}\n';
    const folder = projectWith({ '.policy/house.yaml': SOUND + second, '.policy/house.test.yaml': tests });
    const editor = await editorIn(folder);
    const outline = async (name: string, text: string) => {
      const path = join(folder, name);
      await editor.open(path, text);
      const found = await editor.request<readonly DocumentSymbol[]>('textDocument/documentSymbol', path);
      return found.map(({ name: label, detail, range, selectionRange }) => {
        const document = TextDocument.create('file:///x', 'yaml', 1, text);
        expect(document.offsetAt(range.start)).toBeLessThanOrEqual(document.offsetAt(selectionRange.start));
        expect(document.offsetAt(range.end)).toBeGreaterThanOrEqual(document.offsetAt(selectionRange.end));
        return [label, detail, document.getText(selectionRange), range.start.line];
      });
    };
    expect(await outline('.policy/house.yaml', SOUND + second)).toEqual([
      ['npm', 'deny', 'npm', 2],
      ['two', 'ask', '"two"', 7],
    ]);
    expect(await outline('.policy/house.test.yaml', tests)).toEqual([
      ['refuses npm', undefined, 'refuses npm', 1],
      ['b', undefined, 'b', 4],
    ]);
    await editor.close(join(folder, '.policy/house.yaml'));
    const broken = `${SOUND}    reason: again\n${second}`;
    expect((await outline('.policy/house.yaml', broken)).map(([label]) => label)).toEqual(['npm', 'two']);
    await editor.close(join(folder, '.policy/house.yaml'));
    expect(await outline('.policy/house.yaml', '{')).toEqual([]);
  });
});

describe('formatting', () => {
  test('is that of policy fmt, of the text in the editor', async () => {
    const crooked = SOUND.replace('    action: deny\n', '').replace('  - id', "  - action: 'deny'\n    id");
    const folder = projectWith({ '.policy/house.yaml': crooked });
    const path = join(folder, '.policy/house.yaml');
    const editor = await editorIn(folder);
    await editor.open(path, `${crooked}# unsaved\n`);
    const options = { options: { tabSize: 2, insertSpaces: true } };
    const edits = await editor.request<readonly TextEdit[]>('textDocument/formatting', path, options);
    const formatted = edited(`${crooked}# unsaved\n`, edits);
    const fmt = Bun.spawnSync([BINARY, 'fmt', '-'], { stdin: Buffer.from(`${crooked}# unsaved\n`) });
    expect(formatted).toBe(fmt.stdout.toString());
    expect(formatted).not.toBe(`${crooked}# unsaved\n`);
    await editor.change(path, formatted);
    expect(await editor.request<readonly TextEdit[]>('textDocument/formatting', path, options)).toEqual([]);
    await editor.change(path, `${SOUND}  - {`);
    expect(await editor.request<readonly TextEdit[]>('textDocument/formatting', path, options)).toEqual([]);
  });
});

describe('code lenses', () => {
  const TESTS = `cases:
  - {name: refuses npm, call: {command: npm ci}, expect: {action: deny, policy: npm}}
  - {name: leaves ls alone, call: {command: ls}, expect: continue}
`;

  test('run the tests of a policy and show the result until something changes', async () => {
    const folder = projectWith({ '.policy/house.yaml': SOUND, '.policy/house.test.yaml': TESTS });
    const path = join(folder, '.policy/house.yaml');
    const editor = await editorIn(folder);
    await editor.open(path, SOUND);
    const lenses = async () =>
      (await editor.request<readonly CodeLens[]>('textDocument/codeLens', path)).map(({ range, command }) => [
        range.start.line,
        command?.title,
      ]);
    const run = async (index: number) => {
      const { command } =
        (await editor.request<readonly CodeLens[]>('textDocument/codeLens', path))[index] ?? {};
      return editor.connection.sendRequest('workspace/executeCommand', {
        command: command?.command,
        arguments: command?.arguments,
      });
    };
    expect(await lenses()).toEqual([
      [0, 'Run tests'],
      [2, 'Run tests'],
    ]);
    expect(await run(1)).toBe('✓ 3 tests passed');
    expect(await lenses()).toEqual([
      [0, '✓ 4 tests passed'],
      [2, '✓ 3 tests passed'],
    ]);
    expect(editor.messages()).toEqual(['✓ 3 tests passed']);

    // The unsaved text is what is tested.
    await editor.change(path, SOUND.replace('run: npm}', 'run: pnpm}'));
    expect((await lenses())[1]).toEqual([2, 'Run tests']);
    expect(await run(1)).toBe('✗ 3 tests failed');
    expect(editor.messages().at(-1)).toContain('a decision by npm');
    await editor.change(path, SOUND);
    writeFileSync(join(folder, '.policy/house.test.yaml'), 'cases: {\n');
    expect(await run(0)).toContain('1 file could not be used');
  });

  test('of a policy without tests say so', async () => {
    const bare = SOUND.replace(/ {4}examples.*\n/, '');
    const folder = projectWith({ '.policy/house.yaml': bare });
    const path = join(folder, '.policy/house.yaml');
    const editor = await editorIn(folder);
    await editor.open(path, bare);
    const command = { command: 'policy.runTests', arguments: [uriOf(path), 'house/npm'] };
    await editor.findings(path);
    expect(await editor.connection.sendRequest<string>('workspace/executeCommand', command)).toBe('No tests');
    expect(
      await editor.connection.sendRequest<string | null>('workspace/executeCommand', {
        command: 'policy.runTests',
        arguments: ['file:///elsewhere.yaml'],
      }),
    ).toBeNull();
  });
});
