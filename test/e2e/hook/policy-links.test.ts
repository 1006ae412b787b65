import { describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, mkdirSync, readFileSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testedHost } from './host-reading.ts';
import { answerIn, commandIn } from './in-process.ts';
import { fatesOf } from './line-client.ts';
import { callText } from './messages.ts';
import { type Workplace, workplace } from './workplace.ts';

const gemini = testedHost('gemini');
const isRoot = process.getuid?.() === 0;

const MINE = `version: 1
policies: [{id: no-push, command: {subcommand: [git, push]}, action: deny, reason: pushing is for people}]
`;

/** What becomes of a command, and why it is refused. */
async function ask(
  place: Workplace,
  command: string,
  cwd = place.project,
): Promise<readonly [string, string]> {
  const said = await answerIn(place, ['--host', 'gemini'], callText(gemini.host, command, cwd));
  const answer = JSON.parse(said.stdout) as { readonly reason?: string };
  return [gemini.read('before_tool', said), answer.reason ?? ''];
}

/** Makes links, given by where they lie in the workplace and what they say. */
function link(place: Workplace, links: Readonly<Record<string, string>>): void {
  for (const [at, target] of Object.entries(links)) {
    mkdirSync(dirname(join(place.folder, at)), { recursive: true });
    symlinkSync(target, join(place.folder, at));
  }
}

const AT = 'home/.config/policy/mine.yaml';

/** Layouts that are in use, with the file that the last link leads to. */
const LAYOUTS: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['a file of dotfiles', 'home/dotfiles/policy/mine.yaml', { [AT]: '../../dotfiles/policy/mine.yaml' }],
  [
    'a generation of a package manager',
    'store/1a-mine.yaml',
    {
      [AT]: '../../.profile-links/mine.yaml',
      'home/.profile-links': '../store/2b-home',
      'store/2b-home/mine.yaml': '../1a-mine.yaml',
    },
  ],
  [
    'a mounted config map',
    'home/.config/policy/..2026_11_26_01/mine.yaml',
    { 'home/.config/policy/..data': '..2026_11_26_01', [AT]: '..data/mine.yaml' },
  ],
  ['a folder of dotfiles', 'home/dotfiles/policy/mine.yaml', { 'home/.config/policy': '../dotfiles/policy' }],
  ['a folder around it', 'home/dotfiles/policy/mine.yaml', { 'home/.config': 'dotfiles' }],
];

