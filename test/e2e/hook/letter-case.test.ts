import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/lib/json.ts';
import { foldingVolume } from '../../support/folding-volume.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { TESTED_HOSTS } from './host-reading.ts';
import { fatesOf } from './line-client.ts';
import { messageText } from './messages.ts';
import { type Workplace, workplaceIn } from './workplace.ts';

const volume = foldingVolume();
afterAll(() => volume?.unmount());

const HOSTS = TESTED_HOSTS.filter(({ version }) => version === undefined);

const POLICIES = `version: 1
defaults: {when_unknown: skip}
policies:
  - {id: secrets, path: {set: secrets, uses: [read, write, delete]}, action: deny, reason: it is secret}
  - {id: history, path: {set: vcs, uses: [write, delete]}, action: deny, reason: it is history}
  - {id: notes, path: {match: ./CLAUDE.md, uses: write}, action: deny, reason: it is a note}
`;
const ARGS = ['--policies', '../mine.yaml', '--policies', 'builtin:self-protection'];

function placeIn(folder: string): Workplace {
  const place = workplaceIn(folder);
  place.write({
    'mine.yaml': POLICIES,
    'home/.claude/settings.json': '{}',
    'home/.ssh/id_rsa': '',
    'project/.policy/a.yaml': 'version: 1',
    'project/.env': '',
    'project/.git/hooks/a': '',
    'project/src/a.ts': '',
  });
  return place;
}

const onVolume = (): Workplace => {
  if (volume === undefined) throw new Error('no volume');
  return placeIn(mkdtempSync(join(volume.folder, 'p')));
};

/** Commands that use what is guarded by another spelling. */
const OTHERWISE = [
  'echo > .POLICY/x.yaml',
  'echo > .Policy/a.yaml',
  'rm -rf .POLICY',
  'rm -rf .POL*',
  'rm .POL*/a.yaml',
  'echo > .POL*/*.yaml',
  'rm -rf .POLIC?',
  'cat .E?V',
  'rm -rf ~/.CLAU*',
  'cd .PoLiCy && echo > b.yaml',
  'echo {} > ~/.Claude/settings.json',
  'echo {} > ~/.claude/SETTINGS.json',
  'mv ~/.CLAUDE ~/x',
  'cat .ENV',
  'cat .Env',
  'cat ~/.SSH/ID_RSA',
  'cat src/../.ENV',
  'echo > .GIT/hooks/pre-commit',
  'echo > .git./hooks/pre-commit',
  "echo > '.git /hooks/pre-commit'",
  'echo > GIT~1/hooks/pre-commit',
  'echo > git~1/config',
  "echo > '.git::$INDEX_ALLOCATION/hooks/x'",
  "cat '.env::$DATA'",
  'echo > .g\u200cit/hooks/pre-commit',
  'echo > .\ufeffGIT/config',
  'echo > POLICY~1/x.yaml',
  'echo {} > ~/CLAUDE~1/SETTIN~1.JSO',
  'echo > claude.md',
  'echo > .CURSOR/hooks.json',
];

/** A file tool, a path, and what becomes of it. */
const FILE_CALLS = [
  ['write', '.POLICY/x.yaml', 'prevented'],
  ['read', 'PROJECT/.ENV', 'prevented'],
  ['write', 'Src/x.ts', 'happens'],
] as const;

const HARMLESS = [
  'echo > src/A.TS',
  'cat SRC/a.ts',
  'echo > policy/x.yaml',
  'cat ENV',
  'cat .envelope',
  'echo > git/x',
  'ls .POLICY',
];

