import { describe, expect, test } from 'bun:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { archiveDigest } from '../../src/fleet/bundle/bundle.ts';
import { archiveOf, type Entry } from '../bundle/make-bundle.ts';
import { denying } from '../policy/support.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { fetchNamed, textsOf } from './fetch-named.ts';

const SHELL: Entry = { name: 'shell/a.yaml', content: denying('a') };

/** The name of an archive that is served with these bytes. */
function served(bytes: Uint8Array): string {
  return `${loopbackServer(() => new Response(bytes))}/policies.tar.gz`;
}

describe('an archive', () => {
  test('gives its policies and data under their paths', async () => {
    const bytes = await archiveOf([
      { name: './', type: 'directory' },
      { name: './shell/', type: 'directory' },
      { name: './shell/a.yaml', content: denying('a') },
      { name: 'data/hosts.json', content: '[]' },
      { name: 'README.md', content: 'no policies' },
      { name: 'latest', type: 'symlink', linkname: 'shell' },
      { name: 'odd:name\\.md', content: '' },
    ]);
    const fetched = await fetchNamed(served(bytes));
    expect(fetched.revision).toBe(archiveDigest(bytes));
    expect(textsOf(fetched)).toEqual({ 'shell/a.yaml': denying('a'), 'data/hosts.json': '[]' });
  });

  test('has the same files where its server packs them anew', async () => {
    const bytes = await archiveOf([SHELL]);
    const anew = gzipSync(gunzipSync(bytes), { level: 1 });
    const one = await fetchNamed(served(bytes));
    const two = await fetchNamed(served(anew), one.revision);
    expect(two.revision).not.toBe(one.revision);
    expect(two.files).toEqual(one.files);
  });

  test.each<[string, readonly Entry[], string]>([
    ['a path out of it', [{ name: '../../evil.yaml', content: '' }], 'leads out of it'],
    ['a path out of it further on', [{ name: 'a/../../evil.yaml', content: '' }], 'leads out of it'],
    ['a path out of it behind a dot', [{ name: './../evil.yaml', content: '' }], 'leads out of it'],
    ['an absolute path', [{ name: '/etc/policy/evil.yaml', content: '' }], 'leads out of it'],
    [
      'an absolute path in a later header',
      [{ name: 'a.yaml', content: '', pax: { path: '/etc/policy/evil.yaml' } }],
      'leads out of it',
    ],
    ['a path of Windows', [{ name: 'C:\\policy\\evil.yaml', content: '' }], 'characters in its name'],
    ['a symbolic link', [{ name: 'a.yaml', type: 'symlink', linkname: '/etc/passwd' }], 'is a link'],
    ['a hard link', [SHELL, { name: 'b.yaml', type: 'link', linkname: 'shell/a.yaml' }], 'is a link'],
    ['a device', [{ name: 'a.yaml', type: 'character-device' }], 'is no regular file'],
    ['a file twice', [SHELL, SHELL], 'two files "shell/a.yaml"'],
    ['two files that are one on some systems', [SHELL, { ...SHELL, name: 'Shell/A.yaml' }], 'two files'],
    ['a huge file', [{ name: 'a.yaml', content: new Uint8Array(5 * 1024 * 1024) }], 'larger than 4 MiB'],
    ['what is no text', [{ name: 'a.yaml', content: new Uint8Array([0xff, 0xfe]) }], 'is not UTF-8 text'],
    ['no policies', [{ name: 'README.md', content: '' }], 'it has no policy files'],
    [
      'a file of no size',
      [{ name: 'a.yaml', content: 'a', pax: { size: '-1' } }],
      'the archive is not complete',
    ],
    [
      'a folder of some size',
      [{ name: 'a/', type: 'directory', pax: { size: '9' } }],
      'the archive is not complete',
    ],
    [
      'a file of odd size',
      [{ name: 'a.yaml', content: 'a', pax: { size: 'x' } }],
      'the archive is not complete',
    ],
    [
      'a file that is too short',
      [{ name: 'a.yaml', content: 'a', pax: { size: '9000' } }],
      'the archive is not complete',
    ],
  ])('with %s is refused', async (_, entries, cause) => {
    const name = served(await archiveOf(entries));
    await expect(fetchNamed(name)).rejects.toThrow(`Cannot fetch "${name}": `);
    await expect(fetchNamed(name)).rejects.toThrow(cause);
  });

  test('of too many files is refused', async () => {
    const many = Array.from({ length: 20_001 }, (_, index) => ({ name: `${index}.md`, content: '' }));
    await expect(fetchNamed(served(await archiveOf(many)))).rejects.toThrow('more than 20000 files');
  });

  test('that is a bomb is refused', async () => {
    const zeros = Buffer.alloc(8 * 1024 * 1024);
    const bomb = gzipSync(Buffer.concat(Array.from({ length: 20 }, () => zeros)), { level: 9 });
    expect(bomb.length).toBeLessThan(1024 * 1024);
    await expect(fetchNamed(served(bomb))).rejects.toThrow('it holds more than 96 MiB');
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['a page', Buffer.from('<html>log in first</html>')],
    ['a zipped page', gzipSync('<html>log in first</html>')],
  ])('that is %s is refused', async (_, bytes) => {
    await expect(fetchNamed(served(bytes))).rejects.toThrow('the archive is not complete');
  });

  test('of which a part has arrived is refused', async () => {
    const bytes = await archiveOf([SHELL, { name: 'b.yaml', content: denying('b') }]);
    for (const length of [10, 100, bytes.length - 1])
      await expect(fetchNamed(served(bytes.subarray(0, length)))).rejects.toThrow(
        'the archive is not complete',
      );
  });
});

describe('the server of an archive', () => {
  test.each([
    ['before its answer', () => new Promise<Response>(() => {})],
    [
      'in its answer',
      () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('a')) })),
    ],
  ])('that stalls %s is given up', async (_, answer) => {
    const name = `${loopbackServer(answer)}/policies.tgz`;
    await expect(fetchNamed(name, undefined, { timeoutMs: 500 })).rejects.toThrow(
      `Cannot fetch "${name}": its server takes too long`,
    );
  });

  test.each([
    ['refuses', () => new Response('no', { status: 404 }), 'HTTP status 404'],
    [
      'redirects to an unencrypted address',
      () => new Response(null, { status: 302, headers: { location: 'http://example.com/x.tgz' } }),
      'an unencrypted address',
    ],
  ])('that %s is said to', async (_, answer, cause) => {
    await expect(fetchNamed(`${loopbackServer(answer)}/policies.tgz`)).rejects.toThrow(cause);
  });
});