describe("a link in the user's folder", () => {
  test.each(LAYOUTS)('to %s is read, and all of it is guarded', async (_, target, links) => {
    const place = workplace({ [target]: MINE, 'home/dotfiles/notes.txt': '', 'store/other': '' });
    link(place, links);
    expect(await ask(place, 'git push')).toEqual(['prevented', expect.stringContaining('mine/no-push')]);
    expect((await ask(place, 'git pull'))[0]).toBe('happens');
    const guarded = [target, ...Object.keys(links)].flatMap((at) => {
      const path = join(place.folder, at);
      return [
        `ln -sfn /tmp/x ${path}`,
        `rm -f ${path}`,
        `mv -T other ${path}`,
        `mv ${path} x`,
        `mv ${dirname(path)} x`,
      ];
    });
    const writes = [target, AT].map((at) => `echo > ${join(place.folder, at)}`);
    const refused = [...guarded, ...writes];
    const passes = [
      'echo > ~/dotfiles/notes.txt',
      'cp x ~/dotfiles/',
      `echo > ${place.folder}/store/other`,
      'cat ~/.config/policy/mine.yaml',
      `cat ${join(place.folder, target)}`,
    ];
    const fates = await fatesOf(place, [...refused, ...passes], []);
    expect(refused.filter((_, index) => fates[index] !== 'prevented')).toEqual([]);
    expect(passes.filter((_, index) => fates[refused.length + index] !== 'happens')).toEqual([]);
  });

  /** Those that are not read, and a word of the cause. */
  const WRONG: readonly (readonly [string, (place: Workplace) => void, string])[] = [
    [
      'a file in the workspace',
      (place) => {
        place.write({ 'project/mine.yaml': MINE });
        link(place, { [AT]: '../../../project/mine.yaml' });
      },
      'in the workspace, where the agent writes',
    ],
    [
      'a file elsewhere by way of the workspace',
      (place) => {
        place.write({ 'home/dotfiles/mine.yaml': MINE });
        link(place, { [AT]: '../../../project/l', 'project/l': '../home/dotfiles/mine.yaml' });
      },
      'in the workspace, where the agent writes',
    ],
    [
      'a folder in the workspace',
      (place) => {
        place.write({ 'project/policy/mine.yaml': MINE });
        link(place, { 'home/.config/policy': '../../project/policy' });
      },
      'in the workspace, where the agent writes',
    ],
    [
      'a file of which others may change the folder',
      (place) => {
        place.write({ 'home/dotfiles/mine.yaml': MINE });
        chmodSync(join(place.home, 'dotfiles'), 0o777);
        link(place, { [AT]: '../../dotfiles/mine.yaml' });
      },
      'dotfiles" on its way',
    ],
    [
      'a file that all may change',
      (place) => {
        place.write({ 'home/dotfiles/mine.yaml': MINE });
        chmodSync(join(place.home, 'dotfiles/mine.yaml'), 0o666);
        link(place, { [AT]: '../../dotfiles/mine.yaml' });
      },
      'mine.yaml" on its way',
    ],
    ['nothing', (place) => link(place, { [AT]: 'nowhere' }), 'it is a link that leads nowhere'],
    ['itself', (place) => link(place, { [AT]: 'mine.yaml' }), 'it is a link in a circle'],
    [
      'another that leads back',
      (place) => link(place, { [AT]: 'b.yaml', 'home/.config/policy/b.yaml': 'mine.yaml' }),
      'it is a link in a circle',
    ],
    ['a device', (place) => link(place, { [AT]: '/dev/zero' }), 'it is not a regular file'],
    [
      'a folder',
      (place) => {
        place.write({ 'home/dotfiles/mine.yaml': MINE });
        link(place, { 'home/.config/policy/team': '../../dotfiles' });
      },
      'links to folders are not followed',
    ],
  ];

  test.each(WRONG)('to %s is refused with its cause, by check too', async (_, make, cause) => {
    const place = workplace();
    make(place);
    expect(await ask(place, 'true')).toEqual(['prevented', expect.any(String)]);
    const checked = await commandIn(place, ['check']);
    expect([checked.exitCode, checked.stdout + checked.stderr]).toEqual([3, expect.stringContaining(cause)]);
  });

  const byOthers: readonly (readonly [string, (path: string) => void])[] = [
    ['of another user', (path) => chownSync(path, 1234, 1234)],
    [
      'that a group may change',
      (path) => {
        chownSync(path, 0, 1234);
        chmodSync(path, 0o664);
      },
    ],
  ];
  test.skipIf(!isRoot).each(byOthers)('to a file %s is refused', async (_, give) => {
    const place = workplace({ 'home/dotfiles/mine.yaml': MINE });
    link(place, { [AT]: '../../dotfiles/mine.yaml' });
    expect((await ask(place, 'true'))[0]).toBe('happens');
    give(join(place.home, 'dotfiles/mine.yaml'));
    expect((await ask(place, 'true'))[0]).toBe('prevented');
    const checked = await commandIn(place, ['check']);
    expect(checked.stdout).toMatch(
      /others than you and root may change ".*mine.yaml" on its way[\s\S]*copy the file here/,
    );
  });

  test('guards what the file reads beside it, and by links', async () => {
    const place = workplace({
      'home/dotfiles/mine.yaml': `version: 1
extends: [more.yaml]
policies: [{id: known, tool: shell, arguments: {command: {one_of: {file: list.json}}}, action: deny, reason: x}]
`,
      'home/dotfiles/list.json': '["make never"]',
      'home/dotfiles/other.json': '[]',
      'home/team/more.yaml': MINE,
    });
    link(place, { [AT]: '../../dotfiles/mine.yaml', 'home/dotfiles/more.yaml': '../team/more.yaml' });
    const refused = [
      ...['git push', 'make never', 'echo > ~/dotfiles/list.json', 'rm ~/dotfiles/more.yaml'],
      ...['ln -sfn x ~/dotfiles/more.yaml', 'echo > ~/team/more.yaml', 'mv ~/team x'],
    ];
    expect(await fatesOf(place, refused, [])).toEqual(refused.map(() => 'prevented'));
    expect(await fatesOf(place, ['echo > ~/dotfiles/other.json', 'make'], [])).toEqual([
      'happens',
      'happens',
    ]);
    const explained = await place.run({ args: ['explain', '--command', 'ln -sfn x ~/dotfiles/more.yaml'] });
    expect(explained.stdout).toStartWith('deny  self-protection/policies');
  });

  test('is judged by where the agent works', async () => {
    const place = workplace({ 'home/dotfiles/mine.yaml': MINE, 'home/dotfiles/.git/HEAD': '' });
    link(place, { [AT]: '../../dotfiles/mine.yaml' });
    expect((await ask(place, 'true'))[0]).toBe('happens');
    expect((await ask(place, 'true', join(place.home, 'dotfiles')))[0]).toBe('prevented');
    // A file that lies there as it is stays what it was.
    unlinkSync(join(place.folder, AT));
    place.write({ [AT]: MINE });
    expect((await ask(place, 'true', place.home))[0]).toBe('happens');
    expect((await ask(place, 'git push', place.home))[0]).toBe('prevented');
  });

  test('of a config map is read anew when its data are exchanged', async () => {
    const place = workplace();
    const folder = 'home/.config/policy';
    place.write({
      [`${folder}/..1/mine.yaml`]: MINE,
      [`${folder}/..2/mine.yaml`]: MINE.replace('push]', 'pull]'),
    });
    link(place, { [`${folder}/..data`]: '..1', [AT]: '..data/mine.yaml' });
    expect((await ask(place, 'git push'))[0]).toBe('prevented');
    link(place, { [`${folder}/..next`]: '..2' });
    renameSync(join(place.folder, folder, '..next'), join(place.folder, folder, '..data'));
    expect((await ask(place, 'git push'))[0]).toBe('happens');
    expect((await ask(place, 'git pull'))[0]).toBe('prevented');
  });
});

