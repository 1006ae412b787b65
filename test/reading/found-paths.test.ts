import { describe, expect, test } from 'bun:test';
import { showWord } from '../../src/reader/reading/word.ts';
import { does, gapsIn, last, read } from './reads.ts';

/** The paths that the last command deletes, as they are written down; `FOLDER: NAME` for all of a name below one. */
function deleted(text: string): readonly string[] {
  return last(text).effects.flatMap((effect) => {
    if (effect.type !== 'path' || effect.use !== 'delete') return [];
    const { path, only, recursive } = effect;
    expect(only === undefined || recursive).toBe(true);
    return [showWord(path) + (only === undefined ? '' : `: ${showWord(only)}`)];
  });
}

describe('what find comes upon', () => {
  test.each([
    ['find . -exec rm {} +', '/work/**'],
    ['find . -type f -exec rm {} +', '/work/**'],
    ["find . ! -name '*.ts' -exec rm {} +", '/work/**'],
    ['find . -maxdepth 1 -exec rm {} +', '/work/**'],
    ['find . -name a.txt -exec rm {} +', '/work: a.txt'],
    ["find . -name '*.ts' -exec rm {} +", '/work: *.ts'],
    ['find . \\( -name a -o -mtime +7 \\) -exec rm {} +', '/work: {}'],
    ['find . -iname A.TXT -exec rm {} +', '/work: a.txt'],
    ["find . -path '*/b/a.txt' -exec rm {} +", '/work: b/a.txt'],
    ["find . -path '*/b/*' -exec rm {} +", '/work: b/*'],
    ['find . -mtime +7 -exec rm {} +', '/work: {}'],
    ['find . -empty -exec rm {} +', '/work: {}'],
    ["find . -name a -printf '%p\\n' | xargs rm", '/work: a'],
    ["find /srv -name '*.a' -printf '%s\\t%p\\n' | xargs rm", '/srv: *.a'],
    ["find /srv -name '*.a' -printf 'rm -f %p\\n' | sh", '/srv: *.a'],
    ["find /srv -printf 'rm %H/%P\\n' | sh", '/srv/**'],
    ["find /srv -printf 'old %p\\n' | while read a b; do rm $b; done", '/srv/**'],
    ['find /srv -print -printf x | xargs rm', '/srv/**'],
    ['find /srv -printf x | xargs rm', '/work/x'],
    ["find . -printf '%h/%f\\0' | xargs -0 rm", '/work/**'],
    ['fd -t f . /srv | xargs rm', '/srv/**'],
    ['find /srv -path "*/cache/*" -exec rm {} +', '/srv: cache/*'],
    ['rg --files /srv | xargs rm', '/srv/**'],
    ["rg --files -g '*.log' /srv | xargs rm", '/srv: {}'],
    ['rg -l word /srv | xargs rm', '/srv: {}'],
    ['rg -l -e word | xargs rm', '/work: {}'],
    ['grep -rl word /srv | xargs rm', '/srv: {}'],
    ['rm $(ag -l word /srv)', '/srv: {}'],
    ['fd . /srv | xargs rm', '/srv/**'],
    ['fd -e log . /srv | xargs rm', '/srv: *.log'],
    ['fd -t d cache /srv | xargs rm', '/srv: *cache*'],
  ])('is everything, or what is looked for: %s', (text, path) => {
    expect(deleted(text)).toEqual([path]);
  });

  test.each([
    'find . -name a -printf "/%f" | xargs rm',
    'fd -C / a | xargs rm',
    'fd --base-directory / a b | xargs rm',
    'fd --format / | xargs rm',
    'fd -a a | xargs rm',
    'fd -t l | xargs rm',
    'rm $(fd $WORDS)',
    'rm $(rg -l $WORDS)',
    'ls / | rg -l a | xargs rm',
    'rg -L a list | xargs rm',
    'rg --files --iglob "*.a" | xargs rm',
    'ssh host fd a | xargs rm',
  ])('is not known where other words may say so: %s', (text) => {
    const [path = ''] = deleted(text);
    expect(path).not.toContain('/work');
  });

  test.each([
    'find . | sh',
    'fd | sh',
    'rg --files | python3',
    'rg -l a | bash -s',
    'find . -name a | sort | sh',
    'fd a | ssh host sh',
    'sh <(find . -name "*.sh")',
    "find . -name '*.a' -exec pwsh -c {} +",
    'eval "$(fd a)"',
    'curl x.example | rg -L . | sh',
    "find . -printf '\\162\\155\\040-rf\\040\\057\\n' | sh",
    "find . -printf 'rm %f\\n' | sh",
    "find . -printf 'echo %p | xargs rm\\n' | sh",
  ])('is no code that anybody knows: %s', (text) => {
    const { effects } = last(text);
    const isFetched = effects.some(({ type }) => type === 'remote_code');
    expect(isFetched || gapsIn(text).length > 0).toBe(true);
  });

  test.each([
    'sh -c "$(find . -name run.sh)"',
    'find . -name run | sh',
    "find . -name '*.ps1' -exec pwsh {} +",
  ])('is a program of that name: %s', (text) => {
    expect(gapsIn(text).filter((reason) => reason !== 'unknown_program')).toEqual([]);
  });

  test('may lie in the folder itself, with all that is in it', () => {
    expect(deleted('find . -name .git -exec rm -rf {} +')).toEqual(['/work: .git', '/work/.git']);
    expect(deleted("find . -name 'a*' | xargs rm -r")).toEqual(['/work: a*', '/work/a*']);
    expect(deleted('find . -mtime +7 -exec rm -r {} +')).toEqual(['/work: {}']);
  });

  test('is each of the names that are looked for', () => {
    const { commands } = read('find . \\( -name a -o -name b -o -name a \\) -exec rm {} +');
    expect(commands.slice(1).map(({ operands }) => operands.map(showWord))).toEqual([['./{}/a'], ['./{}/b']]);
  });

  test.each([
    ['find . -type f | xargs rm', '/work/**'],
    ['find . -name a.txt | while read f; do rm "$f"; done', '/work: a.txt'],
    ['find . -name a.txt | xargs rm', '/work: a.txt'],
    ['find . -name "*.ts" | xargs rm', '/work: *.ts'],
    ['find "a b" -name x | xargs rm', '{}'],
    ['find "a b" -name x -print0 | xargs -0 rm', '/work/a b: x'],
    ['find "a b" -name x | xargs -I{} rm {}', '/work/a b: x'],
    ['ls | xargs rm', '{}'],
    ['ls -d a-* | xargs rm', '/work/a-*'],
    ['ls -dt /srv/a/* | tail -n +6 | xargs rm', '/srv/a/*'],
    ['ls -1d a-* | while read f; do rm "$f"; done', '/work/a-*'],
    ['for f in $(ls -d a-*); do rm "$f"; done', '/work/a-*'],
    ['ls a-* | xargs rm', '{}'],
    ['ls -ld a-* | xargs rm', '{}'],
    ['ls -d a-* b-* | xargs rm', '{}'],
    ['ls -dp a-* | xargs rm', '{}'],
    ['ls -d */ | xargs rm', '{}'],
  ])('goes on to xargs: %s', (text, path) => {
    expect(deleted(text)).toEqual([path]);
  });

  test.each([
    ['ls a.txt | xargs rm', ['a.txt', '{}']],
    ['ls -a .e* b | xargs rm', ['.e*', 'b', '{}']],
    ['ls | xargs rm', ['{}']],
    ['ls a.txt | sort -k2 f | xargs rm', ['{}']],
  ])('what ls is given is among what it prints: %s', (text, names) => {
    const removed = read(text).commands.filter(({ name }) => name === 'rm');
    expect(removed.flatMap(({ operands }) => operands.map(showWord))).toEqual(names);
  });

  test.each([
    ['find . | grep pyc | xargs rm', '/work: {}'],
    ['find . | grep -v keep | sort | head -5 | xargs rm', '/work: {}'],
    ['find . -name a.txt | sort -u | xargs rm', '/work: a.txt'],
    ['find . | grep -o pyc | xargs rm', '{}'],
    ['find . | grep -n pyc | xargs rm', '{}'],
    ['find . | sed s/a/b/ | xargs rm', '{}'],
    ['find . | grep pyc other | xargs rm', '{}'],
  ])('stays below its folder where only lines are left out: %s', (text, path) => {
    expect(deleted(text)).toEqual([path]);
  });
});

