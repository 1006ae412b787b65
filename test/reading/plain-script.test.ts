import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { plainPrograms } from '../../scripts/plain-programs.ts';
import { summaryOfPlain } from '../../src/language/keys/call/plain-summary.ts';
import { summaryOf } from '../../src/language/keys/call/reading-summary.ts';
import type { ProgramRow } from '../../src/model/program-row.ts';
import { type PlainScript, plainScript } from '../../src/reader/commands/plain-script.ts';
import { PLAIN_PROGRAMS } from '../../src/reader/generated/plain-programs.ts';
import { rowTable } from '../../src/reader/programs/spec/row-table.ts';
import { programRow } from '../../src/reader/programs/spec/rows.ts';
import type { ReadCommand } from '../../src/reader/reading/reading.ts';
import { knownText } from '../../src/reader/reading/word.ts';
import { CONTEXT, read } from './reads.ts';

/** Programs, and subcommands behind a space. */
const PLAIN = PLAIN_PROGRAMS.split('\n').flatMap((line) =>
  line.startsWith('null') ? [] : line.replaceAll(' *\t', ' other\t').split('\t').slice(1, -1),
);
const PROGRAMS = [
  ...PLAIN,
  ...'git npm pnpm yarn cargo go docker kubectl cd rm sed awk find grep rg ruff mix golangci-lint unknown-tool gls gunknown'.split(
    ' ',
  ),
];
const WORDS =
  'status log diff show blame t test run start build lint ls why version check list ps images exec HEAD~1 HEAD:a/b :a :(top)a ~root/x ~+/x --registry --proxy=x -H main..x origin/main a.txt ./src/a.ts src .env ~/.ssh/id_rsa /etc/shadow "a b" \'$x\' 20 1,3p -- -- - -a -v -n -n20 -r -R -rn -f -f.env -C -o -c -d, --short --stat --all --recursive --rec --output=x --out x --exec-path --file --files0-from=.env --force --color=never -e --include=*.ts "a\\|b" "\\." "\\\\" "\\"" -name -newer -not -exec -delete -print -fls -i -i.bak -F -F, s/a/b/g s/a/b/w s|a|b|e $d \'{print $2}\' \'NR==1{print $1}\' "{system(1)}" --include="*.py" -ox -lo --fix --no-fix --write --check -w / /dev /dev//null null \'1\'>x 1\'\'>x \'2\'>&1 \'\'~/x a=~/x : >out.txt >>a/ls 2>err &>all > add commit -m -am -A --no-verify --no-ver https://example.com 2>&1 2>/dev/null >/dev/null'.split(
    ' ',
  );

const command = fc
  .tuple(
    fc.constantFrom('', '', 'npx ', 'timeout 5 ', 'uv run ', 'nohup '),
    fc.constantFrom(...PROGRAMS),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }),
    fc.constantFrom('', '', '', " <<'EOF'\na $(ls)\nEOF", " << 'E'\nrm -rf x\nEE\nE"),
  )
  .map(([wrapper, program, words, text]) => wrapper + [program, ...words].join(' ') + text);
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

/** Names that are searched for are somewhere below. */
function isSaid(path: string, { paths, reachesBelow }: PlainScript): boolean {
  return path === '?' ? reachesBelow && paths.includes('/work') : paths.includes(path);
}

/** What reading a script finds that a look at it did not. */
function missed(text: string, found: PlainScript): readonly string[] {
  const reading = read(text);
  const less = summaryOf(reading);
  const more = summaryOfPlain(found);
  const isDeep = reading.commands.some(({ effects }) =>
    effects.some((effect) => effect.type === 'path' && effect.recursive && effect.use !== 'list'),
  );
  const traits = less.traits & ~more.traits;
  const problems = [
    ...reading.commands.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.type === 'network' && effect.target.length > 0 ? ['a place'] : [])),
    ),
    ...reading.gaps.map(({ reason }) => `gap ${reason}`),
    ...less.names.filter((name) => !more.names.includes(name)),
    ...less.words.filter((word) => !more.words.includes(word)),
    ...less.causes.filter((cause) => !more.causes.includes(cause)),
    ...less.wrappers.filter((name) => !more.wrappers.includes(name)),
    ...reading.commands.flatMap(pathsOf).filter((path) => !isSaid(path, found)),
    ...(less.hasUnknownName ? ['a name'] : []),
    ...(traits === 0 ? [] : [`traits ${traits}`]),
    ...(isDeep && !found.reachesBelow ? ['what is below'] : []),
  ];
  return problems.map((problem) => `${text}: ${problem}`);
}

