import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { CompletionItem, Hover, Location } from 'vscode-languageserver';
import { BINARY } from '../../support/binary.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { type Editor, startEditor, uriOf } from './client.ts';
import { projects } from './project.ts';

const { projectWith, editorIn } = projects();

const HOUSE = `version: 1
policies:
  - id: push
    command: {subcommand: [git, push]}
    action: deny
    reason: Ask a person to push
    examples: {hit: [{command: git push}]}
`;

const PARAMETERS =
  'version: 1\nparameters:\n  scripts: {type: list of strings, default: [npm], may: extend}\n';

const policyWith = (rest: string) => `version: 1\npolicies:\n  - id: a\n    ${rest}\n`;

interface Open {
  readonly editor: Editor;
  readonly path: string;
  readonly folder: string;
}

async function openEditor(files: Record<string, string> = {}): Promise<Open> {
  const folder = projectWith({ '.policy/house.yaml': HOUSE, '.policy/new.yaml': '', ...files });
  return { editor: await editorIn(folder), path: join(folder, '.policy/new.yaml'), folder };
}

/** For tests that ask about what they type into the new file and need no files of their own. */
const commonFolder = sharedFolder({ '.git/HEAD': '', '.policy/house.yaml': HOUSE, '.policy/new.yaml': '' });
let shared: Open;

beforeAll(async () => {
  const path = join(commonFolder, '.policy/new.yaml');
  shared = { editor: await startEditor(commonFolder), path, folder: commonFolder };
});

afterAll(async () => {
  expect(await shared.editor.stop()).toBe(0);
  expect(shared.editor.stderr()).toBe('');
});

async function labels(editor: Editor, path: string, marked: string): Promise<readonly string[]> {
  const items = await editor.at<readonly CompletionItem[] | null>('textDocument/completion', path, marked);
  return (items ?? []).map(({ label }) => label);
}