describe.skipIf(volume === undefined)(
  `a volume that folds names${volume === undefined ? ' (ntfs-3g is missing)' : ''}`,
  () => {
    test('keeps what is guarded from commands by every spelling that it reads so', async () => {
      const place = onVolume();
      const fates = await fatesOf(place, [...OTHERWISE, ...HARMLESS], ARGS);
      expect(OTHERWISE.filter((_, index) => fates[index] !== 'prevented')).toEqual([]);
      expect(HARMLESS.filter((_, index) => fates[OTHERWISE.length + index] !== 'happens')).toEqual([]);
    });

    // The next call for the next host: paths are read alike for all.
    test.each(HOSTS.map((each, index) => [each.title, each, FILE_CALLS[index % FILE_CALLS.length]] as const))(
      'keeps it from the file tools of %s',
      async (_, tested, call) => {
        if (call === undefined) throw new Error('no call');
        const [tool, path, expected] = call;
        const place = onVolume();
        const more: JsonObject = tool === 'write' ? { content: 'x' } : {};
        const said = await place.run({
          args: ['hook', '--host', tested.host.name, ...ARGS],
          input: messageText(tested.host, {
            on: 'before_tool',
            tool,
            arguments: { path: path.replace('PROJECT', place.project), ...more },
            context: { cwd: place.project },
          }),
        });
        expect(tested.read('before_tool', said)).toBe(expected);
      },
    );

    test('widens no approval, neither by a name nor by one that it leaves out', async () => {
      const approved = `version: 1
defaults: {unmatched: deny}
policies:
  - id: source
    tool: shell
    path: {match: ./src/**, except: ['**/*.key']}
    not: {path: {match: '**', except: './src/**'}}
    action: approve
`;
      for (const place of [onVolume(), placeIn(temporaryFolder())]) {
        const isFolding = place.folder.startsWith(volume?.folder ?? '-');
        place.write({ 'mine.yaml': approved, 'project/src/x.key': '', 'project/src/y.KEY': '' });
        const commands = ['cat src/a.ts', 'cat src/A.ts', 'cat src/x.key', 'cat src/y.KEY', 'cat SRC/a.ts'];
        const fates = await fatesOf(place, commands, ['--policies', '../mine.yaml']);
        const onlyThere = isFolding ? 'prevented' : 'happens';
        expect(fates).toEqual(['happens', 'happens', 'prevented', onlyThere, 'prevented']);
      }
    });

    test('has one workspace, however it is spelled', async () => {
      const place = onVolume();
      const outside = `version: 1
policies:
  - {id: outside, path: {outside: workspace, uses: write}, action: deny, reason: it lies outside}
`;
      place.write({ 'mine.yaml': outside });
      const other = join(place.folder.toUpperCase().replace(/^.*\/VOLUME/, volume?.folder ?? ''), 'PROJECT');
      expect(other).not.toBe(place.project);
      const commands = [
        `echo > ${other}/x`,
        `echo > ${other}/SRC/x`,
        `echo > ${other}x`,
        `echo > ${other}/../y`,
      ];
      expect(await fatesOf(place, commands, ['--policies', '../mine.yaml'])).toEqual([
        'happens',
        'happens',
        'prevented',
        'prevented',
      ]);
    });

    test('is told by a link that leads there', async () => {
      const place = onVolume();
      const outside = placeIn(temporaryFolder());
      symlinkSync(join(place.project, '.POLICY'), join(outside.project, 'link'));
      symlinkSync(place.project, join(outside.project, 'all'));
      const commands = ['echo > link/x.yaml', 'echo > all/.POLICY/x.yaml', 'echo > all/src/x'];
      expect(await fatesOf(outside, commands, ARGS)).toEqual(['prevented', 'prevented', 'happens']);
    });

    test('reads no policy of the user by a link into the workspace in other letters', async () => {
      for (const place of [onVolume(), placeIn(temporaryFolder())]) {
        place.write({
          'project/.policy/a.yaml': POLICIES,
          'PROJECT/b.yaml': POLICIES,
          'home/.config/policy/c.yaml': POLICIES,
        });
        expect(await fatesOf(place, ['true'], [])).toEqual(['happens']);
        symlinkSync(join(place.folder, 'PROJECT/b.yaml'), join(place.home, '.config/policy/b.yaml'));
        const isFolding = place.folder.startsWith(volume?.folder ?? '-');
        expect(await fatesOf(place, ['true'], [])).toEqual([isFolding ? 'prevented' : 'happens']);
      }
    });

    test('is told where what is guarded is not there yet', async () => {
      const place = onVolume();
      mkdirSync(join(place.project, 'empty'));
      expect(
        await fatesOf(place, ['mkdir -p new/.POLICY; echo > new/.POLICY/x.yaml', 'echo > empty/.ENV'], ARGS),
      ).toEqual(['prevented', 'prevented']);
    });
  },
);

describe('a volume on which each spelling is a name of its own', () => {
  test('lets other names pass', async () => {
    const place = placeIn(temporaryFolder());
    place.write({ 'project/.POLICY/x.yaml': '', 'project/.ENV': '' });
    const names = [...OTHERWISE, ...HARMLESS];
    const fates = await fatesOf(place, names, ARGS);
    expect(names.filter((_, index) => fates[index] !== 'happens')).toEqual([]);
    const usual = ['cat .env', 'echo > .policy/x.yaml', 'rm -rf .pol*', 'rm .pol*/a.yaml', 'cat .e?v'];
    expect(await fatesOf(place, usual, ARGS)).toEqual(usual.map(() => 'prevented'));
  });
});