describe('a link in a project', () => {
  test('is never followed out of the folder, whoever owns what it leads to', async () => {
    const place = workplace({ 'home/dotfiles/mine.yaml': MINE });
    link(place, { 'project/.policy/mine.yaml': '../../home/dotfiles/mine.yaml' });
    expect(await ask(place, 'true')).toEqual(['prevented', expect.any(String)]);
    expect(readFileSync(join(place.home, 'dotfiles/mine.yaml'), 'utf8')).toBe(MINE);
  });
});

describe('a link that --policies names', () => {
  test('is guarded, and so is what it leads to', async () => {
    const place = workplace({ 'srv/v1/team.yaml': MINE, 'srv/v1/notes.txt': '' });
    link(place, { 'srv/current': 'v1' });
    const args = ['--policies', '../srv/current/team.yaml', '--policies', 'builtin:self-protection'];
    const refused = [
      'git push',
      'ln -sfn x ../srv/current',
      'rm ../srv/current',
      'echo > ../srv/v1/team.yaml',
    ];
    expect(await fatesOf(place, refused, args)).toEqual(refused.map(() => 'prevented'));
    expect(await fatesOf(place, ['echo > ../srv/v1/notes.txt', 'cp x ../srv/current/'], args)).toEqual([
      'happens',
      'happens',
    ]);
  });
});
