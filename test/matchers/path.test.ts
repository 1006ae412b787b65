import { describe, expect, test } from 'bun:test';
import { path } from '../../src/language/keys/path/match.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';
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

  test('may be the root of the system', () => {
    const root = { home: '/', workspace: '/' };
    for (const glob of ['~', '.', '~/a/**', './a/**']) {
      expect(ask('path', ['/b', glob], tool('read', '/', root))).toBe(!glob.includes('a'));
      expect(ask('path', ['/b', glob], tool('read', '/a/x', root))).toBe(glob.includes('a'));
    }
  });

  test('takes the characters of folders for what they are', () => {
    const odd = { home: '/home/a[b]*', workspace: '/work {x}' };
    expect(ask('path', '~/a', tool('read', '/home/a[b]*/a', odd))).toBe(true);
    expect(ask('path', '~/a', tool('read', '/home/ab/a', odd))).toBe(false);
    expect(ask('path', './a', tool('read', '/work {x}/a', odd))).toBe(true);
  });
});

describe('path: the globs of search tools', () => {
  test.each<[args: JsonObject, spec: Json, truth: Truth]>([
    [{ glob: '.env' }, '.env', true],
    [{ glob: '.env' }, './.env', true],
    [{ glob: '.env' }, './config/.env', true],
    [{ glob: '*.ts' }, './src/a.ts', 'unknown'],
    [{ glob: '**/.env' }, './.env', true],
    [{ glob: '/.env' }, './.env', true],
    [{ glob: '*.{ts,pem}' }, '*.pem', true],
    [{ glob: '*.{ts,tsx}' }, '*.pem', false],
    [{ glob: 'a[.]b' }, 'a.b', true],
    [{ glob: '!.env' }, '.env', false],
    [{ glob: '' }, '.env', false],
    [{ glob: ['a', '.env'] }, '.env', true],
    [{ glob: { deep: '.env' } }, '.env', true],
    [{ glob: 7 }, '.env', false],
    [{ glob: '*.ts', path: 'src' }, './src/a/b.ts', 'unknown'],
    [{ glob: 'lib/*.ts', path: 'src' }, './src/lib/*.ts', true],
    [{ glob: 'lib/*.ts', path: '../other' }, './**', false],
    [{ glob: 'id_rsa', path: '~/.ssh' }, '~/.ssh/id_rsa', true],
    [{ glob: '.env', path: '/elsewhere' }, '/elsewhere/.env', true],
    [{ glob: `${'{a,b}'.repeat(30)}.env` }, '.env', 'unknown'],
    [{ pattern: '.env' }, '.env', false],
  ])('Grep with %j reads %j: %p', (args, spec, truth) => {
    const uses = { match: spec, uses: 'read', around: false };
    expect(ask('path', uses, tool('Grep', args))).toBe(truth);
  });

  test('are no names below the folder for what reads files', () => {
    const facts = tool('read_many_files', { include: ['a.ts', '/etc/shadow'] });
    expect(ask('path', './a.ts', facts)).toBe(true);
    expect(ask('path', './lib/a.ts', facts)).toBe(false);
    expect(ask('path', '/etc/shadow', facts)).toBe(true);
  });

  test('are not counted without end', () => {
    const include = Array.from({ length: 1_000 }, (_, index) => `${'{a,b}'.repeat(7)}${index}`);
    expect(() => ask('path', '.env', tool('read_many_files', { include }))).toThrow('more than 100000 files');
  });

  test('are only listed by what only lists', () => {
    expect(
      ask('path', { match: '.env', uses: 'read', around: false }, tool('Glob', { pattern: '.env' })),
    ).toBe(false);
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
    [{ match: '**/.aws/credentials', uses: 'delete' }, 'mv .aws x', true],
    [{ match: '**/.aws/credentials', uses: 'delete' }, 'rm -r x/.aws', true],
    [{ match: '**/.aws/credentials', uses: 'delete' }, 'rm -r "$X/.aws"', true],
    [{ match: '**/.aws/credentials', uses: 'delete' }, 'rm -r .aw*', true],
    [{ match: '**/.aws/credentials', uses: 'delete' }, 'rm -r aws .aws2', false],
    [{ match: '**/.aws/credentials', uses: 'delete' }, 'rm -r .', false],
    [{ match: '**/.aws/credentials', uses: 'delete', around: false }, 'mv .aws x', false],
    [{ match: '**/.aws/**/b', uses: 'delete' }, 'rm -r .aws', true],
    [{ match: '**/.aws/**/b', uses: 'delete' }, 'rm -r .aws/a', false],
    [{ match: '/{home,srv}/*/.ssh/**', uses: 'delete' }, 'rm -r /srv/me', true],
    [{ match: '/{home,srv}/*/.ssh/**', uses: 'delete' }, 'rm -r /opt/me', false],
    [{ match: '**/*.pem', uses: 'delete' }, 'rm -r keys', false],
    [{ match: '$DATA/a/b', uses: 'delete' }, 'rm -r $DATA', true],
    [{ match: '$DATA/a/b', uses: 'delete' }, 'rm -r $DATA/c', false],
    [{ match: '~/a/b', uses: 'write' }, 'chmod 000 ~/a', true],
    [{ match: '~/a/b', uses: 'write' }, 'chmod 755 ~/a', false],
    [{ match: '~/a/b', uses: 'write', recursive: true }, 'chmod 000 ~/a', false],
  ])('%j says of %s: %p', (spec, text, truth) => {
    expect(ask('path', spec, shell(text))).toBe(truth);
  });
});

