import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTED_START, INSTALLED_PROGRAM } from '../../../src/hosts/clean-start.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DOCUMENT_HOSTS, shareOf, type TestedHost } from './host-reading.ts';
import { messageText } from './messages.ts';
import { type Said, type Start, workplace } from './workplace.ts';

const POLICIES = `
version: 1
policies:
  - {id: never, tool: shell, arguments: {command: 'git push'}, action: deny, reason: Pushing is for people}
`;

/** What is odd about a pipe, and the line of sh that makes it so. */
type Pipe = readonly [how: string, shell: string];

/** More starts at a time would make each other late. */
const START_EVERY_MS = 50;

/** Runs the hook of a host in a place of its own. */
function startHook({ host }: TestedHost, options: Start & { readonly more?: readonly string[] }) {
  const place = workplace({ 'house.yaml': POLICIES });
  const policies = join(place.folder, 'house.yaml');
  return place.run({
    args: ['hook', '--host', host.name, '--policies', policies, ...(options.more ?? [])],
    ...options,
  });
}

function call({ host }: TestedHost, command: string): string {
  return messageText(host, { on: 'before_tool', tool: 'shell', arguments: { command } });
}

test('hosts are refused in time where the input stays open, whether it says nothing, everything, or trickles', async () => {
  const never = new Promise<void>(() => {});
  const feeds = DOCUMENT_HOSTS.flatMap((tested) => {
    const listing = call(tested, 'ls');
    const ways: readonly NonNullable<Start['feed']>[] = [
      () => never,
      (stdin) => {
        stdin.write(listing);
        return never;
      },
      async (stdin) => {
        for (const byte of listing.repeat(10)) {
          stdin.write(byte);
          await Bun.sleep(20);
        }
      },
    ];
    return shareOf(ways, tested).map((feed) => ({ tested, feed }));
  });
  const all = feeds.map(async ({ tested, feed }, index) => {
    await Bun.sleep(index * START_EVERY_MS);
    return { tested, said: await startHook(tested, { feed, more: ['--host-timeout', '4'] }) };
  });
  for (const { tested, said } of await Promise.all(all)) {
    expect([tested.title, tested.read('before_tool', said)]).toEqual([tested.title, 'prevented']);
    expect(said.tookMs).toBeWithin(3_100, 4_000);
  }
});

/** The first host of each documented line, which others have with a name of their own. */
const LINES = new Map(
  DOCUMENT_HOSTS.toReversed().map((tested) => [
    commandLine(tested).replaceAll(tested.host.name, 'NAME'),
    tested.host.name,
  ]),
);

describe.each(DOCUMENT_HOSTS)('$title', (tested) => {
  const { host, read } = tested;
  const ownLine = test.skipIf(![...LINES.values()].includes(host.name));
  const pushing = call(tested, 'git push');
  const listing = call(tested, 'ls');
  const start = (options: Start) => startHook(tested, options);
  const answers = new Map<string, Promise<Said>>();

  /** The answer without anything odd, which is asked for once. */
  function plainly(input: string): Promise<Said> {
    const answer = answers.get(input) ?? start({ input });
    answers.set(input, answer);
    return answer;
  }

  const inputs: readonly Pipe[] = [
    ['is closed', 'exec "$@" <&-'],
    ['is a folder', 'exec "$@" </'],
    ['cannot be read', 'exec "$@" 0>/dev/null'],
    ['has no bytes', 'exec "$@" </dev/null'],
  ];

  test.each(shareOf(inputs, tested))('refuses where the input %s', async (_how, shell) => {
    expect(read('before_tool', await start({ shell }))).toBe('prevented');
  });

  const LOST: readonly Pipe[] = [
    ['output goes to a full disk', 'exec "$@" >/dev/full'],
    ['output is read by nobody', '"$@" | true'],
  ];

  const outputs: readonly Pipe[] = [
    ...LOST,
    ['output is closed', 'exec "$@" >&-'],
    ['errors have no way out', 'exec "$@" 2>&-'],
    ['output and errors have no way out', 'exec "$@" >&- 2>&-'],
  ];

  test.each(shareOf(outputs, tested))('ends at once where the %s', async (_how, shell) => {
    const said = await start({ shell, input: pushing });
    expect(said.tookMs).toBeLessThan(2_000);
    expect([0, 2]).toContain(said.exitCode ?? -1);
  });

  test.each(shareOf(LOST, tested))(
    'gives its answer where errors go and ends as what has failed where the %s',
    async (how, shell) => {
      // Gemini CLI alone takes an answer from there, so it is asked about both.
      for (const [input, reading] of [
        [pushing, 'prevented'],
        ...(host.name === 'gemini' ? [[listing, 'happens'] as const] : []),
      ] as const) {
        const { stdout } = await plainly(input);
        const said = await start({ shell, input });
        expect([said.stdout, said.stderr]).toEqual(['', stdout]);
        if (how !== 'output is read by nobody') expect(said.exitCode).toBe(2);
        // Gemini CLI takes an answer from there if there is none in its place.
        if (host.name === 'gemini')
          expect(read('before_tool', { ...said, stdout: said.stderr, stderr: '' })).toBe(reading);
      }
    },
  );

  // A host that wants the reason there does not close them.
  test.skipIf(tested.needsErrors === true)('answers with closed errors as with open ones', async () => {
    const shell = 'exec "$@" 2>&-';
    expect(read('before_tool', await start({ shell, input: listing }))).toBe('happens');
  });

  // The runtime ends before any code of ours where its working directory is gone.
  ownLine('refuses in a working directory that is gone, by its command line', async () => {
    const gone = join(temporaryFolder(), 'gone');
    mkdirSync(gone);
    const shell = `cd '${gone}' && rmdir '${gone}' && { ${commandLine(tested)}; }`;
    const said = await start({ shell, input: listing });
    if (host.name !== 'gemini') expect(read('before_tool', said)).toBe('prevented');
    else expect([said.stdout, said.exitCode]).toEqual(['the policy hook has failed\n', 2]);
  });

  ownLine('gives the same answers by its command line as without', async () => {
    for (const input of [listing, pushing]) {
      const plain = await plainly(input);
      const guarded = await start({ input, shell: commandLine(tested) });
      expect([guarded.stdout.trimEnd(), guarded.stderr]).toEqual([plain.stdout, plain.stderr]);
      expect(guarded.exitCode).toBe(plain.exitCode);
    }
  });

  ownLine('refuses by its command line where the program says nothing, or is killed half way', async () => {
    const half = '{"decision":"allow","action';
    for (const program of ['exit 0', 'exit 1', 'exit 2', 'kill -9 $$', `printf '${half}'; kill -9 $$`]) {
      const path = join(temporaryFolder(), 'program');
      writeFileSync(path, `#!/bin/sh\n${program}\n`, { mode: 0o755 });
      const said = await start({ shell: `set -- '${path}'; ${commandLine(tested)}`, input: listing });
      if (host.name !== 'gemini') expect(read('before_tool', said)).toBe('prevented');
      else expect([said.stdout, said.exitCode]).toEqual(['the policy hook has failed\n', 2]);
    }
  });
});

/** The documented line, in which the program and its arguments are those of the shell that reads it. */
function commandLine({ host, version }: TestedHost): string {
  const { command } = host.hookConfiguration({ ...DOCUMENTED_START, version });
  const program = new RegExp(`${INSTALLED_PROGRAM} hook( --[a-z-]+ \\w+)*`);
  return `${String(command).replace(program, () => '"$@"')} sh "$@"`;
}