const EVERYDAY = [
  ...'status log diff show rev-parse describe shortlog add commit blame ls-files'
    .split(' ')
    .map((name) => `git ${name} -v`),
  ...'test t start stop build lint ls why run run-script'.split(' ').map((name) => `npm ${name} x`),
  ...'test t start stop build lint ls why run run-script'.split(' ').map((name) => `pnpm ${name} x`),
  ...'test t start stop build lint ls why'.split(' ').map((name) => `yarn ${name} x`),
  ...'build check test clippy doc tree'.split(' ').map((name) => `cargo ${name} --release`),
  ...['docker ps -a', 'docker logs -f web', 'docker images', 'docker inspect web', 'docker-compose ps'],
  ...'build test vet version list'.split(' ').map((name) => `go ${name} ./...`),
];

describe('plainPrograms', () => {
  const codeOf = (name: string) => (name === 'coded' ? 'acts' : 'nothing');
  const plain = (row: ProgramRow) => Object.fromEntries(plainPrograms(row, codeOf));

  test('knows subcommands by their rows, by `network: none` and by `runs`', () => {
    const runs: ProgramRow['runs'] = { subcommands: { c: { skip: 99 } } };
    expect(plain({ subcommands: { a: { operands: ['read'] } }, network: { none: ['b'] }, runs })).toEqual({
      ...{ '*': {}, a: { use: 'read' } },
    });
  });

  test.each<[string, ProgramRow]>([
    [
      'runs words on another machine',
      { subcommands: { a: {} }, runs: { subcommands: { a: { remote: true } } } },
    ],
    ['runs any first word', { runs: { skip: 0 }, subcommands: { a: {} } }],
    ['sets variables', { prints_settings: ['a'], subcommands: { a: {} } }],
    ['deletes', { subcommands: { a: { operands: ['delete'] } } }],
    ['has code', { subcommands: { coded: {} } }],
  ])('leaves out a subcommand that %s', (_, row) => {
    expect(plain(row)['a'] ?? null).toBeNull();
    expect(plain(row)['coded'] ?? null).toBeNull();
  });

  test.each<[ProgramRow, ReturnType<typeof plain>]>([
    [
      { network: { download: ['a'] }, subcommands: { a: {} } },
      { '*': {}, a: { network: true } },
    ],
    [{ network: { connect: ['*'], none: ['a'] } }, { '*': { network: true }, a: {} }],
    [
      { manifest: { file: 'x', by: '^a' }, subcommands: { a: {}, b: {} } },
      { '*': { manifest: 'x' }, b: {} },
    ],
    [{ subcommands: { a: { destroys: { refs: true } } } }, { '*': {}, a: { causes: ['destroys:refs'] } }],
    [
      { subcommands: { a: { destroys: { refs: [{ args: { first: 'x' } }] } } } },
      { '*': {}, a: { causes: ['destroys:refs'] } },
    ],
    [
      { destroys: { refs: true }, subcommands: { a: { subcommands: { b: { operands: ['list'] } } } } },
      Object.fromEntries(
        ['*', 'a *', 'a b'].map((name) => [
          name,
          { ...(name === 'a b' ? { use: 'list' } : {}), causes: ['destroys:refs'] },
        ]),
      ),
    ],
    [{ subcommands: { a: { operands: ['delete'] } } }, { '*': {}, a: null }],
    [{ runs: { skip: 1, keeps_status: true } }, { '': { runs: 1 } }],
    [{ runs: { subcommands: { a: {} } } }, { '*': {}, a: { runs: 0 } }],
  ])('says what those of %p do at most', (row, expected) => {
    expect(plain(row)).toEqual(expected);
  });

  test('says what flags do, by all of their spellings', () => {
    const a = { flags: ['-o,--out=write', '-f,--force'], destroys: { refs: [{ flags: { any: ['-f'] } }] } };
    expect(plain({ flags: ['-t,--to=url'], subcommands: { a } })['a']).toEqual({
      paths: { write: ['-o', '--out'] },
      caused: { 'destroys:refs': ['-f', '--force'] },
      refused: ['-t', '--to'],
    });
  });
});

