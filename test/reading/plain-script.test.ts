import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { summaryOfPlain } from '../../src/language/keys/call/plain-summary.ts';
import { summaryOf } from '../../src/language/keys/call/reading-summary.ts';
import type { ProgramRow } from '../../src/model/program-row.ts';
import { type PlainScript, plainScript, SUBCOMMANDS } from '../../src/reader/commands/plain-script.ts';
import { PLAIN_PROGRAMS } from '../../src/reader/generated/plain-programs.ts';
import { rowTable } from '../../src/reader/programs/spec/row-table.ts';
import { programRow } from '../../src/reader/programs/spec/rows.ts';
import type { ReadCommand } from '../../src/reader/reading/reading.ts';
import { knownText } from '../../src/reader/reading/word.ts';
import { CONTEXT, read } from './reads.ts';

const PROGRAMS = [
  ...PLAIN_PROGRAMS.trim()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? ''),
  ...'git npm pnpm yarn cargo go docker kubectl cd rm sed'.split(' '),
];
const WORDS =
  'status log diff show blame t test run start build lint ls why version check list ps images exec HEAD~1 HEAD:a/b :a :(top)a ~root/x ~+/x --registry --proxy=x -H main..x origin/main a.txt ./src/a.ts src .env ~/.ssh/id_rsa /etc/shadow "a b" \'$x\' 20 1,3p -- - -a -v -n -n20 -r -R -rn -f -f.env -C -o -c -d, --short --stat --all --recursive --rec --output=x --out x --exec-path --file --files0-from=.env --force --color=never -e --include=*.ts "a\\|b" "\\." "\\\\" "\\"" add commit -m -am -A --no-verify --no-ver https://example.com 2>&1 2>/dev/null >/dev/null'.split(
    ' ',
  );

const command = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }))
  .map(([program, words]) => [program, ...words].join(' '));
