import { describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { runCli, stable } from './test-io.ts';

const POLICY = `version: 1
name: demo
policies:
  - {id: no-rm, tool: shell, arguments: {command: '^rm |^mv '}, action: deny, reason: It deletes for good}
`;
const TESTS = `cases:
  - {name: rm, call: {command: rm x}, expect: deny}
  - {name: ls, call: {command: ls}, expect: continue}
`;

function project(files: Readonly<Record<string, string>> = {}): string {
  return temporaryFolder({ '.policy/demo.yaml': POLICY, '.policy/demo.test.yaml': TESTS, ...files });
}

async function policyTest(cwd: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = await runCli(['test', ...args], { cwd });
  return { exitCode, stdout: stable(stdout), stderr };
}

describe('policy test', () => {
  test('is quiet and ends with 0 when everything passes', async () => {
    expect(await policyTest(project())).toEqual({
      exitCode: 0,
      stdout:
        '.policy  2 passed\n2 passed   coverage 100.0 % of policies, 50.0 % of alternatives (--coverage shows where)  N µs\n',
      stderr: '',
    });
  });

  test('shows every mistake of a broken test file, and runs the others', async () => {
    const at = project({
      '.policy/a.test.yaml':
        'cases:\n  - {call: {command: ls}, expect: continue, name: "a\\d"}\n  - {cal: {command: ls}, expect: deny}\n',
      '.policy/b.test.yaml': 'cases:\n\t- {call: {command: ls}, expect: continue}\n',
    });
    const { exitCode, stdout } = await policyTest(at);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('.policy  2 passed, 2 broken test files');
    expect(stdout.match(/^\.policy\S+ error .*$/gm)).toEqual([
      '.policy/a.test.yaml:2:53 error yaml  Cannot use "\\d" in double quotes: it is not an escape',
      '.policy/a.test.yaml:3:6 error unknown-key  Cannot use key "cal" in case 2',
      '.policy/b.test.yaml:2:1 error yaml  Cannot indent with a tab: YAML takes only spaces',
    ]);
  });

  test('looks into .policy, else policies, else here', async () => {
    const at = temporaryFolder({ 'a.yaml': POLICY, 'a.test.yaml': TESTS });
    expect((await policyTest(at)).stdout).toContain('2 passed');
    writeFiles(at, { 'policies/b.yaml': POLICY, 'policies/b.test.yaml': TESTS });
    expect((await policyTest(at)).stdout).toStartWith('policies  2 passed\n2 passed');
    writeFiles(at, { '.policy/c.yaml': POLICY, '.policy/c.test.yaml': TESTS });
    expect((await policyTest(at)).stdout).toStartWith('.policy  2 passed\n2 passed');
  });

  test('takes files, folders and globs, each test once', async () => {
    const at = temporaryFolder();
    for (const name of ['a', 'b', 'c']) {
      writeFiles(at, { [`packs/${name}/policy.yaml`]: POLICY, [`packs/${name}/policy.test.yaml`]: TESTS });
    }
    const suites = async (...args: string[]) =>
      (await policyTest(at, ...args)).stdout
        .split('\n')
        .flatMap((line) => /^packs\/\S+/.exec(line)?.[0] ?? []);
    expect(await suites('packs')).toEqual(['packs/a', 'packs/b', 'packs/c']);
    expect(await suites('packs/b', 'packs/b/policy.test.yaml')).toEqual(['packs/b']);
    expect(await suites('packs/[ac]')).toEqual(['packs/a', 'packs/c']);
    expect(await suites('packs/*/*.test.yaml')).toEqual(['packs/a', 'packs/b', 'packs/c']);
    expect(await suites('**/b/*')).toEqual(['packs/b']);
  });

  test('ends with 1 when something fails, and with 1 when a test file is broken', async () => {
    const failing = await policyTest(
      project({ '.policy/b.test.yaml': 'cases: [{call: {command: ls}, expect: deny}]\n' }),
    );
    expect(failing.exitCode).toBe(1);
    expect(failing.stdout).toContain('2 passed, 1 failed');
    const broken = await policyTest(
      project({ '.policy/b.test.yaml': 'cases: [{call: ls, expect: deny}]\n' }),
    );
    expect(broken.exitCode).toBe(1);
    expect(broken.stdout).toContain('.policy/b.test.yaml:1:16 error bad-value  Cannot find call "ls"');
    expect(broken.stdout).toContain('2 passed, 1 broken test file');
  });

  test('shows what a policy makes of an example that fails, rewrites before and after', async () => {
    const at = project({
      '.policy/pnpm.yaml': `version: 1
policies:
  - id: pnpm
    command: npm
    action: modify
    rewrite: {program: {npm: pnpm}}
    examples: {hit: [{command: npm ci}, {command: yarn ci}], miss: [{command: npm test}]}
`,
      '.policy/pnpm.test.yaml': 'cases:\n  - {call: {command: npm ci}, expect: continue}\n',
    });
    const { exitCode, stdout } = await policyTest(at);
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').slice(1, -2)).toEqual([
      '  .policy/pnpm.yaml:7:41  "hit of pnpm/pnpm: shell yarn ci"',
      '    expected  hit',
      '    actual    miss',
      '    reads as  shell (shell)  yarn ci',
      '    no match  pnpm/pnpm  command: wanted npm, saw yarn',
      '  .policy/pnpm.yaml:7:69  "miss of pnpm/pnpm: shell npm test"',
      '    expected  miss',
      '    actual    hit',
      '    reads as  shell (shell)  npm test',
      '    matched   modify  pnpm/pnpm  command  (.policy/pnpm.yaml:3)',
      '    before    arguments.command  "npm test"',
      '    after     arguments.command  "pnpm test"',
      '  .policy/pnpm.test.yaml:2:5  "shell npm ci"',
      '    expected  continue',
      '    actual    modify by pnpm/pnpm',
      '    reads as  shell (shell)  npm ci',
      '    matched   modify  pnpm/pnpm  command  (.policy/pnpm.yaml:3)',
      '    before    arguments.command  "npm ci"',
      '    after     arguments.command  "pnpm ci"',
      '    no match  demo/no-rm  arguments.command: wanted ^rm |^mv , saw npm ci',
    ]);
  });

  test('says in its JSON how many policy files cannot be loaded', async () => {
    const at = project({ '.policy/odd.yaml': 'version: 1\npolicies: [{id: a, comand: x, acton: deny}]\n' });
    const { exitCode, stdout } = await policyTest(at, '--json');
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout).summary).toMatchObject({ broken: 0, broken_policies: 1 });
  });

  test('ends with 2 when there is nothing to run', async () => {
    const table: readonly (readonly [readonly string[], string])[] = [
      [['--filter', 'nothing'], 'Cannot find a case for --filter "nothing"'],
      [['untested'], 'Cannot run anything: there are no cases (*.test.yaml), and no policy has examples'],
      [['nowhere'], 'Cannot test "nowhere": there is no such file or folder'],
      [['no*where'], 'Cannot test "no*where": it has neither tests (*.test.yaml) nor policies'],
      [['empty'], 'Cannot test "empty": it has neither tests (*.test.yaml) nor policies'],
      [['README.md'], 'Cannot test "README.md": it is neither a test (*.test.yaml) nor a policy file'],
      [['--filter', '/(/'], 'Cannot use --filter "/(/": '],
      [['--format', 'html'], 'Cannot use --format "html": give one of text, json, junit, github'],
      [['--seed', 'x'], 'Cannot use --seed "x": give a whole number from 0 to 999999999'],
      [['--min-coverage', '101'], 'Cannot use --min-coverage "101": give a number from 0 to 100'],
      [['--mutate', '--watch'], 'Cannot use --mutate with --watch'],
      [['--mutate', '--format', 'junit'], 'Cannot use --mutate with --format junit'],
      [['--lcov', 'no/such/folder/a'], 'Cannot write "no/such/folder/a"'],
      [['--changed'], 'Cannot use --changed=HEAD: git says'],
    ];
    const at = project({ 'README.md': '# x', 'untested/policy.yaml': POLICY });
    mkdirSync(join(at, 'empty'));
    for (const [args, message] of table) {
      const { exitCode, stderr } = await policyTest(at, ...args);
      expect([args, exitCode, stderr]).toEqual([args, 2, expect.stringContaining(`policy test: ${message}`)]);
    }
  });

  test('ends with 3 when policies cannot be loaded', async () => {
    const { exitCode, stdout } = await policyTest(
      project({ '.policy/b.yaml': 'version: 1\npolicies: [{id: a}]\n' }),
    );
    expect(exitCode).toBe(3);
    expect(stdout).toContain('.policy/b.yaml:2:12 error missing-key');
    // What the sound file beside it brings.
    expect(stdout).toContain('\n2 passed, some policies cannot be loaded ');
  });

  test('runs what the filter fits, by text or regex', async () => {
    const at = project();
    expect((await policyTest(at, '--filter', 'demo.test.yaml ls')).stdout).toStartWith(
      '.policy  1 passed\n1 passed  ',
    );
    expect((await policyTest(at, '-f', '/ (rm|ls)$/')).stdout).toContain('2 passed');
    expect((await policyTest(at, '-f', '/^rm/')).exitCode).toBe(2);
  });

  test('a seed changes the order and nothing else', async () => {
    const cases = Array.from(
      { length: 20 },
      (_, index) => `  - {name: n${index}, call: {command: ls}, expect: continue}\n`,
    );
    const at = project({ '.policy/demo.test.yaml': `cases:\n${cases.join('')}` });
    const names = async (...args: string[]) =>
      JSON.parse((await runCli(['test', '--json', ...args], { cwd: at })).stdout).results.map(
        ({ name }: { name: string }) => name,
      );
    const plain = await names();
    const seeded = await names('--seed', '7');
    expect(seeded).not.toEqual(plain);
    expect(seeded).toEqual(await names('--seed', '7'));
    expect(seeded.toSorted()).toEqual(plain.toSorted());
  });

  test('stops at the first failure with --bail', async () => {
    const at = project({
      '.policy/a.test.yaml':
        'cases: [{call: {command: ls}, expect: deny}, {call: {command: pwd}, expect: deny}]\n',
      'other/x.yaml': POLICY,
      'other/x.test.yaml': TESTS,
    });
    const { exitCode, stdout } = await policyTest(at, '--bail', '.policy', 'other');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('0 passed, 1 failed');
    expect(stdout).not.toContain('other');
  });

  test('fails if less is reached than wanted', async () => {
    const at = project();
    const { exitCode, stderr } = await policyTest(at, '--min-coverage', '90');
    expect([exitCode, stderr]).toEqual([
      1,
      'policy test: the coverage of alternatives is 50.0 %, less than 90 %\n',
    ]);
    expect((await policyTest(at, '--min-coverage', '50')).exitCode).toBe(0);
  });

  test('lists and writes coverage', async () => {
    const at = project();
    const { stdout } = await policyTest(at, '--coverage', '--lcov', 'lcov.info', '--html', 'coverage.html');
    expect(stdout).toContain('4:51  no case matches alternative "^mv " of "demo/no-rm"');
    expect(readFileSync(join(at, 'lcov.info'), 'utf8')).toContain('SF:.policy/demo.yaml\nFN:4,demo/no-rm\n');
    expect(readFileSync(join(at, 'coverage.html'), 'utf8')).toStartWith('<!doctype html>');
  });

  test('records outputs and then tests them', async () => {
    const raw = 'cases:\n  - host: gemini\n    stdin: {hook_event_name: SomethingNew}\n';
    const at = project({ '.policy/raw.test.yaml': raw });
    const { exitCode, stdout, stderr } = await policyTest(at, '--update');
    expect([exitCode, stderr]).toEqual([0, 'recorded 1 output in .policy/raw.test.yaml\n']);
    expect(stdout).toContain('3 passed');
    expect(readFileSync(join(at, '.policy/raw.test.yaml'), 'utf8')).toBe(
      `${raw}    expect:\n      stdout: {"exactly":"null"}\n      exit: 0\n`,
    );
    expect((await policyTest(at, '--update')).stderr).toBe('');
  });

  test('lists mutants that no case notices, and ends with 1', async () => {
    const at = project();
    const { exitCode, stdout } = await policyTest(at, '--mutate');
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      '.policy/demo.yaml:4:51 survived  policy "demo/no-rm" without alternative "^mv "\n  4 |',
    );
    expect(stdout).toMatch(/\n\d+ mutants, \d survived {2}N µs\n$/);
    const json = JSON.parse((await runCli(['test', '--mutate', '--json'], { cwd: at })).stdout);
    expect(json.survived[0]).toMatchObject({ policy: 'demo/no-rm', file: '.policy/demo.yaml', line: 4 });
    expect((await policyTest(at, '--mutate', '--filter', 'nothing')).exitCode).toBe(2);
    const red = await policyTest(
      project({ '.policy/b.test.yaml': 'cases: [{call: {command: ls}, expect: deny}]\n' }),
      '--mutate',
    );
    expect([red.exitCode, red.stderr]).toEqual([
      1,
      'policy test: Cannot mutate the policies: 1 case fails already; policy test shows which\n',
    ]);
  });

  test('shows no bar for a short run, not even on a terminal', async () => {
    const { stderr, stdout } = await runCli(['test'], {
      cwd: project(),
      isTTY: true,
      env: { NO_COLOR: '1' },
    });
    expect([stderr, stdout.includes('\u001b')]).toEqual(['', false]);
  });

  test('does not follow links out of what it is given', async () => {
    const at = project();
    const elsewhere = temporaryFolder({ 'x.test.yaml': 'cases: [{call: {command: ls}, expect: deny}]\n' });
    symlinkSync(elsewhere, join(at, '.policy/elsewhere'));
    expect((await policyTest(at)).stdout).toContain('policy/elsewhere');
  });
});

