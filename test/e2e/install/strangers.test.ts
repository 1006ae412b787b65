import { expect, test } from 'bun:test';
import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { isJsonObject, type JsonObject } from '../../../src/lib/json.ts';
import { FILES } from '../../../src/tools/cli/install/machine.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { environmentOf } from './program.ts';

/** A home with a project, and what tells that something was started. */
function place() {
  const home = temporaryFolder();
  const project = join(home, 'project');
  writeFiles(project, { '.git/HEAD': '' });
  return { home, project, mark: join(home, 'started') };
}

interface Report {
  readonly exitCode: number;
  readonly codes: readonly string[];
  /** The agents with findings that are no notes. */
  readonly faulty: readonly string[];
  readonly text: string;
}

/** What the doctor says in a project. Codes of notes have a question mark. */
function doctorIn(
  home: string,
  project: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Report {
  const { exitCode, stdout, stderr } = Bun.spawnSync([BINARY, 'doctor', '--json', ...args], {
    cwd: project,
    env: { ...environmentOf(home), ...env },
    stdin: 'ignore',
  });
  const text = stdout.toString() + stderr.toString();
  const report: unknown = JSON.parse(stdout.toString());
  const all =
    isJsonObject(report) && Array.isArray(report['hosts']) ? report['hosts'].filter(isJsonObject) : [];
  const findingsOf = ({ findings }: JsonObject) =>
    Array.isArray(findings) ? findings.filter(isJsonObject) : [];
  return {
    exitCode,
    text,
    // Hooks that a test has laid out by hand were never installed, so nothing is proven of them.
    codes: all
      .flatMap(findingsOf)
      .filter(({ code }) => code !== 'not-proven')
      .map(({ code, severity }) => `${code}${severity === 'note' ? '?' : ''}`),
    faulty: all
      .filter((host) => findingsOf(host).some(({ severity }) => severity !== 'note'))
      .map(({ host }) => String(host)),
  };
}

/** Lines that do something beside starting the hook, or start another program as it. */
function tricks(host: string, mark: string, fake: string): readonly string[] {
  const hook = `hook --host ${host}`;
  return [
    `touch ${mark}; ${BINARY} ${hook}`,
    `touch ${mark} && ${BINARY} ${hook}`,
    `${BINARY} ${hook}; touch ${mark}`,
    `${BINARY} ${hook} | tee ${mark}`,
    `${BINARY} ${hook} > ${mark}`,
    `${BINARY} ${hook} $(touch ${mark})`,
    `${BINARY} ${hook} \`touch ${mark}\``,
    `${BINARY} ${hook} --policies "$(touch ${mark})"`,
    `${BINARY} ${hook}\ntouch ${mark}`,
    `touch ${mark} # ${BINARY} ${hook}`,
    `BASH_ENV=${fake} ${BINARY} ${hook}`,
    `LD_PRELOAD=${fake} ${BINARY} ${hook}`,
    `env PATH=${dirname(fake)} policy ${hook}`,
    `/usr/bin/env -i HOME="$HOME" sh -c 'touch ${mark}; set -- "$(${BINARY} ${hook}; echo $?)"'`,
    `/usr/bin/env -i HOME="$(touch ${mark})" ${BINARY} ${hook}`,
    `${fake} ${hook}`,
    `"${fake}" ${hook}`,
    `policy ${hook}`,
    `./policy ${hook}`,
    `../../${fake} ${hook}`,
  ];
}

test('policy doctor starts nothing that a project names, in the format of any agent', async () => {
  const { home, project, mark } = place();
  const fake = join(project, 'bin/policy');
  writeFiles(project, { 'bin/policy': `#!/bin/sh\ntouch ${mark}\n`, policy: `#!/bin/sh\ntouch ${mark}\n` });
  for (const path of [fake, join(project, 'policy')]) chmodSync(path, 0o755);
  const machine = { env: {}, home, project };
  const written: {
    readonly host: string;
    readonly path: string;
    readonly text: string;
    readonly line: string;
    readonly isRaw: boolean;
  }[] = [];
  for (const host of HOSTS) {
    const installation = await host.installation();
    const [wanted] = installation.places('project', machine);
    if (wanted === undefined) continue;
    const kinds = new Set(Object.values(host.events));
    const start = { program: BINARY, home, version: undefined };
    const order = {
      scope: 'project',
      start,
      kinds,
      digits: '012345',
      release: undefined,
      files: FILES,
    } as const;
    const text = installation.edit(undefined, undefined, order, machine);
    const command = String(host.hookConfiguration(start)['command']);
    const line = [command, JSON.stringify(command).slice(1, -1)].find((each) => text.includes(each)) ?? '';
    expect([host.name, line]).not.toEqual([host.name, '']);
    written.push({
      host: host.name,
      path: wanted.slice(project.length + 1),
      text,
      line,
      isRaw: line === command,
    });
  }
  const hosts = written.map(({ host }) => host);
  // Each trick with the hook of every fourth agent: one and the same code reads the lines of all.
  const EVERY = 4;
  for (let at = 0; at < tricks('', mark, fake).length; at += EVERY) {
    for (const [index, { host, path, text, line, isRaw }] of written.entries()) {
      const all = tricks(host, mark, fake);
      const trick = all[(at + index) % all.length] ?? '';
      const escaped = isRaw ? trick.replaceAll('\n', '\n  ') : JSON.stringify(trick).slice(1, -1);
      writeFiles(project, { [path]: text.replaceAll(line, () => escaped) });
    }
    const { exitCode, faulty } = doctorIn(
      home,
      project,
      hosts.flatMap((host) => ['--host', host]),
      { PATH: `${project}/bin:${process.env['PATH']}` },
    );
    expect([at, exitCode, faulty, existsSync(mark)]).toEqual([at, 1, hosts, false]);
  }
}, 240_000);

const CLAUDE = '.claude/settings.json';

/** Settings of Claude Code with these lines before each call, and with the written one at every other event. */
function settings(host: (typeof HOSTS)[number], ...lines: readonly string[]): string {
  const written = host.hookConfiguration({ program: BINARY, home: '/home/me', version: undefined });
  const groups = (commands: readonly unknown[]) => [
    { matcher: '*', hooks: commands.map((command) => ({ ...written, command })) },
  ];
  const others = Object.keys(host.events).map((event) => [event, groups([written['command']])]);
  return JSON.stringify({ hooks: { ...Object.fromEntries(others), PreToolUse: groups(lines) } });
}

const claude = HOSTS.find(({ name }) => name === 'claude');
if (claude === undefined) throw new Error('no Claude Code');
const WRITTEN = String(
  claude.hookConfiguration({ program: BINARY, home: '/home/me', version: undefined })['command'],
);

test("policy doctor reads the line of a project's hook and holds it against what an install would write", () => {
  const { home, project } = place();
  const found = (line: string) => {
    writeFiles(project, { [CLAUDE]: settings(claude, line) });
    const { exitCode, codes } = doctorIn(home, project, ['--host', 'claude']);
    return [exitCode, ...codes.toSorted()];
  };
  const withOption = (option: string) => WRITTEN.replace('--host claude', `--host claude ${option}`);
  expect(found(WRITTEN)).toEqual([0, 'project-line?']);
  expect(found(withOption('--log-input'))).toEqual([0, 'project-line?']);
  for (const option of [
    '--policies builtin:git-safety',
    '--approve-with /bin/true',
    '--workspace /',
    '--interactive',
  ])
    expect([option, ...found(withOption(option))]).toEqual([option, 1, 'project-line', 'project-line?']);
  expect(found(withOption('--unknown'))).toEqual([1, 'line', 'project-line?']);
  expect(found(WRITTEN.replace(BINARY, '/usr/local/bin/policy-of-others'))).toEqual([
    1,
    'project-line',
    'project-line?',
  ]);
  expect(found(`${BINARY} hook --host claude`)).toEqual([1, 'environment', 'project-line', 'project-line?']);
});

test("a project's own hooks are told beside a person's hook, which is started", () => {
  const { home, project, mark } = place();
  writeFiles(home, { [CLAUDE]: settings(claude, WRITTEN) });
  writeFiles(project, { [CLAUDE]: settings(claude, `touch ${mark}`) });
  const { exitCode, codes, text } = doctorIn(home, project, ['--host', 'claude']);
  expect([exitCode, codes, existsSync(mark)]).toEqual([0, ['project-hooks?', 'project-line?'], false]);
  expect(text).toContain('elapsed_ms');
  writeFiles(project, { [CLAUDE]: settings(claude, WRITTEN) });
  expect(doctorIn(home, project, ['--host', 'claude']).text).toContain('beside a hook of your own');
});

test('hooks of Codex CLI that nobody has trusted are named with their own file', () => {
  const { home, project } = place();
  mkdirSync(join(home, '.codex'));
  for (const where of ['--user', '--project'])
    Bun.spawnSync([BINARY, 'install', '--yes', '--host', 'codex', where], {
      cwd: project,
      env: environmentOf(home),
    });
  const { text } = doctorIn(home, project, ['--host', 'codex']);
  for (const folder of [home, project])
    expect(text).toContain(`${folder}/.codex/hooks.json on PreToolUse, PostToolUse: nobody`);
});

test.each([
  ['claude', '.claude/skills/x/SKILL.md', '.claude/skills/y/SKILL.md'],
  ['droid', '.factory/droids/x.md', '.factory/commands/y.md'],
  ['cursor', '.cursor/agents/x.md', '.cursor/skills/y/SKILL.md'],
])('%s is told of front matter in the project that brings hooks', (host, brings, free) => {
  const { home, project } = place();
  writeFiles(project, {
    [brings]: '---\r\nname: x\r\n"hooks": {}\r\n---\r\n',
    [free]: '---\nname: y\n---\nhooks: none\n',
  });
  const { text } = doctorIn(home, project, ['--host', host]);
  expect([text.includes(brings), text.includes(free)]).toEqual([true, false]);
});

test("of a person's own file, no program is started that lies in the project or that others can change", () => {
  const { home, project, mark } = place();
  const script = `#!/bin/sh\ntouch ${mark}\n`;
  writeFiles(home, {
    'open/policy': script,
    'shut/policy': script,
    'other/policy': script,
    'folder/policy/x': '',
  });
  writeFiles(project, { 'bin/policy': script });
  for (const path of ['open/policy', 'shut/policy', 'other/policy', 'project/bin/policy'])
    chmodSync(join(home, path), 0o755);
  chmodSync(join(home, 'open/policy'), 0o777);
  chmodSync(join(home, 'shut'), 0o777);
  mkdirSync(join(home, 'links'));
  symlinkSync(join(project, 'bin'), join(home, 'links/bin'));
  symlinkSync(join(project, 'bin/policy'), join(home, 'links/policy'));
  symlinkSync('policy', join(home, 'links/policy-again'));
  // A link in the project that leads to what is nobody's to change.
  symlinkSync('/usr/bin/touch', join(project, 'bin/policy-out'));
  const programs = [
    'open/policy',
    'shut/policy',
    'folder/policy',
    'project/bin/policy',
    'project/bin/policy-out',
    'nowhere/policy',
    ...['links/bin/policy', 'links/policy', 'links/policy-again'],
  ];
  if (process.getuid?.() === 0) {
    chownSync(join(home, 'other/policy'), 65_534, 65_534);
    programs.push('other/policy');
  }
  for (const program of programs) {
    writeFiles(home, { [CLAUDE]: settings(claude, WRITTEN.replace(BINARY, join(home, program))) });
    const { exitCode, codes } = doctorIn(home, project, ['--host', 'claude']);
    expect([program, exitCode, codes, existsSync(mark)]).toEqual([
      program,
      1,
      expect.arrayContaining(['not-started']),
      false,
    ]);
  }
});

test('a name on the path is started only if it is this program', () => {
  const { home, project, mark } = place();
  writeFiles(home, {
    'fake/policy': `#!/bin/sh\ntouch ${mark}\n`,
    [CLAUDE]: settings(claude, 'policy hook --host claude --policies builtin:self-protection'),
  });
  chmodSync(join(home, 'fake/policy'), 0o755);
  const codesWith = (path: string) => doctorIn(home, project, ['--host', 'claude'], { PATH: path }).codes;
  expect(codesWith(`${home}/fake:/usr/bin:/bin`)).toContain('not-started');
  expect(existsSync(mark)).toBe(false);
  expect(codesWith(`${dirname(BINARY)}:/usr/bin:/bin`)).not.toContain('not-started');
});

test('an agent that lies in the project is not asked for its version', () => {
  const { home, project, mark } = place();
  writeFiles(home, { [CLAUDE]: settings(claude, WRITTEN) });
  writeFiles(project, { 'node_modules/.bin/claude': `#!/bin/sh\ntouch ${mark}\necho 999.1\n` });
  chmodSync(join(project, 'node_modules/.bin/claude'), 0o755);
  const env = { PATH: `${project}/node_modules/.bin:${process.env['PATH']}` };
  expect(doctorIn(home, project, ['--host', 'claude'], env)).toMatchObject({ exitCode: 0, codes: [] });
  expect(existsSync(mark)).toBe(false);
});

test("settings of a person that are a link into the project are the project's", () => {
  const { home, project, mark } = place();
  writeFiles(project, { 'settings.json': settings(claude, `touch ${mark}; ${BINARY} hook --host claude`) });
  mkdirSync(join(home, '.claude'));
  symlinkSync(join(project, 'settings.json'), join(home, CLAUDE));
  const { exitCode, codes } = doctorIn(home, project, ['--host', 'claude']);
  expect([exitCode, codes.toSorted(), existsSync(mark)]).toEqual([1, ['line', 'project-line?'], false]);
});
