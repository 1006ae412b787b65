import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, kindOf, repositoryRoots } from '../../src/language/policy/files/folders.ts';
import { listPolicyFiles } from '../../src/language/policy/files/list-policy-files.ts';
import { MAX_FILE_BYTES, readPolicyFile, readRealFile } from '../../src/language/policy/files/read-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('readPolicyFile', () => {
  test('reads UTF-8 and leaves a byte order mark out', () => {
    const path = join(temporaryFolder(), 'a.yaml');
    writeFileSync(path, '\ufeffgrößer');
    expect(readPolicyFile(path, undefined)).toEqual({ ok: true, path, text: 'größer' });
  });

  test('follows a link and says where it leads', () => {
    const folder = temporaryFolder({ 'real.yaml': 'x' });
    symlinkSync('real.yaml', join(folder, 'link.yaml'));
    expect(readPolicyFile(join(folder, 'link.yaml'), undefined)).toMatchObject({
      path: join(folder, 'real.yaml'),
    });
  });

  test('refuses a link out of the folder that it must lie in', () => {
    const outside = join(temporaryFolder(), 'outside.yaml');
    writeFileSync(outside, 'x');
    const folder = temporaryFolder();
    symlinkSync(outside, join(folder, 'link.yaml'));
    expect(readPolicyFile(join(folder, 'link.yaml'), folder)).toEqual({
      ok: false,
      cause: `it lies outside of "${folder}"`,
    });
  });

  test('refuses a pipe without waiting for a writer', () => {
    const path = join(temporaryFolder(), 'pipe.yaml');
    execFileSync('mkfifo', [path]);
    expect(readPolicyFile(path, undefined)).toEqual({ ok: false, cause: 'it is not a regular file' });
    expect(readRealFile(path)).toEqual({ ok: false, cause: 'it is not a regular file' });
  });

  test('refuses a device', () => {
    expect(readPolicyFile('/dev/zero', undefined)).toEqual({ ok: false, cause: 'it is not a regular file' });
    expect(readRealFile('/dev/zero')).toMatchObject({ ok: false });
  });

  test('refuses a link that has taken the place of a listed file', () => {
    const folder = temporaryFolder({ 'real.yaml': 'x' });
    symlinkSync('real.yaml', join(folder, 'a.yaml'));
    expect(readRealFile(join(folder, 'a.yaml'))).toEqual({ ok: false, cause: 'it is a link' });
  });

  test('takes 4 MiB and not a byte more', () => {
    const path = join(temporaryFolder(), 'large.yaml');
    writeFileSync(path, '#'.repeat(MAX_FILE_BYTES));
    expect(readPolicyFile(path, undefined)).toMatchObject({ ok: true });
    writeFileSync(path, '#'.repeat(MAX_FILE_BYTES + 1));
    expect(readPolicyFile(path, undefined)).toEqual({ ok: false, cause: 'it is larger than 4 MiB' });
  });

  test('refuses bytes that are not UTF-8', () => {
    const path = join(temporaryFolder(), 'latin1.yaml');
    writeFileSync(path, Buffer.from([0x61, 0xe4, 0x62]));
    expect(readPolicyFile(path, undefined)).toEqual({ ok: false, cause: 'it is not UTF-8 text' });
  });

  test('says that a file or the folder above it is missing', () => {
    const folder = temporaryFolder({ file: '' });
    const missing = { ok: false, cause: 'there is no such file' } as const;
    expect(readPolicyFile(join(folder, 'none.yaml'), undefined)).toEqual(missing);
    expect(readPolicyFile(join(folder, 'file', 'none.yaml'), undefined)).toEqual(missing);
  });
});