describe('policy test --changed', () => {
  function git(cwd: string, ...args: string[]): void {
    const identity = ['-c', 'user.email=a@example.com', '-c', 'user.name=a', '-c', 'commit.gpgsign=false'];
    const { exitCode, stderr } = Bun.spawnSync(['git', ...identity, ...args], { cwd });
    if (exitCode !== 0) throw new Error(stderr.toString());
  }

  function repository(): string {
    const at = temporaryFolder();
    for (const name of ['a', 'b']) {
      writeFiles(at, { [`packs/${name}/policy.yaml`]: POLICY, [`packs/${name}/policy.test.yaml`]: TESTS });
    }
    writeFiles(at, {
      'base.yaml': 'version: 1\npolicies: [{id: x, tool: read, action: deny, reason: No}]\n',
      'packs/b/policy.yaml': `extends: [../../base.yaml]\n${POLICY}`,
    });
    git(at, 'init', '--quiet');
    git(at, 'add', '.');
    git(at, 'commit', '--quiet', '-m', 'one');
    return at;
  }

  const suites = async (at: string, ...args: string[]) =>
    (await policyTest(at, 'packs', ...args)).stdout
      .split('\n')
      .flatMap((line) => /^packs\/\S+/.exec(line)?.[0] ?? []);

  test('runs suites whose own files differ, new ones included', async () => {
    const at = repository();
    expect(await policyTest(at, 'packs', '--changed')).toMatchObject({
      exitCode: 0,
      stderr: 'policy test: nothing to run: no suite differs from HEAD\n',
    });
    writeFileSync(join(at, 'packs/a/more.test.yaml'), TESTS);
    expect(await suites(at, '--changed')).toEqual(['packs/a']);
  });

  test('runs suites whose policies extend what differs', async () => {
    const at = repository();
    writeFileSync(
      join(at, 'base.yaml'),
      'version: 1\npolicies: [{id: y, tool: read, action: deny, reason: No}]\n',
    );
    expect(await suites(at, '--changed')).toEqual(['packs/b']);
  });

  test('compares with the revision that is named', async () => {
    const at = repository();
    writeFileSync(join(at, 'packs/a/policy.yaml'), `${POLICY}# changed\n`);
    git(at, 'commit', '--quiet', '-am', 'two');
    expect(await suites(at, '--changed')).toEqual([]);
    expect(await suites(at, '--changed=HEAD~1')).toEqual(['packs/a']);
    expect((await policyTest(at, '--changed=--output=x')).exitCode).toBe(2);
  });
});
