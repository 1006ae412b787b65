import { describe, expect, test } from 'bun:test';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { path } from '../../src/matchers/path.ts';
import type { Surroundings } from '../../src/model/surroundings.ts';
import type { Truth } from '../../src/model/truth.ts';
import { ask, factsOf, shell, unreadable } from './support.ts';

function tool(name: string, given: string | JsonObject, surroundings?: Partial<Surroundings>) {
  const args = typeof given === 'string' ? { path: given } : given;
  return factsOf({ on: 'before_tool', tool: name, arguments: args }, surroundings);
}

describe('path: globs', () => {
  test.each<[spec: Json, path: string, truth: Truth]>([
    ['**/.env', '.env', true],
    ['.env', 'a/b/.env', true],
    ['~/.ssh/**', '/home/user/.ssh/id_rsa', true],
    ['~/.ssh/**', '~/.ssh/id_rsa', true],
    ['~/.ssh/**', '/home/other/.ssh/id_rsa', false],
    ['~', '/home/user', true],
    ['.', '/workspace', true],
    ['./*', '/workspace/a', true],
    ['./*', '/workspace/a/b', false],
    ['src/*.ts', '/workspace/src/a.ts', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', '/other/src/a.ts', false],
    ['/etc/{passwd,group}', '/etc/../etc//group', true],
    [['a', 'b'], 'x/b', true],
    [{ match: 'a', except: 'x/**' }, '/workspace/x/a', false],
    [{ match: 'a', except: ['./x/**'] }, 'x/a', false],
    [{ match: '**', except: { set: 'temporary' } }, '/tmp/a', false],
    [{ match: '**', except: { set: 'temporary' } }, '/tmp', true],
    [{ set: 'secrets' }, '.env.local', true],
    [{ set: ['secrets', 'shell_startup'] }, '~/.bashrc', true],
    [{ set: 'secrets' }, '.env.example', false],
  ])('%j says of %s: %p', (spec, given, truth) => {
    expect(ask('path', spec, tool('read', given))).toBe(truth);
  });

  test.each([
    ['apply_patch', 'input'],
    ['ApplyPatch', 'patch'],
    ['mcp_files_apply_patch', 'patch_text'],
  ])('looks into the patch that %s is given as %s', (name, argument) => {
    const text =
      '*** Begin Patch\n*** Add File: .git/hooks/pre-commit\n+x\n*** Delete File: ~/.bashrc\n*** End Patch';
    const facts = tool(name, { [argument]: text });
    expect(ask('path', { match: '**/.git/hooks/*', uses: 'write' }, facts)).toBe(true);
    expect(ask('path', { match: '~/.bashrc', uses: 'delete' }, facts)).toBe(true);
    expect(ask('path', { match: '~/.bashrc', uses: 'write' }, facts)).toBe(false);
    expect(ask('path', '**/.git/**', tool('note', { [argument]: text }))).toBe(false);
  });

  test('needs a home for ~ and a workspace for what is relative to it', () => {
    const nowhere = { home: undefined, workspace: undefined };
    expect(ask('path', '~/.ssh/**', tool('read', '~/.ssh/id', nowhere))).toBe(true);
    expect(ask('path', '~/.ssh/**', tool('read', '/home/user/.ssh/id', nowhere))).toBe(false);
    expect(
      ask(
        'path',
        './a',
        factsOf({ on: 'before_tool', tool: 'read', arguments: { path: 'a' }, context: { cwd: '' } }, nowhere),
      ),
    ).toBe(true);
  });

  test('takes the characters of folders for what they are', () => {
    const odd = { home: '/home/a[b]*', workspace: '/work {x}' };
    expect(ask('path', '~/a', tool('read', '/home/a[b]*/a', odd))).toBe(true);
    expect(ask('path', '~/a', tool('read', '/home/ab/a', odd))).toBe(false);
    expect(ask('path', './a', tool('read', '/work {x}/a', odd))).toBe(true);
  });
});

describe('path: outside', () => {
  test.each<[path: string, truth: Truth]>([
    ['a', false],
    ['../a', true],
    ['/workspace/a', false],
    ['/workspace', false],
    ['/workspaces/a', true],
    ['a/../../b', true],
    ['~/a', true],
  ])('%s: %p', (given, truth) => {
    expect(ask('path', { outside: 'workspace' }, tool('write', given))).toBe(truth);
  });

  test('is unknown for an absolute path where the workspace is not known', () => {
    const call = tool('write', '/a', { workspace: undefined });
    expect(ask('path', { outside: 'workspace' }, call)).toBe('unknown');
  });

  test('counts the workspace by both of its names', () => {
    const realPath = (text: string) => text.replace(/^\/workspace/, '/real');
    expect(ask('path', { outside: 'workspace' }, tool('write', 'a', { realPath }))).toBe(false);
    expect(ask('path', { outside: 'workspace' }, tool('write', '/real/a', { realPath }))).toBe(false);
  });
});

describe('path: links', () => {
  const realPath = (text: string) => text.replace(/^\/workspace\/link(?=\/|$)/, '/etc');

  test('follows them', () => {
    expect(ask('path', '/etc/passwd', tool('read', 'link/passwd', { realPath }))).toBe(true);
    expect(ask('path', { outside: 'workspace' }, tool('write', 'link/a', { realPath }))).toBe(true);
  });

  test('counts the name as written as well', () => {
    expect(ask('path', 'link/**', tool('read', 'link/passwd', { realPath }))).toBe(true);
  });

  test('takes a link that is deleted for itself', () => {
    const outside = { outside: 'workspace', uses: 'delete' };
    expect(ask('path', outside, shell('rm link', { realPath }))).toBe(false);
    expect(ask('path', outside, shell('rm link/passwd', { realPath }))).toBe(true);
  });

  test('looks up no more paths than the call names', () => {
    const asked: string[] = [];
    const counting = (text: string) => {
      asked.push(text);
      return text;
    };
    ask('path', { set: ['secrets', 'system', 'vcs'] }, tool('read', 'a', { realPath: counting }));
    expect(asked).toEqual(['/workspace/a']);
  });
});

describe('path: uses', () => {
  test.each<[uses: Json, command: string, truth: Truth]>([
    ['read', 'cat a', true],
    ['write', 'cat a', false],
    ['write', 'echo x > a', true],
    ['delete', 'rm a', true],
    ['list', 'ls a', true],
    ['execute', './a', true],
    ['mention', 'unheard-of a', true],
    ['empty', '> a', true],
    ['empty', 'truncate -s 0 a', true],
    ['empty', 'echo x > a', false],
    ['empty', 'rm a', false],
    ['write', '> a', true],
    [['read', 'write'], 'unheard-of a', false],
    ['write', '"$X" a', 'unknown'],
    ['delete', 'cat "$X"', false],
    ['read', 'cat "$X"', 'unknown'],
    ['read', 'sh -c "$X"', 'unknown'],
  ])('%j in %s: %p', (uses, text, truth) => {
    expect(ask('path', { match: '/workspace/a', uses }, shell(text))).toBe(truth);
  });

  test.each<[name: string, use: string]>([
    ['read', 'read'],
    ['write', 'write'],
    ['edit', 'write'],
    ['list', 'list'],
    ['search', 'read'],
    ['message', 'read'],
  ])('of the tool class %s is %s', (name, use) => {
    expect(ask('path', { match: 'a', uses: use }, tool(name, 'a'))).toBe(true);
    const others = ['read', 'write', 'empty', 'delete', 'list', 'execute', 'mention'].filter(
      (each) => each !== use,
    );
    expect(ask('path', { match: 'a', uses: others }, tool(name, 'a'))).toBe(false);
  });

  test('of a tool that nobody knows are reading and writing', () => {
    expect(ask('path', { match: 'a', uses: 'read' }, tool('mcp_x_y', 'a'))).toBe(true);
    expect(ask('path', { match: 'a', uses: 'write' }, tool('mcp_x_y', 'a'))).toBe(true);
  });

  test('finds every path of a list', () => {
    expect(ask('path', 'b', tool('other', { paths: ['a', 'b'] }))).toBe(true);
  });
});

describe('path: folders around it', () => {
  test.each<[spec: Json, command: string, truth: Truth]>([
    [{ match: '~/.ssh/**', uses: 'delete' }, 'rm -r ~', true],
    [{ match: '~/.ssh/**', uses: 'delete' }, 'rm ~', false],
    [{ match: '~/.ssh/**', uses: 'delete' }, 'rm -r ~/.aws', false],
    [{ match: '**/.env', uses: 'delete' }, 'rm -r src', false],
    [{ match: '~/.ssh/**', uses: 'delete', around: false }, 'rm -r ~', false],
    [{ match: '~/.ssh/**', uses: 'list' }, 'ls -R ~', false],
    [{ match: 'a', recursive: true }, 'rm -r a', true],
    [{ match: 'a', recursive: true }, 'rm a', false],
    [{ match: 'a', recursive: false }, 'rm a', true],
    [{ match: 'a/**', recursive: true, uses: 'delete' }, 'find a -type f -exec rm {} +', true],
  ])('%j says of %s: %p', (spec, text, truth) => {
    expect(ask('path', spec, shell(text))).toBe(truth);
  });
});

describe('path: what is not known', () => {
  test.each<[spec: Json, command: string, truth: Truth]>([
    ['**/.env', 'cat "$DIR/.env"', true],
    ['**/.env', 'cat "$X"', 'unknown'],
    ['**/.env', 'cat "$X.txt"', false],
    ['/etc/**', 'cat "/tmp/$X"', false],
    ['/tmp/**', 'cat "/tmp/$X"', true],
    ['$TMPDIR/*', 'cat "$TMPDIR/a"', true],
    ['$TMPDIR/*', 'cat "$OTHER/a"', false],
    ['$KUBECONFIG', 'cat $KUBECONFIG', true],
    ['$KUBECONFIG', 'cat $OTHER', false],
    ['$TMPDIR/*', 'cat "$TMPDIR/../a"', false],
    [{ match: '**/.env', unknown: true }, 'cat "$X"', true],
    [{ match: '**/.env', unknown: true }, 'cat .env', false],
    ['**/.env', 'cat .env*', true],
    ['**/*.pem', 'cat *.pem', true],
    ['**/secrets.json', 'cat *.json', 'unknown'],
    ['**/.env', 'cat *.json', false],
    [{ match: '**/a*', except: '**/ab' }, 'cat a*', true],
    [{ match: 'a/**', except: '**/*.lock' }, 'cat a/$X', 'unknown'],
    [{ match: 'a/**', unless: '**/*.lock' }, 'cat a/$X', true],
    [{ match: 'a/**', unless: '**/*.lock' }, 'cat "a/$X.lock"', false],
    [{ match: 'a/**', unless: '**/*.lock' }, 'cat a/*.lock', false],
    [{ match: 'a/**', unless: '**/*.lock' }, 'cat a/b.lock a/b', true],
    ['**/.env', 'find . -name .env -exec cat {} +', true],
    ['**/.env', "find . -name '*.ts' -exec cat {} +", false],
  ])('%j says of %s: %p', (spec, text, truth) => {
    const only =
      typeof spec === 'string' ? { match: spec, uses: 'read' } : { ...(spec as JsonObject), uses: 'read' };
    expect(ask('path', only, shell(text))).toBe(truth);
  });

  test('is everything where the arguments cannot be read', () => {
    expect(ask('path', 'a', unreadable('read'))).toBe('unknown');
  });

  test('is nothing without a path', () => {
    expect(
      ask('path', '**', factsOf({ on: 'before_tool', tool: 'message', arguments: { content: '/etc' } })),
    ).toBe(false);
  });
});

test('path says where a glob is wrong', () => {
  expect(
    path.check({ match: ['a', '{b'], except: { match: '[c' }, unless: '[d' }).map((problem) => problem.path),
  ).toEqual([['match', 1], ['except', 'match'], ['unless']]);
});