describe('completion', () => {
  test('has the keys of the schema that are not there yet, with their descriptions', async () => {
    const { editor, path } = shared;
    expect(await labels(editor, path, '|')).toContain('version');
    const sections = await labels(editor, path, 'version: 1\nname: x\n|');
    expect(sections).toContain('policies');
    const marked = policyWith('command: {run: npm}\n    act|');
    const items = await editor.at<readonly CompletionItem[]>('textDocument/completion', path, marked);
    const found = items.map(({ label }) => label);
    expect(found).toContain('reason');
    expect(found).not.toContain('command');
    expect(found).not.toContain('id');
    expect(items.find(({ label }) => label === 'action')).toMatchObject({
      documentation: { value: expect.stringContaining('What to do') },
      textEdit: {
        newText: 'action: ',
        range: { start: { line: 4, character: 4 }, end: { line: 4, character: 7 } },
      },
    });
    const order = items.toSorted((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1));
    expect(order.map(({ label }) => label)).toEqual(found);
    expect(found.indexOf('tool')).toBeLessThan(found.indexOf('action'));
    expect(await labels(editor, path, policyWith('command:\n      |\n    action: deny'))).toContain(
      'subcommand',
    );
    expect(await labels(editor, path, policyWith('command: {run: npm, |\n    action: deny'))).toContain(
      'flags',
    );
  });

  test.each([
    ['action: |', ['deny', 'modify'], ['run']],
    ['on: [before_tool, |]', ['after_tool', 'session_end'], ['deny']],
    ['on: |', ['before_tool'], []],
    ['tool: |', ['shell', 'fetch'], []],
    ['tool_matcher: |', ['run_shell_command', 'Bash'], []],
    ['path: {set: [secrets, |]}', ['vcs', 'shell_startup'], ['aws']],
    ['redact: [|]', ['iban', 'github'], []],
    ['command: {run: |}', ['git', 'npm', 'kubectl'], ['deny']],
    ['command:\n      - run: g|', ['git'], []],
    ['command: {run: [git, n|]}', ['npm'], []],
    ['command: {subcommand: [|', ['git'], ['push']],
    ['command: {subcommand: [git, |]}', ['push', 'stash'], ['git', '--force']],
    ['command: {subcommand: [[aws, git], s3, |]}', ['cp'], ['s3', 'push']],
    [
      'command: {subcommand: [git, push], flags: {any: |}}',
      ['--force', '-f', '--force-with-lease'],
      ['push'],
    ],
    ['command: {run: rm, flags: {any: [-r, -|]}}', ['-f', '--recursive'], ['--force-with-lease']],
    [
      'command:\n      run: [rm, cp]\n      flags:\n        none:\n          - |',
      ['-f', '--target-directory'],
      [],
    ],
    ['command: {run: tar, flags: {values: {|}}}', ['-C', '--directory'], []],
    ['command: {privileged: |}', ['true', 'false'], []],
    ['when: {all: [{command: {pipes_to: |}}]}', ['sh'], []],
    ['arguments: {command: |}', [], ['git']],
    ['examples: {hit: [{command: |}]}', [], ['git']],
    ['reason: |', [], ['git', 'deny']],
  ])('at %s', async (rest, wanted, unwanted) => {
    const { editor, path } = shared;
    const found = await labels(editor, path, policyWith(rest));
    for (const word of wanted) expect(found).toContain(word);
    for (const word of unwanted) expect(found).not.toContain(word);
  });

  test('names what the set has: ids, packs, files, calls, programs of its rows', async () => {
    const { editor, path, folder } = await openEditor({
      '.policy/programs.yaml': 'version: 1\nprograms:\n  deployer:\n    flags: [--region=, --dry-run]\n',
      '.policy/house.test.yaml': '',
      '.policy/limits.yaml': `${PARAMETERS}policies:\n  - {id: run, command: {run: {$parameter: scripts}}, action: deny, reason: No}\n`,
    });
    const exception =
      "version: 1\nexceptions:\n  - {policy: |, owner: me, reason: x, expires: '2030-01-01'}\n";
    expect(await labels(editor, path, exception)).toContain('house/push');
    expect(await labels(editor, path, 'version: 1\ndisable: [|]\n')).toEqual(
      expect.arrayContaining(['builtin:git-safety', 'git-safety/no-skipped-checks']),
    );
    expect(await labels(editor, path, 'version: 1\nextends:\n  - |\n')).toEqual(
      expect.arrayContaining(['builtin:secrets', 'house.yaml']),
    );
    expect(await labels(editor, path, policyWith('command: {run: depl|}'))).toContain('deployer');
    expect(await labels(editor, path, policyWith('command: {run: deployer, flags: {any: |}}'))).toEqual(
      expect.arrayContaining(['--region', '--dry-run']),
    );
    expect(await labels(editor, path, 'version: 1\nsettings: {|}\n')).toContain('limits/scripts');
    expect(
      await labels(editor, path, `${PARAMETERS}policies:\n  - {id: a, command: {run: {$parameter: |}}\n`),
    ).toEqual(['scripts']);
    const tests = join(folder, '.policy/house.test.yaml');
    const cases = 'calls:\n  force: {command: git push --force}\n  list:\n    command: ls\ncases:\n  - ';
    expect(await labels(editor, tests, `${cases}call: |\n    expect: deny\n`)).toEqual(
      expect.arrayContaining(['force', 'list']),
    );
    expect(await labels(editor, tests, `${cases}{call: force, expect: {policy: |}}\n`)).toContain(
      'house/push',
    );
    expect(await labels(editor, tests, `${cases}{call: force, expect: |}\n`)).toContain('deny');
    expect(await labels(editor, tests, `${cases}|\n`)).toContain('expect');
  });
});

