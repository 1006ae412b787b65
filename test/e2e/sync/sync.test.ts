import { describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { HAS_REGISTRY, startRegistry } from '../bundle/docker-registry.ts';
import { CAN_BE_ROOT, type Machine, machineIn } from './machine.ts';
import { bundleOf, type Made, managedText, OTHER, refusing, TEAM } from './team.ts';

/** A machine whose bundle is a file, and what replaces that file. */
function machine(more = ''): Machine & { readonly publish: (made?: Made) => Promise<void> } {
  const made = machineIn(temporaryFolder());
  const file = join(made.folder, 'bundle.tgz');
  made.write({ 'etc/policy/org.yaml': managedText(`file://${file}`, more) });
  return { ...made, publish: async (bundle) => writeFileSync(file, await bundleOf(bundle)) };
}

describe.if(CAN_BE_ROOT)('the folder of the organisation', () => {
  test('counts where only root may change it, and refuses every call where others may', async () => {
    const place = machineIn(temporaryFolder());
    place.write({ 'etc/policy/team/org.yaml': refusing('htop') });
    expect((await place.fate('htop')).fate).toBe('refused');
    expect((await place.fate('ls')).fate).toBe('runs');
    const opened = [
      () => chmodSync(join(place.folder, 'etc/policy'), 0o777),
      () => chmodSync(join(place.folder, 'etc/policy/team'), 0o775),
      () => chmodSync(join(place.folder, 'etc/policy/team/org.yaml'), 0o666),
      () => chownSync(join(place.folder, 'etc/policy/team/org.yaml'), 65_534, 65_534),
      () => chownSync(join(place.folder, 'etc/policy/team'), 65_534, 0),
      () => chmodSync(join(place.folder, 'etc'), 0o777),
    ];
    for (const open of opened) {
      open();
      // A group of the same number as the owner has nobody else in it.
      if (open === opened[1]) chownSync(join(place.folder, 'etc/policy/team'), 0, 50);
      const { fate, said } = await place.fate('ls');
      expect([String(open), fate]).toEqual([String(open), 'refused']);
      expect(said).toContain('a policy of the organisation that not only root can change');
      for (const path of ['etc', 'etc/policy', 'etc/policy/team', 'etc/policy/team/org.yaml']) {
        chownSync(join(place.folder, path), 0, 0);
        chmodSync(join(place.folder, path), path.endsWith('.yaml') ? 0o644 : 0o755);
      }
      expect((await place.fate('ls')).fate).toBe('runs');
    }
    chmodSync(join(place.folder, 'etc/policy/team/org.yaml'), 0o646);
    const { exitCode, stdout } = await place.run('policy check');
    expect([exitCode, stdout]).toEqual([
      3,
      expect.stringContaining('others than root may change "/etc/policy/team/org.yaml"'),
    ]);
    expect(stdout).toContain(
      'run chown root "/etc/policy/team/org.yaml" and chmod go-w "/etc/policy/team/org.yaml"',
    );
  });
});

describe.if(CAN_BE_ROOT)('policy sync', () => {
  test('puts a bundle in force, and a newer one in its place', async () => {
    const place = machine();
    await place.publish();
    expect((await place.fate('iotop')).fate).toBe('refused');
    expect(await place.run('policy sync')).toEqual({
      exitCode: 0,
      stdout: 'acme 1.0.0 is in force now\n',
      stderr: '',
    });
    expect((await place.fate('htop')).fate).toBe('refused');
    expect((await place.fate('iotop')).fate).toBe('runs');
    expect((await place.run('umask 077; policy sync')).stdout).toBe(
      'acme 1.0.0 is in force: there is nothing newer\n',
    );
    await place.publish({ version: '1.1.0', program: 'iotop' });
    expect((await place.run('umask 077; policy sync')).stdout).toBe('acme 1.1.0 is in force now\n');
    expect((await place.fate('htop')).fate).toBe('runs');
    expect((await place.fate('iotop')).fate).toBe('refused');
    // Whatever the umask of root is, everybody's hooks read it.
    const asUser = await place.run(
      'cd / && chmod 755 "$HOME" && setpriv --reuid=65534 --clear-groups cat /var/lib/policy/current.json /var/lib/policy/sha256/*/team.yaml',
    );
    expect([asUser.stderr, asUser.stdout]).toEqual(['', expect.stringContaining('no-iotop')]);
  });

  test.if(HAS_REGISTRY)('takes the bundle that a tag in a registry stands for now', async () => {
    const registry = await startRegistry(temporaryFolder());
    try {
      const place = machineIn(temporaryFolder());
      const name = `oci://${registry.host}/acme/policies:stable`;
      place.write({ 'etc/policy/org.yaml': managedText(name) });
      for (const version of ['1.0.0', '1.1.0']) {
        const file = join(place.folder, 'bundle.tgz');
        writeFileSync(file, await bundleOf({ version }));
        expect((await place.run(`policy bundle push ${file} ${name}`)).stderr).toBe('');
        expect((await place.run('policy sync')).stdout).toBe(`acme ${version} is in force now\n`);
      }
    } finally {
      await registry.stop();
    }
  });

  test('puts a bundle in force that has an id of the organisation, whose policies hold as well, and says so', async () => {
    const place = machine();
    place.write({ 'etc/policy/own.yaml': refusing('htop') });
    await place.publish({ texts: { 'own.yaml': refusing('htop').replace('^htop', '^iotop') } });
    const { exitCode, stdout, stderr } = await place.run('policy sync');
    expect([exitCode, stdout]).toEqual([0, 'acme 1.0.0 is in force now\n']);
    expect(stderr).toMatch(
      /^policy sync: Policy "own\/no-htop" holds as "own\/no-htop@.*etc\/policy\/own.yaml\n$/,
    );
    expect((await place.fate('htop')).fate).toBe('refused');
    expect((await place.fate('iotop')).fate).toBe('refused');
  });

  test.each<[string, Made, RegExp]>([
    ['nobody has signed', { keys: [] }, /it is not signed/],
    ['others have signed', { keys: [OTHER] }, /which is not one of those that may sign it/],
    ['expired', { expires: '2020-01-01T00:00:00.000Z' }, /it expired at 2020-01-01T00:00:00.000Z/],
    ['is older', { version: '0.9.0' }, /it is version 0.9.0, which is older than 1.0.0/],
    [
      'has the same version and other files',
      { version: '1.0.0' },
      /it has other files than the version 1.0.0 that is in force/,
    ],
    ['is another one', { name: 'umbrella' }, /it is the bundle "umbrella", not "acme"/],
    [
      'cannot be loaded',
      { texts: { 'team.yaml': 'version: 1\npolicies: [{id: a, actoin: deny}]\n' } },
      /it cannot be loaded: .*team.yaml:2:20 Cannot use key "actoin"/,
    ],
  ])('leaves the last good bundle in force where the new one %s', async (_, made, reason) => {
    const place = machine();
    place.write({ 'etc/policy/own.yaml': refusing('htop') });
    await place.publish({ program: 'nmap' });
    expect((await place.run('policy sync')).exitCode).toBe(0);
    const before = readFileSync(join(place.folder, 'lib/policy/current.json'), 'utf8');
    await place.publish({ version: '2.0.0', program: 'iotop', ...made });
    const { exitCode, stdout, stderr } = await place.run('policy sync');
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringMatching(reason)]);
    expect(stderr).toEndWith('; acme 1.0.0 stays in force\n');
    expect(readFileSync(join(place.folder, 'lib/policy/current.json'), 'utf8')).toBe(before);
    expect((await place.fate('nmap')).fate).toBe('refused');
    expect((await place.fate('iotop')).fate).toBe('runs');
  });

  test('takes a bundle of another name where the organisation names it, also an older one', async () => {
    const place = machine(', name: umbrella');
    await place.publish({ version: '3.0.0', name: 'umbrella' });
    expect((await place.run('policy sync')).stdout).toBe('umbrella 3.0.0 is in force now\n');
    place.write({
      'etc/policy/org.yaml': readFileSync(join(place.folder, 'etc/policy/org.yaml'), 'utf8').replace(
        'umbrella',
        'acme',
      ),
    });
    await place.publish({ version: '1.0.0', program: 'iotop' });
    expect((await place.run('policy sync')).stdout).toBe('acme 1.0.0 is in force now\n');
  });

  test('refuses a key that has been withdrawn, and takes the one that came after it', async () => {
    const place = machine();
    await place.publish({ keys: [TEAM, OTHER] });
    expect((await place.run('policy sync')).exitCode).toBe(0);
    const url = `file://${place.folder}/bundle.tgz`;
    const withdrawn = `, withdrawn: [${TEAM.publicText.split('\n')[1]}]`;
    place.write({ 'etc/policy/org.yaml': managedText(url, withdrawn, [TEAM, OTHER]) });
    await place.publish({ version: '1.1.0' });
    expect((await place.run('policy sync')).stderr).toContain(
      'which has been withdrawn; acme 1.0.0 stays in force',
    );
    await place.publish({ version: '1.1.0', keys: [TEAM, OTHER] });
    expect((await place.run('policy sync')).stdout).toBe('acme 1.1.0 is in force now\n');
  });

  test('takes the bundle out of force when nothing is managed any more', async () => {
    const place = machine();
    await place.publish();
    expect((await place.run('policy sync')).stderr).toBe('');
    rmSync(join(place.folder, 'etc/policy/org.yaml'));
    expect((await place.fate('htop')).fate).toBe('refused');
    expect((await place.run('policy sync')).stdout).toBe(
      'The organisation manages no bundle any more: it is no longer in force\n',
    );
    expect((await place.fate('htop')).fate).toBe('runs');
    expect((await place.run('policy sync')).stdout).toBe(
      'Nothing is managed: no file in /etc/policy says "managed"\n',
    );
  });

  test('says nothing of a bundle while a file of the organisation is broken, and leaves it in force', async () => {
    const place = machine();
    await place.publish();
    expect((await place.run('policy sync')).stderr).toBe('');
    place.write({ 'etc/policy/org.yaml': 'version: 1\nmanged: {}\n' });
    const { exitCode, stderr } = await place.run('policy sync');
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringContaining('Cannot use "/etc/policy/org.yaml": Cannot use key "manged"'),
    ]);
    expect(existsSync(join(place.folder, 'lib/policy/current.json'))).toBe(true);
  });

  test('says who may start it', async () => {
    const place = machineIn(temporaryFolder());
    place.write({ 'etc/policy/managed.yaml': managedText('https://policies.example.com/acme.tgz') });
    const { exitCode, stderr } = await place.run('setpriv --reuid 65534 --clear-groups "$0" sync');
    expect([exitCode, stderr]).toEqual([
      4,
      expect.stringContaining('run it as root, as in sudo policy sync'),
    ]);
  });

  test('leaves the last good bundle in force on a disk that is full', async () => {
    const place = machine();
    await place.publish();
    const large = Array.from({ length: 400 }, (_, index) =>
      refusing(`tool${index}`).replace('here', 'x'.repeat(4_000)),
    ).map((text, index) => [`t${index}.yaml`, text] as const);
    expect((await place.run('policy sync')).stderr).toBe('');
    await place.publish({ version: '2.0.0', texts: Object.fromEntries(large) });
    const { stdout, stderr } = await place.run(
      'mkdir /var/lib/small && mount -t tmpfs -o size=1m none /var/lib/small && cp -a /var/lib/policy /var/lib/small && mount --bind /var/lib/small/policy /var/lib/policy && { policy sync; echo "ended $?"; ls -A /var/lib/policy /var/lib/policy/sha256; grep bundle -A3 /var/lib/policy/current.json; }',
    );
    expect(stderr).toMatch(
      /Cannot keep the managed policies in "\/var\/lib\/policy": the disk is full \(ENOSPC/,
    );
    expect(stdout).toContain('ended 4\n');
    expect(stdout).toContain('"version": "1.0.0"');
    expect(stdout).not.toContain('update-');
    expect(stdout.match(/^[0-9a-f]{64}$/gm)).toHaveLength(1);
  });

  test('mends a tree that a loss of power has damaged', async () => {
    const place = machine();
    await place.publish();
    expect((await place.run('policy sync')).stderr).toBe('');
    const trees = join(place.folder, 'lib/policy/sha256');
    const file = join(trees, readdirSync(trees)[0] ?? '', 'team.yaml');
    writeFileSync(file, '');
    expect((await place.fate('ls')).fate).toBe('refused');
    expect((await place.run('policy sync')).exitCode).toBe(0);
    expect((await place.fate('ls')).fate).toBe('runs');
    expect((await place.fate('htop')).fate).toBe('refused');
  });
});

