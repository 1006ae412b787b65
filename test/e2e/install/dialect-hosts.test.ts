import { beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KNOWN_CHANGES } from '../../../src/hosts/known-changes.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { BINARY } from '../../support/binary.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { TESTED_HOSTS, type TestedHost } from '../hook/host-reading.ts';
import { policy, treeOf } from './program.ts';

/** Hosts that start a command line for each event. Where it is in JSON, the file may hold more. */
const DIALECT_HOSTS = TESTED_HOSTS.filter(({ host }) => !['gemini', 'jcli', 'picoclaw'].includes(host.name));
const PROMPTS = `version: 1
policies:
  - {id: a, description: d, on: before_prompt, content: x, action: deny, reason: r}
  - {id: b, description: d, on: after_turn, content: x, action: retry_feedback, feedback: f}
`;

test('every host of the dialect is tested here', () => {
  const tested = DIALECT_HOSTS.map(({ host }) => host.name);
  expect([...tested, 'gemini', 'jcli', 'picoclaw'].toSorted()).toEqual(
    HOSTS.map(({ name }) => name).toSorted(),
  );
});

/** What is left for a person to do after an install. */
const TO_DO: Readonly<Record<string, readonly string[]>> = {
  codex: ['untrusted-hook'],
  hermes: ['untrusted-hook'],
  // Nobody has started them since.
  opencode: ['not-proven'],
  openclaw: ['not-proven'],
};

async function fileOf({ host }: TestedHost, home: string): Promise<string> {
  const installation = await host.installation();
  const [path = ''] = installation.places('user', { env: {}, home, project: home });
  return path;
}

const EVERY_HOST = DIALECT_HOSTS.flatMap(({ host }) => ['--host', host.name]);

