import { describe, expect, test } from 'bun:test';
import type { ProgramRow } from '../../src/model/program-row.ts';
import { readCommand } from '../../src/reader/commands/read-command.ts';
import { readFlag } from '../../src/reader/programs/spec/row-table.ts';
import { programRow } from '../../src/reader/programs/spec/rows.ts';
import { knownText } from '../../src/reader/reading/word.ts';
import { COMMANDS } from '../../src/tools/cli/table.ts';

/** What the last command of a text does to paths. */
function usesOf(text: string): readonly string[] {
  const { commands } = readCommand(text, { home: '/home/user', cwd: '/work' });
  return (commands.at(-1)?.effects ?? []).flatMap((effect) =>
    effect.type === 'path' ? [`${effect.use} ${knownText(effect.path)}`] : [],
  );
}

describe('a program that the script has made out of another', () => {
  test.each([
    ['cp /opt/tool x; ./x'],
    ['mv /opt/tool x; ./x'],
    ['install -m 755 /opt/tool x && ./x'],
    ['ln -s /opt/tool x; ./x'],
    ['ln /opt/tool x; /work/x'],
    ['cat /opt/tool > x; chmod +x x; ./x'],
    ['cp /opt/tool /usr/local/bin/x; /usr/local/bin/x'],
    ['cp /opt/tool ~/bin/x; x'],
    ['cp /opt/tool x; cp x y; ./y'],
  ])('is the other one: %s', (text) => {
    expect(usesOf(text)).toContain('execute /opt/tool');
  });

  test.each([['cp /opt/tool x; ./y'], ['cp /opt/tool tool; ls tool'], ['cp /opt/tool x; x2; ls']])(
    'is no program of another name: %s',
    (text) => {
      expect(usesOf(text)).not.toContain('execute /opt/tool');
    },
  );

  test('is read where its text is known', () => {
    const { commands } = readCommand("echo 'rm -r /srv' > ~/bin/clean; clean", {
      home: '/home/user',
      cwd: '/work',
    });
    expect(commands.map(({ name }) => name)).toEqual(['echo', 'clean', 'sh', 'rm']);
  });
});

describe('this program', () => {
  test('is known with all of its commands and the options that take a value', async () => {
    const policy = programRow('policy');
    expect(Object.keys(policy?.subcommands ?? {}).toSorted()).toEqual(
      COMMANDS.map(({ name }) => name).toSorted(),
    );
    for (const { name: command, load } of COMMANDS) {
      const row = policy?.subcommands?.[command];
      const flags = [row, ...Object.values(row?.subcommands ?? {})].flatMap(
        ({ flags }: ProgramRow = {}) => flags?.flatMap((flag) => readFlag(flag) ?? []) ?? [],
      );
      const values = new Set(flags.flatMap(({ takes, spellings }) => (takes === '=' ? spellings : [])));
      const wanted = (await load()).options
        .filter(({ value, optional }) => value !== undefined && optional !== true)
        .flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
      expect([command, wanted.filter((option) => !values.has(option))]).toEqual([command, []]);
    }
  });

  test.each<[string, readonly string[]]>([
    ['policy init', ['write /work/.policy']],
    ['policy init --help', []],
    ['policy fmt', ['write /work/.policy']],
    ['policy fmt a.yaml', ['read /work/a.yaml', 'write /work/a.yaml']],
    ['policy fmt --check', []],
    ['policy fmt - < a.yaml', ['read /work/a.yaml']],
    ['policy check a.yaml', ['read /work/a.yaml']],
    ['policy check --fix', ['write /work/.policy']],
    ['policy check --fix --host jcli a.yaml', ['read /work/a.yaml', 'write /work/a.yaml']],
    ['policy test --update packs', ['read /work/packs', 'write /work/packs']],
    ['policy test --html out.html', ['write /work/out.html']],
    ['policy add-test a1 --to t.test.yaml', ['write /work/t.test.yaml', 'read /work/a1']],
    ['policy add-test a1', ['read /work/a1', 'write /work/.policy']],
    ['policy judge record', ['write /work/.policy']],
    ['policy judge cache clear', ['write /home/user/.local/state/policy']],
    ['policy judge cache stats', []],
    ['policy lock', ['write /work/.policy']],
    ['policy lock packs', ['read /work/packs', 'write /work/packs']],
    ['policy lock --check', []],
    ['policy lock --update --yes', ['write /work/.policy']],
    ['policy lock --update --check', []],
    ['policy bundle keygen acme', ['write /work/acme']],
    [
      'policy bundle build team --name acme --version 1.0.0 --key acme.key --to out.tgz',
      ['read /work/acme.key', 'write /work/out.tgz', 'read /work/team'],
    ],
    ['policy bundle verify acme.tgz --key acme.pub', ['read /work/acme.pub', 'read /work/acme.tgz']],
    ['policy log --policy a/b -n 5', []],
    ['policy scan past --html scan.html', ['write /work/scan.html', 'read /work/past']],
    ['policy report --html report.html --until 7d', ['write /work/report.html']],
  ])('writes with %p: %p', (text, uses) => {
    expect(usesOf(text)).toEqual([...uses]);
  });
});
