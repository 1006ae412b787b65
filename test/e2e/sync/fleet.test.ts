import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { treeDigest } from '../../../src/lib/tree-digest.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CAN_BE_ROOT, copyOf, type Machine, machineIn } from './machine.ts';
import { bundleOf, managedText, refusing } from './team.ts';

const MACHINES = 10;
const DEAD_MS = 1_500;

/** A server of one file that can die with its connections, and come back at the same address. */
function createServer() {
  let served: Uint8Array = new Uint8Array();
  let server: ReturnType<typeof Bun.serve> | undefined;
  let requests = 0;
  let onRequest = (_count: number) => {};
  const start = (port: number) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      fetch: () => {
        onRequest(++requests);
        const half = Math.floor(served.length / 2);
        // In two parts, so that a server that dies leaves half a bundle behind.
        return new Response(
          new ReadableStream({
            async start(controller) {
              controller.enqueue(served.subarray(0, half));
              await Bun.sleep(50);
              controller.enqueue(served.subarray(half));
              controller.close();
            },
          }),
        );
      },
    });
  server = start(0);
  const { port = 0 } = server;
  return {
    url: `http://127.0.0.1:${port}/acme.tgz`,
    serve: (bytes: Uint8Array) => {
      served = bytes;
    },
    /** Dies at this request, and is back some time later. */
    dieAt: (count: number) => {
      requests = 0;
      onRequest = async (at) => {
        if (at !== count) return;
        await server?.stop(true);
        await Bun.sleep(DEAD_MS);
        server = start(port);
      };
    },
    requests: () => requests,
    stop: () => server?.stop(true),
  };
}

/** The digest of the bundle in force, which is that of its files. */
function digestOn({ folder }: Machine): string {
  const { bundle } = JSON.parse(readFileSync(join(folder, 'lib/policy/current.json'), 'utf8'));
  const tree = join(folder, 'lib/policy/sha256', bundle.digest.slice('sha256:'.length));
  const files = readdirSync(tree).map((name) => [name, readFileSync(join(tree, name))] as const);
  expect(`sha256:${treeDigest(new Map(files))}`).toBe(bundle.digest);
  return `${bundle.version} ${bundle.digest}`;
}

test.if(CAN_BE_ROOT)(
  'machines that sync at once end on the same digest, also when the server dies in the middle',
  async () => {
    const server = createServer();
    try {
      const first = machineIn(temporaryFolder());
      first.write({ 'etc/policy/org.yaml': managedText(server.url) });
      server.serve(await bundleOf({ version: '1.0.0' }));
      expect((await first.run('policy sync')).stderr).toBe('');
      const before = digestOn(first);
      const fleet = temporaryFolder();
      const machines = Array.from({ length: MACHINES }, (_, index) => copyOf(first, join(fleet, `${index}`)));

      const texts = Array.from({ length: 40 }, (_, index) => [`t${index}.yaml`, refusing(`tool${index}`)]);
      server.serve(await bundleOf({ version: '2.0.0', texts: Object.fromEntries(texts) }));
      server.dieAt(MACHINES / 2);
      const ran = await Promise.all(machines.map((machine) => machine.run('policy sync')));
      // Nobody is ever between two bundles, whether it was reached or not.
      const met = new Set(machines.map(digestOn));
      for (const digest of met) if (digest !== before) expect(digest).toStartWith('2.0.0 ');
      for (const { exitCode, stderr } of ran)
        if (exitCode !== 0) expect(stderr).toMatch(/acme 1\.0\.0 stays in force/);
      expect(server.requests()).toBeGreaterThan(MACHINES / 2);

      // Those that were not reached come again, as their timers make them.
      const late = machines.filter((_, index) => ran[index]?.exitCode !== 0);
      for (const machine of late) expect((await machine.run('policy sync')).stderr).toBe('');
      expect(new Set(machines.map(digestOn)).size).toBe(1);
      expect(digestOn(first)).toBe(before);
    } finally {
      await server.stop();
    }
  },
  120_000,
);

test.if(CAN_BE_ROOT)('an update of 2,000 policies takes less than two seconds of the processor', async () => {
  const place = machineIn(temporaryFolder());
  const file = join(place.folder, 'bundle.tgz');
  place.write({ 'etc/policy/org.yaml': managedText(`file://${file}`) });
  const policies = (version: string) =>
    Array.from(
      { length: 50 },
      (_, index) =>
        `  - {id: p${index}, command: {subcommand: [git, push${index}], flags: {any: [-f, --v${version}]}}, action: deny, reason: no}\n`,
    ).join('');
  for (const version of ['1', '2']) {
    const texts = Array.from({ length: version === '1' ? 1 : 40 }, (_, index) => [
      `t${index}.yaml`,
      `version: 1\npolicies:\n${policies(version)}`,
    ]);
    writeFileSync(file, await bundleOf({ version: `${version}.0.0`, texts: Object.fromEntries(texts) }));
    const { stdout, stderr } = await place.run('policy sync && times');
    expect([stderr, stdout]).toEqual(['', expect.stringContaining(`acme ${version}.0.0 is in force now\n`)]);
    // `times` of sh prints for its children "0m0.410000s 0m0.080000s".
    const spent = (stdout.trim().split('\n').at(-1) ?? '').split(' ').map((each) => {
      const [, minutes = '', seconds = ''] = /^(\d+)m([\d.]+)s$/.exec(each) ?? [];
      return Number(minutes) * 60 + Number(seconds);
    });
    expect(spent).toHaveLength(2);
    expect((spent[0] ?? 0) + (spent[1] ?? 0)).toBeGreaterThan(0.01);
    expect((spent[0] ?? 0) + (spent[1] ?? 0)).toBeLessThan(2);
  }
});