/** What the doctor finds of each host. */
function doctorOf(
  home: string,
  env: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, readonly Finding[]> {
  const report = JSON.parse(policy(home, ['doctor', '--json', ...EVERY_HOST], env).stdout);
  return new Map(
    report.hosts.map(({ host, findings }: { host: string; findings: readonly Finding[] }) => [
      host,
      // Some agents start the hooks of another one too.
      findings.filter(({ code }) => !['own-account', 'asks-twice', 'from-documents'].includes(code)),
    ]),
  );
}

interface Finding {
  readonly code: string;
  readonly message: string;
}

function codesOf(findings: readonly Finding[] = []): readonly string[] {
  return findings.map(({ code }) => code);
}

test('a yes is given where it spares a question, and only those hosts are asked for that event', async () => {
  const home = temporaryFolder({
    '.config/policy/mine.yaml': 'version: 1\nextends: [builtin:approve-read-only]\n',
  });
  expect(policy(home, ['install', '--yes', ...EVERY_HOST])).toMatchObject({ exitCode: 0, stderr: '' });
  const found = doctorOf(home);
  const asked: string[] = [];
  for (const tested of DIALECT_HOSTS) {
    const { name } = tested.host;
    expect([name, codesOf(found.get(name))]).toEqual([name, TO_DO[name] ?? []]);
    const text = readFileSync(await fileOf(tested, home), 'utf8');
    const events = Object.keys(tested.host.events).filter((event) => text.includes(`"${event}"`));
    const kinds = events.map((event) => tested.host.events[event]);
    const { before_tool, approve_tool } = tested.host.supports(undefined);
    const spares = (support = before_tool) => support?.actions.includes('approve') === true;
    expect([name, kinds.includes('approve_tool')]).toEqual([
      name,
      !spares() && approve_tool !== undefined && spares(approve_tool),
    ]);
    if (kinds.includes('approve_tool')) asked.push(name);
  }
  expect(asked).toContain('codex');
});

test.each([
  [['9999.1.0'], true],
  [['0.0.1', '2026.09.15-d2fe57e', 'no version'], false],
])('policy doctor says whether a host is newer than known: %j', async (versions, isNewer) => {
  const home = temporaryFolder();
  for (const [index, { host }] of DIALECT_HOSTS.entries()) {
    const [program = ''] = (await host.installation()).programs;
    writeFiles(home, { [`bin/${program}`]: `#!/bin/sh\necho '${versions[index % versions.length]}'\n` });
    chmodSync(join(home, 'bin', program), 0o755);
  }
  const found = doctorOf(home, { PATH: `${home}/bin:/usr/bin:/bin` });
  for (const { host } of DIALECT_HOSTS) {
    expect([host.name, codesOf(found.get(host.name)).includes('newer-host')]).toEqual([host.name, isNewer]);
    const said = (found.get(host.name) ?? []).map(({ message }) => message).join('\n');
    for (const { what } of KNOWN_CHANGES.filter((each) => each.host === host.name))
      expect([what, said.includes(what)]).toEqual([what, isNewer]);
  }
});

test.each([
  [
    'the ones that were measured',
    { claude: '2.1.332', openclaw: '2026.9.6', cursor: '2026.09.15-d2fe57e' },
    false,
  ],
  ['newer ones', { claude: '2.1.999', openclaw: '2026.10.1', cursor: '2026.10.02-a1b2c3d' }, true],
] as const)(
  'a version is newer from the last number on, and a day is compared with a day: %s',
  async (_, versions, isNewer) => {
    const home = temporaryFolder();
    for (const [name, version] of Object.entries(versions)) {
      const tested = DIALECT_HOSTS.find(({ host }) => host.name === name);
      const [program = ''] = (await tested?.host.installation())?.programs ?? [];
      writeFiles(home, { [`bin/${program}`]: `#!/bin/sh\necho '${version}'\n` });
      chmodSync(join(home, 'bin', program), 0o755);
    }
    const found = doctorOf(home, { PATH: `${home}/bin:/usr/bin:/bin` });
    for (const name of Object.keys(versions))
      expect([name, codesOf(found.get(name)).includes('newer-host')]).toEqual([name, isNewer]);
    const said = JSON.stringify(found.get('cursor'));
    expect(said.includes('since 2026.10 the command line ignores an allow')).toBe(isNewer);
  },
);

test('policy install writes what the doctor finds nothing wrong with, and uninstall takes it out to the byte', async () => {
  const home = temporaryFolder();
  for (const path of await Promise.all(DIALECT_HOSTS.map((tested) => fileOf(tested, home)))) {
    mkdirSync(dirname(path), { recursive: true });
    // Codex CLI drops a file of hooks with another key in it.
    if (path.endsWith('.json'))
      writeFileSync(path, path.includes('/.codex/') ? '{\n}' : '{\n   "mine": [1,2]\n}');
  }
  writeFiles(home, { '.config/policy/mine.yaml': PROMPTS });
  const before = treeOf(home);
  const { exitCode, stdout, stderr } = policy(home, ['install', '--yes', ...EVERY_HOST]);
  expect([exitCode, stderr]).toEqual([0, '']);
  const found = doctorOf(home);
  const again = policy(home, ['install', '--yes', ...EVERY_HOST]).stdout;
  for (const { host } of DIALECT_HOSTS) {
    expect([host.name, codesOf(found.get(host.name))]).toEqual([host.name, TO_DO[host.name] ?? []]);
    // What is left to do is said at once.
    for (const { code, message } of found.get(host.name) ?? [])
      if (code !== 'not-proven') expect(stdout).toContain(message);
    expect(again).toMatch(new RegExp(`^${host.title} already runs this hook`, 'm'));
  }
  expect(policy(home, ['uninstall', '--yes', ...EVERY_HOST])).toMatchObject({ exitCode: 0, stderr: '' });
  expect(treeOf(home)).toEqual(before);
});

describe('the line that policy install writes refuses where the program is gone, dies, is silent or prints something else', () => {
  const home = sharedFolder();
  beforeAll(() => {
    expect(policy(home, ['install', '--yes', ...EVERY_HOST])).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test.each(DIALECT_HOSTS)('$title', async (tested) => {
    const { host, read } = tested;
    const path = await fileOf(tested, home);
    const installation = await host.installation();
    const files = { text: () => readFileSync(path, 'utf8'), names: () => [], isFolder: () => false };
    const { hooks } = installation.inspect({ env: {}, home, project: join(home, 'none') }, files);
    const hook = hooks[0];
    if (hook === undefined) throw new Error('no hook');
    const start = (program: string, command: string) => {
      const message = host.compose({
        on: 'before_tool',
        tool: 'shell',
        arguments: { command },
        context: { cwd: home },
      });
      const { stdout, stderr, exitCode } = Bun.spawnSync(
        hook.argv.map((word) => word.replaceAll(BINARY, program)),
        {
          cwd: home,
          env: { PATH: process.env['PATH'] ?? '', HOME: home },
          stdin: Buffer.from(JSON.stringify(message)),
        },
      );
      return { stdout: stdout.toString(), stderr: stderr.toString(), exitCode };
    };
    expect(read('before_tool', start(BINARY, 'ls'))).toBe('happens');
    expect(read('before_tool', start(BINARY, 'rm -rf ~'))).toBe('prevented');
    const program = join(home, 'program');
    for (const script of [
      'kill -9 $$',
      'exit 0',
      'exit 1',
      'exit 2',
      'echo fine',
      `printf '{"x'; kill -9 $$`,
      `printf '{}'; exit 1`,
    ]) {
      writeFileSync(program, `#!/bin/sh\n${script}\n`);
      chmodSync(program, 0o755);
      expect([script, installation.read(start(program, 'ls'), hook)]).toEqual([script, 'refused']);
    }
    expect(installation.read(start(join(home, 'nowhere'), 'ls'), hook)).toBe('refused');
  });
});