describe.if(CAN_BE_ROOT)('managed policies that are too old', () => {
  test('refuse every call, or are warned of, as the organisation says', async () => {
    const place = machine(', max_age: 1d');
    await place.publish();
    expect((await place.run('policy sync')).stderr).toBe('');
    const record = join(place.folder, 'lib/policy/current.json');
    const aged = (text: string) => text.replace(/"(checked|stale_at)": "\d{4}/g, '"$1": "2020');
    writeFileSync(record, aged(readFileSync(record, 'utf8')));
    const refused = await place.fate('ls');
    expect(refused.fate).toBe('refused');
    expect(refused.said).toContain(
      'managed policies that are missing or too old: run \\"sudo policy sync\\"',
    );
    // What can be had again lets calls pass again.
    expect((await place.run('policy sync')).stderr).toBe('');
    expect((await place.fate('ls')).fate).toBe('runs');

    const own = join(place.folder, 'etc/policy/org.yaml');
    writeFileSync(own, readFileSync(own, 'utf8').replace('max_age: 1d', 'max_age: 1d, on_stale: warn'));
    expect((await place.run('policy sync')).stderr).toBe('');
    writeFileSync(record, aged(readFileSync(record, 'utf8')));
    expect((await place.fate('ls')).fate).toBe('runs');
    expect((await place.fate('htop')).fate).toBe('refused');
    const { exitCode, stdout } = await place.run('policy check');
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(
        /current.json:1:1 warning stale {2}Cannot rely on the managed policies "acme 1.0.0": they were last fetched at 2020-/,
      ),
    ]);
    const doctor = await place.run('policy doctor --host gemini');
    expect(doctor.stdout).toContain('Cannot rely on the managed policies "acme 1.0.0"');
  });

  test('refuse calls where they could never be fetched', async () => {
    const place = machine();
    expect((await place.run('policy sync')).stderr).toEndWith(
      'there is no such file; there is none in force\n',
    );
    expect((await place.fate('ls')).fate).toBe('refused');
    await place.publish();
    expect((await place.run('policy sync')).stderr).toBe('');
    expect((await place.fate('ls')).fate).toBe('runs');
  });

  test('refuse calls where their team wants them to be gone', async () => {
    const place = machine();
    await place.publish({ expires: '2999-01-01T00:00:00.000Z' });
    expect((await place.run('policy sync')).exitCode).toBe(0);
    expect((await place.fate('ls')).fate).toBe('runs');
    const record = join(place.folder, 'lib/policy/current.json');
    writeFileSync(record, readFileSync(record, 'utf8').replaceAll('2999', '2020'));
    expect((await place.fate('ls')).fate).toBe('refused');
    expect((await place.run('policy check')).stdout).toContain('they expired at 2020-01-01T00:00:00.000Z');
  });
});