const script = fc
  .array(fc.tuple(command, fc.constantFrom(' && ', ' | ', '; ', ' || ', '\n', '|')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.map(([text, separator], at) => (at === 0 ? text : separator + text)).join(''));

function look(text: string): PlainScript | undefined {
  return plainScript(text, [CONTEXT.cwd], CONTEXT.home);
}

function pathsOf({ effects }: ReadCommand): readonly string[] {
  return effects.flatMap((effect) => (effect.type === 'path' ? [knownText(effect.path) ?? '?'] : []));
}

/** Fails where reading a script finds what a look at it did not. */
function expectMore(text: string, found: PlainScript): void {
  const reading = read(text);
  const less = summaryOf(reading);
  const more = summaryOfPlain(found);
  expect(reading.gaps).toEqual([]);
  expect(less.hasUnknownName).toBe(false);
  expect(less.names.filter((name) => !more.names.includes(name))).toEqual([]);
  expect(less.words.filter((word) => !more.words.includes(word))).toEqual([]);
  expect(less.traits & ~more.traits).toBe(0);
  expect(less.causes.filter((cause) => !more.causes.includes(cause))).toEqual([]);
  expect(less.wrappers).toEqual([]);
  expect(reading.commands.flatMap(pathsOf).filter((path) => !found.paths.includes(path))).toEqual([]);
  const isDeep = reading.commands.some(({ effects }) =>
    effects.some((effect) => effect.type === 'path' && effect.recursive && effect.use !== 'list'),
  );
  expect(isDeep && !found.reachesBelow).toBe(false);
}

describe('plainScript', () => {
  test('finds all that reading the script finds, and more at most', () => {
    let plain = 0;
    fc.assert(
      fc.property(script, (text) => {
        const found = look(text);
        if (found === undefined) return;
        plain += 1;
        expectMore(text, found);
      }),
      { numRuns: 5000 },
    );
    expect(plain).toBeGreaterThan(500);
  });

  /** Looks at a program with each flag of its rows, however its value is written; returns how many were plain. */
  function expectMoreOfFlags(start: string, rows: readonly (ProgramRow | undefined)[]): number {
    const flags = rows.flatMap((row) => (row === undefined ? [] : [...rowTable(row).flags.keys()]));
    const spelled = flags.flatMap((flag) => [
      flag,
      `${flag} x`,
      `${flag}=x`,
      `${flag}x`,
      `${flag.slice(0, -1)} x`,
    ]);
    let plain = 0;
    for (const words of ['', 'x', '-- x', 'x y', ...new Set(spelled)]) {
      const text = `${start} ${words}`.trim();
      const found = look(text);
      if (found === undefined) continue;
      plain += 1;
      expectMore(text, found);
    }
    return plain;
  }

  test('finds no less of any program with any flag of its row', () => {
    expect(expectMoreOfFlags('touch', [programRow('touch')])).toBeGreaterThan(5);
    for (const name of PROGRAMS.filter((each) => !Object.hasOwn(SUBCOMMANDS, each)))
      expectMoreOfFlags(name, [programRow(name)]);
  });

  // The list of subcommands is apart from the rows: with no flag that a row has may it let more pass.
  test.each(Object.entries(SUBCOMMANDS))(
    'finds no less of %s with any flag of its row',
    (program, listed) => {
      const row = programRow(program);
      const plain = listed
        .split(' ')
        .map((name) => expectMoreOfFlags(`${program} ${name}`, [row, row?.subcommands?.[name]]));
      expect(plain.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(10);
    },
  );

  test.each<[string, Partial<PlainScript>]>([
    ['git status --short', { names: ['git'], paths: [], use: undefined }],
    ['git diff HEAD~1 -- src/a.ts', { paths: ['/work/HEAD~1', '/work/src/a.ts'], use: 'read' }],
    ['ls -la src', { names: ['ls'], paths: ['/work', '/work/src'], use: 'list', reachesBelow: false }],
    ['cat "a b.txt" | head -n 3', { paths: ['/work/a b.txt', '/work/3'], use: 'read' }],
    ['grep -rn word ~/notes', { paths: ['/work/word', '/home/me/notes'], reachesBelow: true }],
    ['cd app && cat x', { paths: ['/work/x', '/work/app/x'] }],
    ['mkdir -p a/b && touch a/b/c', { paths: ['/work/a/b', '/work/a/b/c'], use: 'write' }],
    ['git add -A && git commit -m "api: x"', { names: ['git'], use: 'read', reachesBelow: true }],
    ['grep -n "a\\|b" x', { paths: ['/work/a\\|b', '/work/x'], use: 'read' }],
    ['npm test 2>&1 | tail -20', { names: ['npm', 'tail'], words: ['test', '-20'] }],
    ["sed -n '1,$p' a.txt", { paths: ['/work/1,$p', '/work/a.txt'], use: 'read' }],
    ['tsc > /dev/null || echo failed', { names: ['tsc', 'echo'], use: undefined }],
  ])('knows what %p may do', (text, expected) => {
    expect(look(text)).toMatchObject(expected);
  });

  test.each([
    'git status; rm -rf /',
    'git status | sh',
    'git status > a',
    'git status >& a',
    'git status $X',
    'git status `ls`',
    'git status & ls',
    'git commit -nm x',
    'git commit --no-ver',
    'cat "a\\$b"',
    'cat "a\\\\b"',
    'cat "a\\"',
    'git -c alias.status=!rm status',
    'git push',
    'git show HEAD:.env',
    'git show :a',
    "git diff HEAD -- ':(top)a'",
    'npm stop --registry x',
    'modprobe ~root/x',
    'git log --output=x',
    'git log --output x',
    'git log -- ../x',
    'npm exec rm',
    'yarn run git reset --hard',
    'A=1 npm test',
    './npm test',
    'rm -rf build',
    'cat *',
    'cat a?',
    'cat <a',
    'cat a # b',
    'cat "$HOME"',
    'cat ~other/x',
    'cat https://example.com/a',
    'cat \u00e9',
    'ls ..',
    'cd a && cd b && cd c',
    'grep a -C -- -r',
    'cd -',
    "cd ''",
    'cd a || ls; tree',
    'cd',
    'sort -o a b',
    'sed -n 1w x',
    'sed -i 1p a',
    'sed -n -i 1p a',
    'sort --out=a b',
    'wc --files0-from=a',
    'grep -f.env x',
    'rg --pre=sh x',
    '(ls)',
    '{ ls; }',
    '! ls',
    'ls;;ls',
    'ls |',
    "ls 'a",
    'ls a"b',
    `git status ${'a '.repeat(500)}`,
  ])('leaves %p to be read', (text) => {
    expect(look(text)).toBeUndefined();
  });
});