describe('path: what is put into a folder', () => {
  test.each<[match: string, command: string, truth: Truth]>([
    ['~/bin/a', 'cp x/a ~/bin', true],
    ['~/bin/a', 'cp x/b ~/bin', false],
    ['~/bin/a', 'mv b ~/bin', false],
    ['~/bin', 'mv b ~/bin', true],
    ['~/bin/a', 'mv -T b ~/bin', true],
    ['~/bin/a', 'cp -r b/. ~/bin', true],
    ['~/bin/a', 'cp b/* ~/bin', true],
    ['~/bin/a', 'cp b/*.sh ~/bin', false],
    ['~/bin/a', 'cp "$F" ~/bin', 'unknown'],
    ['~/bin/a/**', 'cp -r a ~/bin', true],
    ['~/bin/a', 'tar xf x -C ~/bin', true],
    ['~/bin/a', 'tar xf x -C ~/bin b', false],
    ['**/.aws/credentials', 'mv d .aws', true],
    ['**/.aws/credentials', 'cp -r x/.aws .', true],
    ['**/.aws/credentials', 'cp -r x/. .', false],
    ['**/.aws/credentials', 'cp x/* .aws/', true],
    ['**/.aws/credentials', 'tar xf x', false],
  ])('%s is written by %s: %p', (match, text, truth) => {
    expect(ask('path', { match, uses: 'write' }, shell(text))).toBe(truth);
  });

  test.each<[isThere: boolean, command: string, truth: Truth]>([
    [true, 'mv b ~/bin', false],
    [false, 'mv b ~/bin', true],
    [false, 'cp b ~/bin', false],
    [true, 'mv a ~/bin', true],
  ])('where the folder is there (%p), %s: %p', (isThere, text, truth) => {
    const call = shell(text, { isThere: () => isThere });
    expect(ask('path', { match: '~/bin/a', uses: 'write' }, call)).toBe(truth);
  });
});

describe('path: wildcards', () => {
  test.each<[match: string, command: string, truth: Truth]>([
    ['~/bin/tool', 'rm ~/bin/t*', true],
    ['~/bin/tool', 'rm ~/b*/tool', true],
    ['~/bin/tool', 'rm -r ~/b*', true],
    ['~/bin/tool', 'rm ~/bin/q*', false],
    ['~/bin/tool', 'cd ~/b?n && rm tool', true],
    ['~/.a/**', 'rm ~/.*/x', true],
    ['~/.a/**', 'rm ~/*/x', 'unknown'],
    ['~/.a', 'rm ~/*', 'unknown'],
    ['**/.policy/**', 'rm .pol*/a.yaml', true],
    ['**/.policy/**', 'rm -r .pol*/a/b', true],
    ['**/.policy/**', 'rm x/.polic?/a', true],
    ['**/.policy/**', 'rm pol*/a.yaml', false],
    ['**/.policy/**', 'rm .p*/a.yaml', 'unknown'],
    ['**/.aws/credentials', 'rm .aws/*', true],
    ['**/.aws/credentials', 'rm .aws/c*s', true],
    ['**/.aws/credentials', 'rm .aws/*.bak', false],
    ['**/.aws/credentials', 'rm x/*', false],
    ['~/bin/tool', 'find ~ -name tool -delete', true],
    ['~/bin/tool', "find ~ -name 't*' -delete", true],
    ['~/bin/tool', "find ~ -name '*.log' -delete", false],
    ['~/bin/tool', 'find /srv -name tool -delete', false],
  ])('%s is deleted by %s: %p', (match, text, truth) => {
    expect(ask('path', { match, uses: 'delete' }, shell(text))).toBe(truth);
  });

  test('in what is read take in no more than they resemble', () => {
    expect(ask('path', { match: '~/bin/tool', uses: 'read' }, shell('cat ~/bin/t*'))).toBe('unknown');
    expect(ask('path', { match: '**/.aws/credentials', uses: 'read' }, shell('cat .aws/*'))).toBe('unknown');
  });
});

describe('path: what is known by another place', () => {
  const place = '/workspace/x/a';
  const knownAs = (path: string, below: boolean) =>
    path === place || (below && place.startsWith(`${path}/`)) ? ['/usual/a'] : [];

  test.each<[uses: string, command: string, truth: Truth]>([
    ['delete', 'rm x/a', true],
    ['delete', 'rm -r x', true],
    ['delete', 'rm -r ../workspace', true],
    ['delete', 'rm -r y', false],
    ['delete', 'find x -name b -delete', false],
    ['write', 'rsync -a d/ x', true],
    ['write', 'chmod 000 x', true],
    // What is put into the folder that the agent works in seldom means all that lies there.
    ['write', 'tar xf x.tar', false],
    ['write', 'tar xf x.tar -C ../workspace', false],
    ['read', 'grep -r x x', false],
  ])('%s in %s: %p', (uses, text, truth) => {
    expect(ask('path', { match: '/usual/a', uses }, shell(text, { knownAs }))).toBe(truth);
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