describe('hover', () => {
  const about = async (rest: string, files: Record<string, string> = {}) => {
    const { editor, path } = await openEditor(files);
    await editor.open(path, rest.replace('|', ''));
    await editor.findings(path);
    const hover = await editor.at<Hover | null>('textDocument/hover', path, rest);
    return (hover?.contents as { readonly value: string } | undefined)?.value;
  };

  test.each([
    [policyWith('comm|and: {run: git}'), 'command'],
    [policyWith('action: de|ny'), 'What to do'],
    [policyWith('command: {run: g|it}'), 'programs/git.yaml'],
    [policyWith('command: {subcommand: [git, push], flags: {any: --for|ce}}'), '`--force`'],
    ['version: 1\ndisable: [builtin:git-saf|ety]\n', 'Protects shared branches'],
    [
      "version: 1\nexceptions:\n  - {policy: house/pu|sh, owner: me, reason: x, expires: '2030-01-01'}\n",
      'Ask a person to push',
    ],
  ])('of %j says %s', async (marked, wanted) => {
    expect(await about(marked)).toContain(wanted);
  });

  test('of what policy check finds explains the finding as policy docs does', async () => {
    const said = (await about(policyWith('act|on: deny'))) ?? '';
    const { stdout } = Bun.spawnSync([BINARY, 'docs', 'lint#unknown-key']);
    expect(said).toBe(stdout.toString().trim());
    expect(said).toContain('The key does not exist here');
    const both = await about(policyWith('command: {run: git}\n    action: resp|ond'));
    expect(both).toContain('What to do');
    expect(both).toContain('### missing-key');
  });

  test('says nothing of comments and other words', async () => {
    expect(await about(policyWith('action: deny # d|eny'))).toBeUndefined();
  });
});

describe('definition', () => {
  test('of a policy, a file, a data file and a sample call', async () => {
    const { editor, path, folder } = await openEditor({
      'shared/base.yaml': HOUSE.replace('push', 'other'),
      'names.json': '[]',
      '.policy/limits.yaml': `${PARAMETERS}policies:\n  - {id: run, command: {run: {$parameter: scripts}}, action: deny, reason: No}\n`,
      '.policy/house.test.yaml': '',
    });
    const where = (file: string, marked: string) =>
      editor.at<readonly Location[]>('textDocument/definition', file, marked);
    const exception =
      "version: 1\nexceptions:\n  - {policy: house/pu|sh, owner: me, reason: x, expires: '2030-01-01'}\n";
    expect(await where(path, exception)).toMatchObject([
      { uri: uriOf(join(folder, '.policy/house.yaml')), range: { start: { line: 2, character: 8 } } },
    ]);
    expect(await where(path, 'version: 1\nextends: [../shared/ba|se.yaml]\n')).toMatchObject([
      { uri: uriOf(join(folder, 'shared/base.yaml')) },
    ]);
    for (const name of ['../sha|red', '../shared/*|.yaml'])
      expect(await where(path, `version: 1\nextends: [${name}]\n`)).toMatchObject([
        { uri: uriOf(join(folder, 'shared/base.yaml')) },
      ]);
    expect(await where(path, 'version: 1\nextends: [../shared/no|ne.yaml, builtin:secrets]\n')).toEqual([]);
    expect(
      await where(path, policyWith('command: {run: npm, args: {first: {one_of: {file: na|mes.json}}}}')),
    ).toMatchObject([{ uri: uriOf(join(folder, 'names.json')) }]);
    const limits = join(folder, '.policy/limits.yaml');
    expect(await where(path, 'version: 1\nsettings: {limits/scr|ipts: [yarn]}\n')).toMatchObject([
      { uri: uriOf(limits), range: { start: { line: 2, character: 2 } } },
    ]);
    expect(
      await where(limits, `${PARAMETERS}policies:\n  - {id: run, command: {run: {$parameter: scr|ipts}}}\n`),
    ).toMatchObject([{ uri: uriOf(limits), range: { start: { line: 2, character: 2 } } }]);
    const tests = join(folder, '.policy/house.test.yaml');
    const cases = 'calls:\n  force: {command: git push}\ncases:\n  - ';
    expect(await where(tests, `${cases}{call: fo|rce, expect: {policy: push}}\n`)).toMatchObject([
      { uri: uriOf(tests), range: { start: { line: 1, character: 2 }, end: { line: 1, character: 7 } } },
    ]);
    expect(await where(tests, `${cases}{call: force, expect: {policy: pu|sh}}\n`)).toMatchObject([
      { uri: uriOf(join(folder, '.policy/house.yaml')) },
    ]);
  });
});
