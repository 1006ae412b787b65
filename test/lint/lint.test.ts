import { describe, expect, test } from 'bun:test';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../cli/test-io.ts';
import { expectGolden } from '../support/golden.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const GOLDEN = join(import.meta.dir, 'golden');
const CASES = readdirSync(GOLDEN);
/** Some hosts, whatever others there are; all where what is said needs them. */
const HOSTS = ['picoclaw', 'gemini', 'jcli'];
const OTHER_HOSTS: Readonly<Record<string, readonly string[]>> = {
  'approve-nowhere': ['droid', 'goose', 'claude'],
  history: ['claude', 'jcli', 'kiro', 'cline'],
  ignored: [],
  'unused-ignores': [],
  'repeated-secrets': ['claude', 'codex'],
};

function check(cwd: string, ...args: readonly string[]) {
  return runCli(['check', ...args, 'policy.yaml'], { cwd, env: { HOME: '/nonexistent' } });
}

describe('policy check', () => {
  test.each(CASES)('finds what is odd in golden/%s', async (name) => {
    const { stdout, stderr, exitCode } = await check(
      join(GOLDEN, name),
      ...(OTHER_HOSTS[name] ?? HOSTS).flatMap((host) => ['--host', host]),
    );
    expect(stderr).toBe('');
    expectGolden(import.meta.dir, join(name, 'findings.txt'), `${stdout}exit ${exitCode}\n`);
  });

  test('says of a host that is named what does not work there, and nothing of others', async () => {
    const { stdout } = await check(join(GOLDEN, 'host-limits'), '--host', 'picoclaw');
    expect(stdout).toContain('on picoclaw before_tool: it becomes "deny" there');
    expect(stdout).not.toMatch(/gemini|jcli/);
  });

  test.each(['json', 'sarif', 'github'])('has the same findings as %s', async (format) => {
    const { stdout, exitCode } = await check(join(GOLDEN, 'shadowed'), '--format', format);
    expect(exitCode).toBe(1);
    if (format === 'github') {
      expect(stdout).toMatch(/^::warning file=policy\.yaml,line=9,col=9,.*title=shadowed::/m);
      expect(stdout).toMatch(/^::notice file=policy\.yaml,line=18,.*title=host-degrades::/m);
      return;
    }
    const data = JSON.parse(stdout);
    if (format === 'json') {
      expect(data).toMatchObject({ errors: 0, warnings: 2, notes: 3 });
      expect(data.diagnostics[0]).toMatchObject({ code: 'shadowed', docs: 'docs/lint.md#shadowed', line: 9 });
    } else {
      const [run] = data.runs;
      expect(run.results[0]).toMatchObject({ ruleId: 'shadowed', level: 'warning' });
      expect(run.results.at(-1)).toMatchObject({ ruleId: 'host-degrades', level: 'note' });
      expect(run.tool.driver.rules[run.results[0].ruleIndex].id).toBe('shadowed');
    }
  });

  test.each([
    ['one', '{version: 1, policies: [{id: a, command: rm}]}', 'name the file *.yaml without ".test"'],
    ['one', '{cases: [{call: {comand: rm}, expect: deny}]}', 'did you mean "command"?'],
    ['one', '{cases: [{call: {command: a,b}, expect: deny}]}', 'put text with a comma into quotes'],
    ['other', '{cases: [{call: {comand: rm}, expect: deny}]}', undefined],
  ])('names what nobody reads in a test file: %s.test.yaml %s', async (name, text, hint) => {
    const policy =
      'version: 1\npolicies:\n  - {id: a, command: rm, action: deny, reason: r, examples: {hit: [{command: rm a}]}}\n';
    const cwd = temporaryFolder({ 'one.yaml': policy, [`${name}.test.yaml`]: text });
    const found = async (path: string) => {
      const { stdout } = await runCli(['check', '--json', path], { cwd, env: { HOME: '/nonexistent' } });
      return JSON.parse(stdout).diagnostics.map(
        ({ severity, hint }: { severity: string; hint: string }) => `${severity} ${hint}`,
      );
    };
    expect(await found('.')).toEqual([`warning ${hint ?? 'did you mean "command"?'}`]);
    expect(await found('one.yaml')).toEqual(hint === undefined ? [] : [`warning ${hint}`]);
  });

  test('takes a policy for tested whose examples rest while others set its parameters', async () => {
    const cwd = temporaryFolder({
      'a.yaml': `version: 1
parameters: {hosts: {type: list of hosts, default: [a.example], may: extend}}
policies: [{id: a, url: {except: {$parameter: hosts}}, action: deny, reason: r, examples: {hit: [{command: curl b.example}]}}]
`,
      'b.yaml': 'version: 1\nextends: [a.yaml]\nsettings: {a/hosts: [b.example]}\n',
    });
    const { stdout } = await runCli(['check', 'b.yaml'], { cwd, env: { HOME: '/nonexistent' } });
    expect(stdout).toStartWith('No problems in 1 policy');
  });

  test('says which exceptions have ended or can never hold', async () => {
    const rest = 'owner: ada, reason: r, expires';
    const cwd = temporaryFolder({
      'policy.yaml': `version: 1
policies: [{id: a, command: rm, action: deny, reason: r, examples: {hit: [{command: rm a}]}}]
exceptions:
  - {policy: policy/a, tool: shell, ${rest}: 2020-01-31}
  - {policy: policy/a, context: {repository: acme/shop}, ${rest}: 9999-12-30}
  - {policy: policy/a, context: {repository: github.com/acme/shop}, ${rest}: 9999-12-30}
`,
    });
    const { stdout } = await check(cwd);
    const found = stdout.split('\n').filter((line) => line.startsWith('policy.yaml:'));
    expect(found).toEqual([
      'policy.yaml:4:14 note exception  Cannot except calls from "policy/a": the exception ended at 2020-02-01T00:00Z',
      'policy.yaml:5:14 note never-matches  Cannot match context "repository" unless a host has the name in front of the slash: it is the host, the owner and the name of a repository',
    ]);
  });

  test.each(['repeated', 'unused-ignores'])('fixes what can be fixed in golden/%s', async (name) => {
    const folder = temporaryFolder();
    cpSync(join(GOLDEN, name), folder, { recursive: true });
    const { stdout, stderr } = await check(folder, '--fix');
    expect(stderr).toMatch(/^Fixed \d+ findings? in 1 file\n$/);
    expectGolden(
      import.meta.dir,
      join(name, 'fixed.yaml'),
      readFileSync(join(folder, 'policy.yaml'), 'utf8'),
    );
    expect(stdout).not.toContain('warning duplicate');
    expect((await check(folder, '--fix')).stderr).toBe('');
  });
});
