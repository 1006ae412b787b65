import { describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { archiveOf, bundleOf } from '../../bundle/make-bundle.ts';
import { ociRegistryOf } from '../../bundle/oci-registry.ts';
import { loopbackServer } from '../../support/loopback-server.ts';
import { workplace } from '../hook/workplace.ts';
import { denying } from './denying.ts';
import { reasonOf, sourcesOf } from './judged.ts';

/** A server that has the policies of a team, as one file each. */
interface Team {
  readonly source: string;
  /** Serves what refuses this program. */
  readonly publish: (command: string) => Promise<void>;
  /** From now on every answer is this one. */
  readonly answer: (answer: () => Response) => void;
}

type Kind = () => Team;
type Handler = (request: Request) => Response;

/** A server whose answers are replaced while it runs. */
function replaceable(): { readonly url: string; readonly answer: (next: Handler) => void } {
  let now: Handler = () => new Response('', { status: 404 });
  const url = loopbackServer((request) => now(request));
  return {
    url,
    answer: (next) => {
      now = next;
    },
  };
}

const archive: Kind = () => {
  const { url, answer } = replaceable();
  return {
    source: `${url}/policies.tar.gz`,
    answer,
    publish: async (command) => {
      const bytes = await archiveOf([{ name: 'shell/team.yaml', content: denying(command) }]);
      answer(() => new Response(bytes));
    },
  };
};

const registry: Kind = () => {
  const { url, answer } = replaceable();
  return {
    source: `${url.replace('http:', 'oci:')}/acme/policies:1`,
    answer,
    publish: async (command) => {
      const bytes = await bundleOf({ texts: { 'shell/team.yaml': denying(command) } });
      answer(ociRegistryOf(bytes).answer);
    },
  };
};

async function teamAndProject(kind: Kind) {
  const place = workplace();
  const team = kind();
  await team.publish('curl');
  place.write({ 'project/.policy/own.yaml': `version: 1\nextends: ['${team.source}#shell']\n` });
  const locked = await place.run({ args: ['lock'] });
  expect([locked.exitCode, locked.stdout, locked.stderr]).toEqual([
    0,
    expect.stringMatching(/^locked /),
    expect.any(String),
  ]);
  return { place, team, lock: () => readFileSync(join(place.project, '.policy/policy.lock'), 'utf8') };
}

/** What a server says that has gone, wants a password first, or stalls. */
const NO_ANSWERS: readonly (() => Response)[] = [
  () => new Response('', { status: 404 }),
  () => new Response('<html>log in first</html>'),
  () => new Response(new ReadableStream({ start: (it) => it.enqueue(Buffer.from('{')) })),
];

describe.each<[string, Kind]>([
  ['an archive', archive],
  ['a bundle in a registry', registry],
])('%s', (_, kind) => {
  test('is fetched again after a clone if it is the same, and in force without its server', async () => {
    const { place, team, lock } = await teamAndProject(kind);
    const before = lock();
    rmSync(sourcesOf(place), { recursive: true });
    expect(await reasonOf(place, 'ls')).toContain('run policy lock');
    const fetched = await place.run({ args: ['lock'] });
    expect([fetched.exitCode, fetched.stdout]).toEqual([0, expect.stringMatching(/^fetched /)]);
    team.answer(() => new Response('', { status: 500 }));
    expect(await reasonOf(place, 'curl x')).toContain('team/no-curl');
    expect(await reasonOf(place, 'ls')).toBe('');
    const again = await place.run({ args: ['lock'] });
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringMatching(/^kept /)]);

    rmSync(sourcesOf(place), { recursive: true });
    await team.publish('wget');
    const other = await place.run({ args: ['lock'] });
    expect([other.exitCode, other.stderr]).toEqual([
      3,
      expect.stringMatching(
        /are not those that were locked .* run policy lock --update|its registry sends \S+ in its place/,
      ),
    ]);
    expect(lock()).toBe(before);
    // What was compiled from the locked files is still known.
    expect(await reasonOf(place, 'curl x')).toContain('team/no-curl');
    expect(await reasonOf(place, 'wget x')).toBe('');
  });

  test('stays what it was where it cannot be fetched or kept, and is updated after its difference was shown', async () => {
    const { place, team, lock } = await teamAndProject(kind);
    const before = lock();
    const isAsItWas = async () => {
      expect(lock()).toBe(before);
      expect(await reasonOf(place, 'curl x')).toContain('team/no-curl');
    };
    for (const answer of NO_ANSWERS) {
      team.answer(answer);
      const { exitCode, stderr } = await place.run({ args: ['lock', '--update', '--yes', '--timeout', '1'] });
      expect([exitCode, stderr]).toEqual([
        expect.any(Number),
        expect.stringContaining(`Cannot fetch "${team.source}"`),
      ]);
      expect(exitCode).not.toBe(0);
      expect(lock()).toBe(before);
    }
    await isAsItWas();

    await team.publish('wget');
    // Nothing can be written into files.
    const shell = `trap '' XFSZ; ulimit -f 0; exec "$@"`;
    const { exitCode, stderr } = await place.run({ args: ['lock', '--update', '--yes'], shell });
    expect([exitCode, stderr]).toEqual([expect.any(Number), expect.stringContaining('Cannot')]);
    expect(exitCode).not.toBe(0);
    await isAsItWas();

    const checked = await place.run({ args: ['lock', '--update', '--check'] });
    expect([checked.exitCode, checked.stdout]).toEqual([
      1,
      expect.stringContaining('loosened  team/no-curl'),
    ]);
    expect(lock()).toBe(before);
    expect((await place.run({ args: ['lock', '--update', '--yes'] })).exitCode).toBe(0);
    expect(await reasonOf(place, 'wget x')).toContain('team/no-wget');
    expect((await place.run({ args: ['lock', '--update', '--check'] })).exitCode).toBe(0);
  });
});
