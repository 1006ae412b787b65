import { describe, expect, test } from 'bun:test';
import { sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { archiveDigest, openBundle } from '../../src/fleet/bundle/bundle.ts';
import { type BundleDemands, verifyBundle } from '../../src/fleet/bundle/verify-bundle.ts';
import { treeDigest } from '../../src/lib/tree-digest.ts';
import {
  archiveOf,
  bundleOf,
  bytesOf,
  type Entry,
  entriesOf,
  keyPair,
  refusalOf,
  TEXTS,
} from './make-bundle.ts';

const NOW_MS = Date.parse('2026-11-23T12:00:00Z');
const TEAM = keyPair();
const OTHER = keyPair();

function demands(more: Partial<BundleDemands> = {}): BundleDemands {
  return { keys: [TEAM.open], identities: [], withdrawn: [], nowMs: NOW_MS, ...more };
}

/** Why a bundle is refused. */
function refusal(bytes: Uint8Array, more: Partial<BundleDemands> = {}): Promise<string> {
  return refusalOf(verifyBundle(bytes, demands(more)));
}

/** A signed bundle whose archive somebody has changed. */
async function altered(change: (entries: readonly Entry[]) => readonly Entry[]): Promise<Uint8Array> {
  return archiveOf(change(await entriesOf(await bundleOf({ keys: [TEAM] }))));
}

/** Changes the text of one entry. */
function edit(name: string, change: (text: string) => string) {
  return (entries: readonly Entry[]): readonly Entry[] =>
    entries.map((entry) =>
      entry.name === name
        ? { ...entry, content: change(Buffer.from(entry.content ?? '').toString()) }
        : entry,
    );
}

describe('a bundle that is built', () => {
  test('is the same for the same parts, in whatever order they come', async () => {
    const bytes = await bundleOf({ keys: [TEAM] });
    const reversed = Object.fromEntries(Object.entries(TEXTS).reverse());
    expect(archiveDigest(await bundleOf({ keys: [TEAM], texts: reversed }))).toBe(archiveDigest(bytes));
    expect([...bytes.subarray(4, 10)]).toEqual([0, 0, 0, 0, 2, 255]);
  });

  test('has the digest of its tree and of its tests', async () => {
    const tests = { 'git.test.yaml': 'version: 1\ncases: []\n' };
    const { manifest, files } = await openBundle(await bundleOf({ tests }));
    expect(manifest).toEqual({
      name: 'acme',
      version: '1.0.0',
      expires: undefined,
      digest: `sha256:${treeDigest(bytesOf(TEXTS))}`,
      tests: `sha256:${treeDigest(bytesOf(tests))}`,
    });
    expect([...files.keys()]).toEqual(['data/hosts.json', 'git.yaml']);
  });

  test('holds the paths that need the long headers of tar', async () => {
    const texts = { [`${'long/'.repeat(60)}größe.yaml`]: 'version: 1\n' };
    const { files } = await openBundle(await bundleOf({ texts }));
    expect([...files.keys()]).toEqual(Object.keys(texts));
  });
});

describe('a bundle is taken', () => {
  test('where one of its signatures counts', async () => {
    const bytes = await bundleOf({ keys: [OTHER, TEAM] });
    expect((await verifyBundle(bytes, demands())).signedBy).toBe(TEAM.id);
    expect(await refusal(bytes, { keys: [OTHER.open, TEAM.open], withdrawn: [OTHER.open] })).toBe('taken');
  });

  test('before it expires, and at the version that is demanded', async () => {
    const bytes = await bundleOf({ keys: [TEAM], expires: '2026-11-23T12:00:01.000Z', version: '1.10.0' });
    expect(await refusal(bytes, { name: 'acme', atLeast: '1.10.0' })).toBe('taken');
    expect(await refusal(bytes, { atLeast: '1.9.9' })).toBe('taken');
  });
});

describe('a bundle is refused', () => {
  test('that nobody has signed', async () => {
    expect(await refusal(await bundleOf())).toBe('it is not signed');
  });

  test('that only others have signed', async () => {
    const bytes = await bundleOf({ keys: [OTHER] });
    expect(await refusal(bytes)).toBe(
      `it is signed with key ${OTHER.id}, which is not one of those that may sign it`,
    );
  });

  test('whose key has been withdrawn, also where it is still among those that count', async () => {
    const bytes = await bundleOf({ keys: [TEAM] });
    expect(await refusal(bytes, { withdrawn: [TEAM.open] })).toBe(
      `it is signed with key ${TEAM.id}, which has been withdrawn`,
    );
  });

  test('that expired', async () => {
    const bytes = await bundleOf({ keys: [TEAM], expires: '2026-11-23T12:00:00.000Z' });
    expect(await refusal(bytes)).toBe('it expired at 2026-11-23T12:00:00.000Z; ask its team for a newer one');
  });

  test('that is older than what is demanded, or another one', async () => {
    const bytes = await bundleOf({ keys: [TEAM], version: '1.9.0' });
    expect(await refusal(bytes, { atLeast: '1.10.0' })).toBe(
      'it is version 1.9.0, which is older than 1.10.0',
    );
    expect(await refusal(bytes, { name: 'umbrella' })).toBe('it is the bundle "acme", not "umbrella"');
  });

  test.each<[string, (entries: readonly Entry[]) => readonly Entry[], string]>([
    [
      'a changed policy',
      edit('files/git.yaml', (text) => text.replace('[]', '[ ]')),
      'it has been altered: its files are not those that its bundle.json names',
    ],
    [
      'a file more',
      (entries) => [...entries, { name: 'files/more.yaml', content: 'version: 1\n' }],
      'it has been altered: its files are not those that its bundle.json names',
    ],
    [
      'a file less',
      (entries) => entries.slice(0, -1),
      'it has been altered: its files are not those that its bundle.json names',
    ],
    [
      'a version that is set up',
      edit('bundle.json', (text) => text.replace('1.0.0', '9.0.0')),
      `it has been altered: its signature with key ${TEAM.id} does not fit`,
    ],
    [
      'an expiry that is taken away',
      edit('bundle.json', (text) => text.replace('"expires":null', '"expires": null')),
      `it has been altered: its signature with key ${TEAM.id} does not fit`,
    ],
    [
      'a signature of something else',
      edit('signatures.json', () =>
        JSON.stringify([
          { key: TEAM.id, signature: sign(null, Buffer.from('x'), TEAM.secret.key).toString('base64') },
        ]),
      ),
      `it has been altered: its signature with key ${TEAM.id} does not fit`,
    ],
    [
      "another key's signature under this key's name",
      edit('signatures.json', (text) =>
        JSON.stringify([
          { key: TEAM.id, signature: sign(null, Buffer.from(text), OTHER.secret.key).toString('base64') },
        ]),
      ),
      `it has been altered: its signature with key ${TEAM.id} does not fit`,
    ],
    [
      'no signature file',
      (entries) => entries.filter(({ name }) => name !== 'signatures.json'),
      'it is not a bundle: policy bundle build makes one',
    ],
    ['broken signatures', edit('signatures.json', () => '{'), 'its signatures.json is damaged'],
    ['a broken manifest', edit('bundle.json', () => '{}'), 'its bundle.json is damaged'],
    [
      'a manifest of no version',
      edit('bundle.json', (text) => text.replace('1.0.0', 'newest')),
      'its bundle.json is damaged',
    ],
    [
      'a manifest of a later format',
      edit('bundle.json', (text) => text.replace('.v1+json', '.v2+json')),
      'it is a "application/vnd.policy.bundle.v2+json", which this version of policy does not know; update it',
    ],
    [
      'a file beside the known ones',
      (entries) => [...entries, { name: 'run.sh', content: 'true' }],
      'it has a file "run.sh" that no bundle has',
    ],
    [
      'a path out of it',
      (entries) => [...entries, { name: 'files/../../evil.yaml', content: '' }],
      'its file "files/../../evil.yaml" leads out of it',
    ],
    [
      'an absolute path',
      (entries) => [...entries, { name: '/etc/policy/evil.yaml', content: '' }],
      'its file "/etc/policy/evil.yaml" leads out of it',
    ],
    [
      'a symbolic link',
      (entries) => [...entries, { name: 'files/a.yaml', type: 'symlink', linkname: '/etc/passwd' }],
      'its file "files/a.yaml" is a link',
    ],
    [
      'a hard link',
      (entries) => [...entries, { name: 'files/a.yaml', type: 'link', linkname: 'files/git.yaml' }],
      'its file "files/a.yaml" is a link',
    ],
    [
      'a pipe',
      (entries) => [...entries, { name: 'files/a.yaml', type: 'fifo' }],
      'its file "files/a.yaml" is no regular file',
    ],
    [
      'a file twice',
      (entries) => [...entries, { name: 'files/git.yaml', content: '' }],
      'it has two files "files/git.yaml"',
    ],
    [
      'two files that some systems take for one',
      (entries) => [...entries, { name: 'files/GIT.yaml', content: '' }],
      'it has two files "files/GIT.yaml"',
    ],
    [
      'a huge file',
      (entries) => [...entries, { name: 'files/a.yaml', content: new Uint8Array(5 * 1024 * 1024) }],
      'its file "files/a.yaml" is larger than 4 MiB',
    ],
    [
      'a file of no size',
      (entries) => [...entries, { name: 'files/a.yaml', content: 'a', pax: { size: '-1' } }],
      'the archive is not complete ("files/a.yaml" has an odd size)',
    ],
    [
      'too many files',
      (entries) => [
        ...entries,
        ...Array.from({ length: 20_000 }, (_, index) => ({ name: `files/${index}`, content: '' })),
      ],
      'it has more than 20000 files',
    ],
  ])('with %s', async (_, change, cause) => {
    expect(await refusal(await altered(change))).toBe(cause);
  });

  test('that is a bomb, in little memory', async () => {
    const bomb = gzipSync(new Uint8Array(100 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(await refusal(bomb)).toBe('it holds more than 96 MiB');
    expect(await refusal(new Uint8Array(33 * 1024 * 1024))).toBe('it is larger than 32 MiB');
  });

  test('that has arrived in part, or is something else', async () => {
    const bytes = await bundleOf({ keys: [TEAM] });
    for (const length of [0, 5, 100, bytes.length - 200, bytes.length - 1])
      expect(await refusal(bytes.subarray(0, length))).toStartWith('the archive is not complete');
    expect(await refusal(Buffer.from('<html>404</html>'))).toStartWith('the archive is not complete');
    const short = (await entriesOf(bytes)).slice(0, 1);
    expect(await refusal(await archiveOf(short))).toBe('it is not a bundle: policy bundle build makes one');
  });
});