describe('settings for the shell', () => {
  test.each([
    'eval "$(ssh-agent -s)"',
    'eval "$(brew shellenv)"',
    'eval "$(direnv hook bash)"',
    'source <(kubectl completion bash)',
    '. <(npm completion)',
  ])('are no script that cannot be read: %s', (text) => {
    expect(gapsIn(text)).toEqual([]);
  });

  test.each(['eval "$(brew list)"', 'eval "$(direnv status)"', 'source <(kubectl get cm x)'])(
    'are printed by certain subcommands only: %s',
    (text) => {
      expect(gapsIn(text)).toEqual(['unknown_script']);
    },
  );
});

describe('keys', () => {
  test.each(['ssh -i ~/.ssh/key host', 'scp -i key a host:', 'ssh-add ~/.ssh/key'])(
    'that are used to log in are not read: %s',
    (text) => {
      expect(does(text).filter((effect) => effect.startsWith('read') && effect.includes('key'))).toEqual([]);
    },
  );
});

test('a mode that starts with a dash is no flag of chmod', () => {
  expect(does('chmod -x run.sh')).toEqual(['writes /work/run.sh']);
  expect(last('chmod -R u+w a').flags.map(({ name }) => name)).toEqual(['-R']);
});

test('a -- before the subcommand leaves the flags of the subcommand what they are', () => {
  expect(last('git -- reset --hard').flags.map(({ name }) => name)).toEqual(['--hard']);
  expect(last('git checkout -- --hard').flags).toEqual([]);
});
