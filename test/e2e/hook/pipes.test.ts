import { describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { TESTED_HOSTS } from './host-reading.ts';
import { messageText } from './messages.ts';
import { type Said, type Start, workplaceIn } from './workplace.ts';

const folders = temporaryFolders();

const POLICIES = `
version: 1
policies:
  - id: never
    tool: shell
    arguments: {command: 'git push'}
    action: deny
    reason: Pushing is for people
`;

const DOCUMENT_HOSTS = TESTED_HOSTS.filter(({ host }) => host.framing === 'document');

describe.each(DOCUMENT_HOSTS)('$title', (tested) => {
  const { host, version, read } = tested;
  const pushing = messageText(host, { on: 'before_tool', tool: 'shell', arguments: { command: 'git push' } });
  const listing = messageText(host, { on: 'before_tool', tool: 'shell', arguments: { command: 'ls' } });

  function start(options: Start & { readonly more?: readonly string[] }): Promise<Said> {
    const place = workplaceIn(folders());
    place.write({ 'house.yaml': POLICIES });
    const generation = version === undefined ? [] : ['--host-version', version];
    const policies = join(place.folder, 'house.yaml');
    return place.run({
      args: ['hook', '--host', host.name, ...generation, '--policies', policies, ...(options.more ?? [])],
      ...options,
    });
  }

  const never = new Promise<void>(() => {});
  test.each<[string, NonNullable<Start['feed']>]>([
    ['says nothing and stays open', () => never],
    [
      'says everything and stays open',
      (stdin) => {
        stdin.write(listing);
        return never;
      },
    ],
    [
      'trickles',
      async (stdin) => {
        for (const byte of listing.repeat(10)) {
          stdin.write(byte);
          await Bun.sleep(20);
        }
      },
    ],
  ])('refuses in time where the input %s', async (_how, feed) => {
    const said = await start({ feed, more: ['--host-timeout', '0.5'] });
    expect(read('before_tool', said)).toBe('prevented');
    expect(said.tookMs).toBeWithin(300, 500);
  });

  test.each([
    ['is closed', 'exec "$@" <&-'],
    ['is a folder', 'exec "$@" </'],
    ['cannot be read', 'exec "$@" 0>/dev/null'],
    ['has no bytes', 'exec "$@" </dev/null'],
  ])('refuses where the input %s', async (_how, shell) => {
    expect(read('before_tool', await start({ shell }))).toBe('prevented');
  });

  test.each([
    ['output is closed', 'exec "$@" >&-'],
    ['output goes to a full disk', 'exec "$@" >/dev/full'],
    ['output is read by nobody', '"$@" | true'],
    ['errors have no way out', 'exec "$@" 2>&-'],
    ['output and errors have no way out', 'exec "$@" >&- 2>&-'],
  ])('ends at once and quietly where the %s', async (_how, shell) => {
    for (const input of [pushing, listing]) {
      const said = await start({ shell, input });
      expect(said.stderr).toBe('');
      expect(said.tookMs).toBeLessThan(2_000);
      expect([0, 2]).toContain(said.exitCode ?? -1);
    }
  });

  test('answers with closed errors as with open ones', async () => {
    const shell = 'exec "$@" 2>&-';
    expect(read('before_tool', await start({ shell, input: pushing }))).toBe('prevented');
    expect(read('before_tool', await start({ shell, input: listing }))).toBe('happens');
  });

  test('judges in a working directory that is gone', async () => {
    const gone = join(folders(), 'gone');
    mkdirSync(gone);
    const shell = `cd '${gone}' && rmdir '${gone}' && exec "$@"`;
    expect(read('before_tool', await start({ shell, input: pushing }))).toBe('prevented');
    rmSync(gone, { recursive: true, force: true });
    mkdirSync(gone);
    expect(read('before_tool', await start({ shell, input: listing }))).toBe('happens');
  });
});
