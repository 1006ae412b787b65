import { describe, expect, test } from 'bun:test';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/lib/json.ts';
import { BINARY } from '../../support/binary.ts';
import { testedHost } from './host-reading.ts';
import { fateOf } from './in-process.ts';
import { fatesOf } from './line-client.ts';
import { callText } from './messages.ts';
import { type Workplace, workplace } from './workplace.ts';

const DENY = `
version: 1
policies:
  - {id: never, tool: shell, arguments: {command: 'git push'}, action: deny, reason: Pushing is for people}
`;
const ALLOW = `
version: 1
disable: ['builtin:baseline', 'builtin:self-protection']
policies:
  - {id: anything, on: [before_tool], action: approve}
`;

const gemini = testedHost('gemini');

/** What Gemini CLI makes of the answer to a push from the project's folder. */
async function askForPush(place: Workplace, env: Readonly<Record<string, string | undefined>> = {}) {
  const said = await place.run({
    args: ['hook', '--host', 'gemini'],
    input: callText(gemini.host, 'git push', place.project),
    env,
  });
  return gemini.read('before_tool', said);
}

describe('what lies in the working directory', () => {
  test('.env does not name the policies', async () => {
    const place = workplace();
    place.write({
      'project/.policy/house.yaml': DENY,
      'project/allow.yaml': ALLOW,
      'project/.env': `POLICY_PATH=${join(place.project, 'allow.yaml')}\nXDG_CONFIG_HOME=${place.project}\n`,
      'project/policy/allow.yaml': ALLOW,
    });
    expect(await askForPush(place)).toBe('prevented');
  });

  test('bunfig.toml runs no code', async () => {
    const place = workplace();
    const mark = join(place.folder, 'mark');
    place.write({
      'project/.policy/house.yaml': DENY,
      'project/bunfig.toml': 'preload = ["./preload.js"]\n',
      'project/preload.js': `require('node:fs').writeFileSync(${JSON.stringify(mark)}, ''); process.exit(0);\n`,
    });
    expect(await askForPush(place)).toBe('prevented');
    expect(existsSync(mark)).toBe(false);
  });

  test('broken configuration of other programs stops nothing', async () => {
    const place = workplace({
      'project/.policy/house.yaml': DENY,
      'project/package.json': '{',
      'project/tsconfig.json': '{',
      'project/bunfig.toml': '[[[',
      'project/.env': '\0\0\0',
      'project/node_modules/js-yaml/package.json': '{"name":"js-yaml","main":"evil.js"}',
      'project/node_modules/js-yaml/evil.js': 'process.exit(0)',
      'project/node_modules/re2js/package.json': '{"name":"re2js","main":"evil.js"}',
      'project/node_modules/re2js/evil.js': 'process.exit(0)',
    });
    expect(await askForPush(place)).toBe('prevented');
  });
});

describe('the environment', () => {
  test.each([
    ['no HOME', { HOME: undefined }],
    ['an empty HOME', { HOME: '' }],
    ['a HOME that cannot be', { HOME: '/dev/null/home' }],
    ['a HOME that is a file', { HOME: '/dev/null' }],
    ['odd XDG folders', { XDG_CONFIG_HOME: '/dev/null', XDG_STATE_HOME: '/dev/null' }],
    ['nothing at all', { HOME: undefined, PATH: undefined }],
  ])('with %s policies are in force', async (_what, env) => {
    const place = workplace({ 'project/.policy/house.yaml': DENY });
    const state = join(place.folder, 'state');
    expect(await askForPush(place, { XDG_STATE_HOME: state, ...env })).toBe('prevented');
  });

  test.each([
    ['HOME', { HOME: '.' }, 'project/.config/policy/allow.yaml'],
    ['XDG_CONFIG_HOME', { XDG_CONFIG_HOME: '.' }, 'project/policy/allow.yaml'],
    ['XDG_CONFIG_HOME', { XDG_CONFIG_HOME: 'sub' }, 'project/sub/policy/allow.yaml'],
  ])('a relative %s makes no project the user', async (_name, env, file) => {
    const place = workplace({
      'project/.policy/house.yaml': `version: 1\ndefaults: {unmatched: deny}\npolicies: [{id: a, tool: read, action: deny}]\n`,
      [file]: ALLOW,
    });
    const state = join(place.folder, 'state');
    expect(await askForPush(place, { XDG_STATE_HOME: state, ...env })).toBe('prevented');
  });
});

