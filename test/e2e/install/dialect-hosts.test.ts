import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { shareOf, TESTED_HOSTS, type TestedHost } from '../hook/host-reading.ts';
import { layOut, policy, treeOf } from './program.ts';

const folders = temporaryFolders();
/** Hosts that start a command line for each event. Where it stands in JSON, the file may hold more. */
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
const TO_DO: Readonly<Record<string, readonly string[]>> = { codex: ['untrusted-hook'] };

function codesOf(report: string): readonly string[] {
  const codes = [...report.matchAll(/"code": "(.*)"/g)].map(([, code = '']) => code);
  return codes.filter((code) => code !== 'own-account');
}

async function fileOf({ host }: TestedHost, home: string): Promise<string> {
  const installation = await host.installation();
  const [place] = installation.places('user', { env: {}, home, project: home });
  return place?.path ?? '';
}

test('a yes is given where it spares a question, and only those hosts are asked for that event', async () => {
  const home = folders();
  layOut(home, { '.config/policy/mine.yaml': 'version: 1\nextends: [builtin:approve-read-only]\n' });
  const args = DIALECT_HOSTS.flatMap(({ host }) => ['--host', host.name]);
  expect(policy(home, ['install', '--yes', ...args])).toMatchObject({ exitCode: 0, stderr: '' });
  const report = JSON.parse(policy(home, ['doctor', '--json', ...args]).stdout);
  const found = new Map<string, readonly string[]>(
    report.hosts.map((each: { host: string }) => [each.host, codesOf(JSON.stringify(each, null, 2))]),
  );
  const asked: string[] = [];
  for (const tested of DIALECT_HOSTS) {
    // Some agents start the hooks of another one too.
    const codes: readonly string[] | undefined = found
      .get(tested.host.name)
      ?.filter((code) => code !== 'asks-twice');
    expect(codes).toEqual(TO_DO[tested.host.name] ?? []);
    const text = readFileSync(await fileOf(tested, home), 'utf8');
    const events = Object.keys(tested.host.events).filter((event) => text.includes(`"${event}"`));
    const kinds = events.map((event) => tested.host.events[event]);
    const { before_tool, approve_tool } = tested.host.supports(undefined);
    const spares = (support = before_tool) => support?.actions.includes('approve') === true;
    expect([tested.host.name, kinds.includes('approve_tool')]).toEqual([
      tested.host.name,
      !spares() && approve_tool !== undefined && spares(approve_tool),
    ]);
    if (kinds.includes('approve_tool')) asked.push(tested.host.name);
  }
  expect(asked).toContain('codex');
});

describe.each(DIALECT_HOSTS)('policy doctor --host $title', (tested) => {
  const { host } = tested;
  /** Versions are read alike, whoever says them. */
  const known = ['0.0.1', '2026.09.15-d2fe57e', 'no version'].map((said) => [said, false] as const);

  test.each<readonly [string, boolean]>([['999.1.0', true], ...shareOf(known, tested)])(
    'says whether it is newer than known: %s',
    async (said, isNewer) => {
      const home = folders();
      const [program = ''] = (await host.installation()).programs;
      layOut(home, { [`bin/${program}`]: `#!/bin/sh\necho '${said}'\n` });
      chmodSync(join(home, 'bin', program), 0o755);
      const { stdout } = policy(home, ['doctor', '--json', '--host', host.name], {
        PATH: `${home}/bin:/usr/bin:/bin`,
      });
      expect(codesOf(stdout).includes('newer-host')).toBe(isNewer);
    },
  );
});

describe.each(DIALECT_HOSTS)('policy install --host $title', (tested) => {
  const { host, read } = tested;
  const args = ['--host', host.name];

  test('writes what the doctor finds nothing wrong with, and uninstall takes it out to the byte', async () => {
    const home = folders();
    const path = await fileOf(tested, home);
    mkdirSync(dirname(path), { recursive: true });
    if (path.endsWith('.json')) writeFileSync(path, '{\n   "mine": [1,2]\n}');
    layOut(home, { '.config/policy/mine.yaml': PROMPTS });
    const before = treeOf(home);
    const { exitCode, stdout, stderr } = policy(home, ['install', '--yes', ...args]);
    expect([exitCode, stderr]).toEqual([0, '']);
    const doctor = policy(home, ['doctor', '--json', ...args]).stdout;
    expect(codesOf(doctor)).toEqual(TO_DO[host.name] ?? []);
    // What is left to do is said at once.
    for (const { message, code } of JSON.parse(doctor).hosts[0].findings)
      expect([code, stdout.includes(message)]).toEqual([code, true]);
    expect(policy(home, ['install', '--yes', ...args]).stdout).toContain('already runs this hook');
    expect(policy(home, ['uninstall', '--yes', ...args])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(treeOf(home)).toEqual(before);
  });

  test('starts a line that refuses where the program is gone, dies, is silent or prints something else', async () => {
    const home = folders();
    expect(policy(home, ['install', '--yes', ...args])).toMatchObject({ exitCode: 0, stderr: '' });
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