describe.if(CAN_BE_ROOT)('policy install --system', () => {
  const install = (place: Machine, before: string, after: string) => {
    place.write({ 'home/.gemini/settings.json': '{}' });
    return place.run(
      `mount -t tmpfs none /usr/local/lib && export GEMINI_CLI_SYSTEM_SETTINGS_PATH="$HOME/system.json" && ${before} && policy install --system --yes --host gemini && ${after}`,
    );
  };

  test('makes cron fetch the bundle, and uninstall takes that away', async () => {
    const place = machine(', every: 30m');
    await place.publish();
    const installed = await install(
      place,
      'mkdir -p /etc/cron.d',
      'stat -c "%u %a" /etc/cron.d/policy-sync && grep policy /etc/cron.d/policy-sync && policy install --system --yes --host gemini && env -i sh -c "$(sed -n \'s/.*root //p\' /etc/cron.d/policy-sync)" && policy uninstall --system --yes && ls /etc/cron.d',
    );
    expect(installed.stderr).toBe('');
    expect(installed.stdout).toContain('policy sync has a timer: /etc/cron.d/policy-sync\n');
    expect(installed.stdout).toMatch(
      /^0 644\n# Written by policy install --system\n\*\/30 \* \* \* \* root '\/[^']*\/policy' sync > \/dev\/null$/m,
    );
    expect(installed.stdout).toEndWith('policy sync has no timer any more: /etc/cron.d/policy-sync\n');
    expect(installed.stdout.match(/has a timer/g)).toHaveLength(1);
    // The line of cron has put the bundle in force.
    expect((await place.fate('htop')).fate).toBe('refused');
  });

  test('makes systemd fetch it where that runs', async () => {
    const place = machine();
    const { stdout, stderr } = await install(
      place,
      'mkdir -p /etc/systemd/system && mount -t tmpfs none /run && mkdir -p /run/systemd/system',
      'cat /etc/systemd/system/policy-sync.*',
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^ExecStart="\/[^"]*\/policy" sync$/m);
    expect(stdout).toContain('OnUnitActiveSec=3600s\n');
    expect(stdout).toContain(
      'Start the timer:\n  systemctl daemon-reload && systemctl enable --now policy-sync.timer\n',
    );
  });

  test('sets up no timer where nothing is managed, and says what is wrong where that cannot be told', async () => {
    const place = machineIn(temporaryFolder());
    const unmanaged = await install(place, 'mkdir -p /etc/cron.d', 'ls /etc/cron.d');
    expect([unmanaged.exitCode, unmanaged.stdout]).toEqual([0, expect.not.stringContaining('policy sync')]);
    place.write({ 'etc/policy/org.yaml': 'version: 1\nmanaged: {}\n' });
    const broken = await install(place, 'true', 'true');
    expect([broken.exitCode, broken.stderr]).toEqual([
      2,
      expect.stringContaining('Cannot use "/etc/policy/org.yaml"'),
    ]);
  });
});