describe('plainScript', () => {
  test('finds all that reading the script finds, and more at most', () => {
    let plain = 0;
    fc.assert(
      fc.property(script, (text) => {
        const found = look(text);
        if (found === undefined) return;
        plain += 1;
        expect(missed(text, found)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
    expect(plain).toBeGreaterThan(300);
  });

  /** A program with each flag of its rows, however its value is written. */
  function spelled(start: string, rows: readonly (ProgramRow | undefined)[]): readonly string[] {
    const flags = rows.flatMap((row) => (row === undefined ? [] : [...rowTable(row).flags.keys()]));
    // One way for each: they differ by flag, and by program.
    const values = flags.map(
      (flag, index) =>
        [flag, `${flag} x`, `${flag}=x`, `${flag}x`, `${flag.slice(0, -1)} x`][(start.length + index) % 5],
    );
    return [
      '',
      ' x',
      ' -- x',
      ' x y',
      ' ls x',
      ' x ls',
      ' x y ls',
      ...[...new Set(values)].map((words) => ` ${words}`),
    ].map((words) => start + words);
  }

  test('finds no less of any program or subcommand with any flag of its rows', () => {
    const tried = new Set<string>();
    for (const start of PLAIN) {
      const [name = '', ...subcommands] = start.split(' ');
      const row = programRow(name);
      const rows: (ProgramRow | undefined)[] = [row];
      let runs = row?.runs;
      for (const subcommand of subcommands) {
        runs = runs?.subcommands?.[subcommand];
        rows.push(rows.at(-1)?.subcommands?.[subcommand], runs);
      }
      // Flags that many subcommands share are tried with the first of them.
      const texts = spelled(
        start,
        rows.filter((each) => !tried.has(`${name} ${each?.flags}`)),
      );
      for (const each of rows) tried.add(`${name} ${each?.flags}`);
      const plain = texts.flatMap((text) => {
        const found = look(text);
        return found === undefined ? [] : [missed(text, found)];
      });
      expect(plain.length).toBeGreaterThan(0);
      expect(plain.flat()).toEqual([]);
    }
  });

  // The list comes from the rows: what agents run all day must stay on it.
  test.each(EVERYDAY)('is about all day long, as in %p', (text) => {
    expect(look(text)).toBeDefined();
  });

  test.each<[string, Partial<PlainScript>]>([
    ['git status --short', { names: ['git'], paths: [], uses: [] }],
    ['git diff HEAD~1 -- src/a.ts', { paths: ['/work/HEAD~1', '/work/src/a.ts'], uses: ['read'] }],
    ['ls -la src', { names: ['ls'], paths: ['/work', '/work/src'], uses: ['list'], reachesBelow: false }],
    ['cat "a b.txt" | head -n 3', { paths: ['/work/a b.txt', '/work/3'], uses: ['read'] }],
    [
      'grep -rn word ~/notes',
      { paths: ['/work', '/work/word', '/home/me/notes'], uses: ['read'], reachesBelow: true },
    ],
    ['cd app && cat x', { paths: ['/work/x', '/work/app/x'] }],
    ['mkdir -p a/b && touch a/b/c', { paths: ['/work/a/b', '/work/a/b/c'], uses: ['write'] }],
    ['git add src && git commit -m "api: x"', { paths: ['/work/src'], uses: ['read'], reachesBelow: true }],
    ['grep -n "a\\|b" x', { paths: ['/work/a\\|b', '/work/x'], uses: ['read'] }],
    ['helm list -A', { names: ['helm'], words: ['list', '-A'], network: true }],
    ['docker compose up -d', { words: ['compose', 'up', '-d'], network: false }],
    ['cargo add x', { paths: ['/work/Cargo.toml'], uses: ['write'], network: true }],
    ['grep a -C -- -r', { paths: ['/work/a', '/work/-r', '/work'], reachesBelow: true }],
    ['cargo test -- --nocapture', { names: ['cargo'], paths: [] }],
    ['timeout 5 npx tsc -p x', { names: ['timeout', 'npx', 'tsc'], wrappers: ['timeout', 'npx'] }],
    ['make -j4 build', { names: ['make'], causes: ['changes:files'] }],
    ['npm test 2>&1 | tail -20', { names: ['npm', 'tail'], words: ['test', '-20'] }],
    ["sed -n '1,$p' a.txt", { paths: ['/work/1,$p', '/work/a.txt'], uses: ['read'] }],
    ['sed -i s/a/b/g x', { paths: ['/work/s/a/b/g', '/work/x'], uses: ['write'] }],
    ["awk -F: 'NR==1{print $2}' x", { paths: ['/work/NR==1{print $2}', '/work/x'], uses: ['read'] }],
    ["find src -name '*.snap' -print", { paths: ['/work', '/work/src', '/work/*.snap'], uses: ['list'] }],
    ["grep -rn a --include='*.py'", { uses: ['read'], reachesBelow: true }],
    ['ruff check --fix src', { paths: ['/work/src'], uses: ['list', 'write'], reachesBelow: false }],
    ['ruff check src', { uses: ['read'], reachesBelow: true }],
    ['sort -o a b', { paths: ['/work/a', '/work/b'], uses: ['read', 'write'] }],
    ['git log --output=x', { paths: ['/work/x'], uses: ['read', 'write'] }],
    ['git commit -nm x', { causes: ['unguards:checks'] }],
    ['cat a >> b 2>c', { paths: ['/work/b', '/work/c', '/work/a'], uses: ['write', 'read'] }],
    ["cat > ~/a <<'E'\n$(rm x)\nE\nls", { names: ['cat', 'ls'], uses: ['write', 'list'] }],
    ['golangci-lint run --out=x', { paths: ['/work/run', '/work/x'], uses: ['mention'] }],
    ['tsc > /dev/null || echo failed', { names: ['tsc', 'echo'], uses: [] }],
  ])('knows what %p may do', (text, expected) => {
    expect(look(text)).toMatchObject(expected);
  });

  test.each([
    'git status; rm -rf /',
    'git status | sh',
    'git status >& a',
    'echo a > /dev/tcp/example.com/80',
    'echo a > ../b',
    'echo a >| b',
    "cat '1'>x",
    "cat 1''>x",
    "cat ''2>&1",
    "timeout '1'>x rm ls",
    "cat ''~/x",
    'ls > ""~/x',
    'cat a=~/x',
    'cd . > a',
    'basename / > a',
    'cat /dev/./null > a',
    'cd /dev && cat null > ~/a',
    'find . -rm',
    'true > a',
    'timeout 5 echo -n > a',
    'echo > a',
    "echo '\\n' > a",
    'cat /dev/null > a',
    "cat > a <<'E'\n\nE",
    'echo a > > b',
    'echo a >',
    'cat <<EOF\n$HOME\nEOF',
    "cat <<'EOF'\na",
    "cat <<'EOF' | sh\na\nEOF",
    "helm list <<'EOF'\na\nEOF",
    "cat > npm <<'EOF'\nrm -rf /\nEOF\nnpm test",
    'golangci-lint run https://example.com',
    'gls -la',
    'rm-rf /x ../y',
    'nerdctl unshare status -H x',
    'ruff check --config --fix src',
    'ruff check -- --fix src',
    'ruff check --fix --no-fix src',
    'Mix test',
    'git-lint x',
    'compgen -C x',
    'sed -i.bak 1p a',
    'sed s/a/b/w,x a',
    'sed s/a/b/e a',
    'sed 1p a -i',
    "awk 'BEGIN{system(1)}'",
    "awk '{print > 1}' a",
    "awk '{print | 1}' a",
    "awk 'BEGIN{ARGV[1]=1}'",
    "awk -f x '{print $1}'",
    "awk '{print $1}' -f x",
    'find . -exec rm x',
    'find . -name x -delete',
    'find . -fprint x',
    'find . -ok rm x',
    'find / -files0-from=x',
    'sort -la.txt -oout b',
    'git status $X',
    'git status `ls`',
    'git status & ls',
    'cat "a\\$b"',
    'cat "a\\\\b"',
    'cat "a\\"',
    'git -c alias.status=!rm status',
    '"git status" x',
    'git "status x"',
    'git push',
    'git unlisted',
    'docker run x',
    'npx -y tsc',
    'uv run x.py',
    'sudo ls',
    'timeout 5 rm x',
    'yarn npm info x',
    'make -f - all',
    'docker --context x ps',
    'npm view https://example.com',
    'cat x | gh api y',
    'ls dotenv/config',
    "make 'SHELL=rm x'",
    'git show HEAD:.env',
    'git show :a',
    "git diff HEAD -- ':(top)a'",
    'npm stop --registry x',
    'modprobe ~root/x',
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
    'cd -',
    "cd ''",
    'cd a || ls; tree',
    'cd',
    'sed -n 1w x',
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