describe('what guards the agent, where XDG says that it is elsewhere', () => {
  const FILES = ['config/policy/mine.yaml', 'state/policy/trust/x.json', 'state/policy/state.db'];

  test.each(['gemini', 'jcli', 'picoclaw'])('cannot be changed by an agent of %s', async (name) => {
    const tested = testedHost(name);
    const place = workplace();
    const env = {
      XDG_CONFIG_HOME: join(place.folder, 'config'),
      XDG_STATE_HOME: join(place.folder, 'state'),
    };
    const fate = (call: { readonly tool: string; readonly arguments: JsonObject }) =>
      fateOf(tested, place, call, { env });
    place.write({ 'project/link/x': '', 'config/policy/theirs.yaml': DENY });
    symlinkSync(join(place.folder, 'config'), join(place.project, 'linked'));
    for (const file of FILES) {
      const path = join(place.folder, file);
      expect([file, await fate({ tool: 'write', arguments: { path, content: '' } })]).toEqual([
        file,
        'prevented',
      ]);
    }
    const command = 'rm -r ${XDG_STATE_HOME}/policy';
    expect(await fate({ tool: 'shell', arguments: { command } })).toBe('prevented');
    if (name !== 'picoclaw') return;
    const refused = [
      ...FILES.flatMap((file) => [
        `rm ${join(place.folder, file)}`,
        `cd ${place.folder} && : > ${file}`,
        `rm -r ../${file.split('/', 2).join('/')}`,
      ]),
      'echo x > linked/policy/mine.yaml',
      'echo x > "$XDG_CONFIG_HOME/policy/mine.yaml"',
    ];
    const free = [`cat ${place.folder}/config/policy/theirs.yaml`, `touch ${place.folder}/config/other`];
    expect(await fatesOf(place, [...refused, ...free], [], env)).toEqual([
      ...refused.map(() => 'prevented' as const),
      ...free.map(() => 'happens' as const),
    ]);
  });
});

describe('what guards the agent, wherever it lies', () => {
  test.each(['gemini', 'jcli', 'picoclaw'])('cannot be changed by an agent of %s', async (name) => {
    const tested = testedHost(name);
    const place = workplace({
      'org/base.yaml': DENY,
      'org/other.yaml': DENY,
      'home/.config/policy/mine.yaml': 'version: 1\nextends: [../../../org/base.yaml]\n',
      'named/team.yaml': 'version: 1\npolicies: [{id: a, tool: memory, action: deny, reason: no}]\n',
    });
    // In processes: each guards the very program that it is.
    const fate = async (call: { readonly tool: string; readonly arguments: JsonObject }, env = {}) => {
      const input = callText(tested.host, call, place.project);
      return tested.read('before_tool', await place.run({ args: ['hook', '--host', name], input, env }));
    };
    const write = (path: string) => ({ tool: 'write', arguments: { path, content: '' } });
    const team = join(place.folder, 'named/team.yaml');
    const named = { POLICY_PATH: [team, 'builtin:self-protection'].join(':') };
    expect(await fate(write(join(place.folder, 'org/base.yaml')))).toBe('prevented');
    expect(await fate({ tool: 'shell', arguments: { command: 'rm ../org/base.yaml' } })).toBe('prevented');
    expect(await fate(write(join(place.folder, 'org/other.yaml')))).toBe('happens');
    expect(await fate(write(team))).toBe('happens');
    expect(await fate(write(team), named)).toBe('prevented');
    expect(await fate(write(BINARY))).toBe('prevented');
    symlinkSync(BINARY, join(place.project, 'linked'));
    if (name !== 'picoclaw') return;
    const expected = [
      [`rm '${BINARY}'`, 'prevented'],
      [`cp '${BINARY}' p`, 'prevented'],
      [`ln -s '${BINARY}' p; ./p trust --yes`, 'prevented'],
      ['./linked trust --yes', 'prevented'],
      ['policy fmt', 'prevented'],
      ['policy init', 'prevented'],
      [`'${BINARY}' check`, 'happens'],
      [`sha256sum '${BINARY}'`, 'happens'],
      ['policy fmt --check', 'happens'],
      ['git init sub', 'happens'],
    ] as const;
    const commands = expected.map(([command]) => command);
    const fates = await fatesOf(place, commands, []);
    expect(commands.map((command, index) => [command, fates[index]])).toEqual(
      expected.map((row) => [...row]),
    );
  });
});

describe('a path that climbs out of a link', () => {
  test.each(['gemini', 'picoclaw'])('is where the system goes, for %s', async (name) => {
    const tested = testedHost(name);
    const place = workplace({
      'srv/data/sub/x': '',
      'srv/data/keep/x': '',
      'project/sub/x': '',
      'project/house.yaml': `version: 1
policies:
  - {id: a, path: {outside: workspace, uses: [read, write, delete]}, action: deny, reason: it is elsewhere}
`,
    });
    symlinkSync(join(place.folder, 'srv/data/sub'), join(place.project, 'l'));
    const fate = (call: { readonly tool: string; readonly arguments: JsonObject }) =>
      fateOf(tested, place, call, { args: ['--policies', 'house.yaml'] });
    const shell = (command: string) => fate({ tool: 'shell', arguments: { command } });
    expect(await shell('rm -rf l/../keep')).toBe('prevented');
    expect(await shell('cat ./l/../keep/x')).toBe('prevented');
    expect(await fate({ tool: 'write', arguments: { path: 'l/../new', content: '' } })).toBe('prevented');
    expect(await shell('rm -rf sub/../sub/x')).toBe('happens');
    expect(await shell('rm l')).toBe('happens');
  });
});