describe('listPolicyFiles', () => {
  function write(folder: string, ...names: readonly string[]): void {
    for (const name of names) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), '');
    }
  }
  const listed = (folder: string, within?: string) => {
    const { files, problems } = listPolicyFiles(folder, within);
    const cut = (path: string) => path.slice(folder.length + 1);
    return {
      files: files.map(({ path }) => cut(path)),
      problems: problems.map(({ path, cause }) => [cut(path), cause]),
    };
  };

  test('lists files by name, folders recursively, tests and other files left out', () => {
    const folder = temporaryFolder();
    write(
      folder,
      'b.yaml',
      'a.yml',
      'c/d.yaml',
      'c/b.yaml',
      'B.yaml',
      'a.test.yaml',
      'a.test.yml',
      'notes.md',
      'x.yaml.bak',
    );
    expect(listed(folder)).toEqual({
      files: ['B.yaml', 'a.yml', 'b.yaml', 'c/b.yaml', 'c/d.yaml'],
      problems: [],
    });
  });

  test('passes over what other programs put there, and takes hidden files with policies', () => {
    const folder = temporaryFolder({
      '.team/a.yaml': 'version: 1\npolicies: []',
      '.team/b/c.yaml': '# json\n{\n  "version": 1, "exceptions": []}',
      '.d.yaml': 'policies: [\n',
      '.e.yaml': '---\n  name: e\n  version: 1 # of ours\n  disable: [builtin:baseline]\n',
      '.f.yaml': '--- {version: 1, tools: {}}',
      '.github/a.yaml': 'jobs:\n  policies:\n    with:\n      version: 1\ndefaults: {}',
      '.golangci.yml': 'version: "2"\nsettings: {}',
      '.g.yaml': '# version: 1\nsettings: {}',
      '.git/a.yaml': 'policies: []',
      '.#d.yaml': 'policies: []',
    });
    write(folder, 'node_modules/b/c.yaml', '.policy/d.yaml', '.gitlab-ci.yml', '._e.yaml');
    symlinkSync('me@host.1:2', join(folder, '.#e.yaml'));
    expect(listed(folder)).toEqual({
      files: ['.d.yaml', '.e.yaml', '.f.yaml', '.policy/d.yaml', '.team/a.yaml', '.team/b/c.yaml'],
      problems: [],
    });
  });

  test('follows links to files inside, and complains of all others that could hold policies', () => {
    const outside = temporaryFolder();
    write(outside, 'x.yaml', 'folder/y.yaml');
    const folder = temporaryFolder();
    write(folder, 'real.yaml', 'sub/z.yaml');
    symlinkSync(join(folder, 'real.yaml'), join(folder, 'inside.yaml'));
    symlinkSync(join(outside, 'x.yaml'), join(folder, 'out.yaml'));
    symlinkSync(join(outside, 'folder'), join(folder, 'out-folder'));
    symlinkSync(join(folder, 'sub'), join(folder, 'sub-link'));
    symlinkSync('nowhere.yaml', join(folder, 'broken.yaml'));
    symlinkSync('nowhere', join(folder, 'broken-but-no-policy'));
    expect(listed(folder)).toEqual({
      files: ['inside.yaml', 'real.yaml', 'sub/z.yaml'],
      problems: [
        ['broken.yaml', 'it is a link that leads nowhere'],
        ['out-folder', 'links to folders are not followed'],
        ['out.yaml', 'it is a link out of the folder'],
        ['sub-link', 'links to folders are not followed'],
      ],
    });
  });

  test('complains of what has the name of a policy file and is none', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'folder.yaml'));
    execFileSync('mkfifo', [join(folder, 'pipe.yml')]);
    symlinkSync('circle.yaml', join(folder, 'circle.yaml'));
    write(folder, 'real.yaml', 'folder.yaml/a.yaml');
    expect(listed(folder)).toEqual({
      files: ['real.yaml'],
      problems: [
        ['circle.yaml', 'it is a link in a circle'],
        ['folder.yaml', 'it is a folder'],
        ['pipe.yml', 'it is not a regular file'],
      ],
    });
  });

  test('refuses a folder that is a link out of the one it must lie in', () => {
    const outside = temporaryFolder();
    write(outside, 'x.yaml');
    const project = temporaryFolder();
    symlinkSync(outside, join(project, '.policy'));
    const { files, problems } = listPolicyFiles(join(project, '.policy'), project);
    expect(files).toEqual([]);
    expect(problems.map(({ cause }) => cause)).toEqual([`it lies outside of "${project}"`]);
  });

  test('stops at 32 levels', () => {
    const folder = temporaryFolder();
    write(folder, `${'d/'.repeat(33)}a.yaml`);
    expect(listPolicyFiles(folder, undefined).problems).toEqual([
      { path: folder, cause: 'folders nest deeper than 32 levels' },
    ]);
  });
});

describe('kindOf', () => {
  test('tells files, folders, pipes and what is not there apart, through links', () => {
    const folder = temporaryFolder({ file: '' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const name of ['file', 'pipe', 'missing', '.']) symlinkSync(name, join(folder, `to-${name}`));
    const kinds = ['file', 'to-file', 'to-pipe', 'to-missing', 'to-.'].map((name) =>
      kindOf(join(folder, name)),
    );
    expect(kinds).toEqual(['file', 'file', 'other', 'dangling', 'folder']);
    expect(kindOf(join(folder, 'missing'))).toBe('missing');
  });
});

describe('repositoryRoots', () => {
  test('finds every folder with .git, which may be a file, nearest first', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'a/b/c'), { recursive: true });
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, 'a/b/.git'), 'gitdir: elsewhere');
    expect(repositoryRoots(join(folder, 'a/b/c'))).toEqual([join(folder, 'a/b'), folder]);
    expect(repositoryRoots(join(folder, 'a'))).toEqual([folder]);
    expect(repositoryRoots(join(folder, 'missing/deeper'))).toEqual([folder]);
  });
});

describe('isInside', () => {
  test.each([
    ['/a/b', '/a', true],
    ['/a', '/a', true],
    ['/a/..b', '/a', true],
    ['/ab', '/a', false],
    ['/', '/a', false],
    ['/b', '/a', false],
    ['/anything', '/', true],
  ])('%s in %s: %p', (path, folder, expected) => {
    expect(isInside(path, folder)).toBe(expected);
  });
});
