import { describe, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectGolden } from '../../support/golden.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCli } from '../test-io.ts';

const GOLDEN = join(import.meta.dir, 'golden');

/** The goldens by name: the host and its file. */
const FILES: Readonly<Record<string, readonly [string, string]>> = {
  claude: ['claude', 'claude.json'],
  codex: ['codex', 'codex.rules'],
  gemini: ['gemini', 'gemini.toml'],
  'gemini-settings': ['gemini', 'gemini.json'],
  opencode: ['opencode', 'opencode.json'],
  cursor: ['cursor', 'cursor.json'],
  copilot: ['copilot', 'copilot.flags'],
};

/** Hosts that ask no hook for approval. */
const ASK_NOBODY = ['gemini', 'opencode'];

/** A repository of its own, so that approvals have a scope. */
function repository(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git/config'), '[remote "origin"]\n\turl = https://github.com/acme/shop.git\n');
  return folder;
}

test('takes your own file where the project has none', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.claude'));
  copyFileSync(join(GOLDEN, 'claude.json'), join(home, '.claude/settings.json'));
  const { stdout } = await runCli(['import', 'claude'], { cwd: repository(), env: { HOME: home } });
  expect(stdout).toStartWith(`# From ${home}/.claude/settings.json, `);
});

describe.each(Object.entries(FILES))('import %s', (name, [host, file]) => {
  const options = ASK_NOBODY.includes(host) ? [] : ['--approvals'];

  test('prints policies, and what is not in them', async () => {
    const cwd = repository();
    copyFileSync(join(GOLDEN, file), join(cwd, file));
    const { exitCode, stdout, stderr } = await runCli(['import', host, file, ...options], { cwd });
    expect(exitCode).toBe(0);
    expectGolden(import.meta.dir, `${name}.yaml`, stdout);
    expectGolden(import.meta.dir, `${name}.err`, stderr);
  });

  test('its policies are sound and formatted, and do what the rules of the host do', async () => {
    const cwd = repository();
    for (const each of [`${name}.yaml`, `${name}.test.yaml`])
      copyFileSync(join(GOLDEN, each), join(cwd, each));
    const checked = await runCli(['check', `${name}.yaml`], { cwd });
    expect(checked).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining(' warning ') });
    expect(await runCli(['fmt', '--check', `${name}.yaml`], { cwd })).toMatchObject({ exitCode: 0 });
    const tested = await runCli(['test', `${name}.test.yaml`, `${name}.yaml`], { cwd });
    expect(tested).toMatchObject({ exitCode: 0, stdout: expect.not.stringMatching(/[1-9]\d* failed/) });
  });

  const rules = rulesOf(readFileSync(join(GOLDEN, file), 'utf8'), file);
  // The goldens show it of grammars whose rules are no texts.
  test.if(rules.length > 0)('every rule is in the policies or named', async () => {
    const cwd = repository();
    copyFileSync(join(GOLDEN, file), join(cwd, file));
    // With the other options the golden shows it.
    const others = options.length === 0 ? ['--approvals'] : [];
    const { stdout, stderr } = await runCli(['import', host, file, ...others], { cwd });
    const golden = ['yaml', 'err'].map((end) => readFileSync(join(GOLDEN, `${name}.${end}`), 'utf8'));
    for (const said of [`${stdout}\n${stderr}`, golden.join('\n')])
      for (const rule of rules) expect(said).toContain(rule);
  });
});

/** The texts of rules that their host has in quotes or brackets. */
function rulesOf(text: string, file: string): readonly string[] {
  if (file === 'claude.json' || file === 'cursor.json')
    return [...text.matchAll(/"(\w+\([^"]*\)|mcp__\w+)"/g)].map(([, rule = '']) =>
      rule.startsWith('Read(!') ? rule.slice('Read(!'.length, -1) : rule,
    );
  if (file === 'copilot.flags') return [...text.matchAll(/'(\w+\([^']*\))'/g)].map(([, rule = '']) => rule);
  if (file === 'opencode.json')
    return [...text.matchAll(/"([^"]*[ *][^"]*)":/g)].map(([, rule = '']) => rule);
  return [];
}

/** Files with calls that their host refuses or asks about, and calls that it does not. */
const DECIDED: readonly (readonly [
  host: string,
  file: string,
  refused: readonly Call[],
  others: readonly Call[],
])[] = [
  [
    'claude',
    '{"permissions": {"deny": ["Bash(rm -rf ~)", "Bash(cat $HOME/.netrc)", "Bash(git checkout -- *)", "Bash(find * -delete)"]}}',
    ['rm -rf ~', 'cat $HOME/.netrc', 'git checkout -- a', 'find . -name x -delete'],
    ['rm -rf a', 'cat a', 'git checkout main', 'find . -name x'],
  ],
  [
    'claude',
    '{"permissions": {"deny": ["Bash(gh * delete *)", "Bash(make build)", "NotebookEdit"]}}',
    ['gh repo delete a/b', 'make build', { tool: 'NotebookEdit', notebook_path: 'a.ipynb' }],
    [
      'gh repo view a/b',
      'make -n build',
      { tool: 'Edit', file_path: 'a' },
      { tool: 'Write', file_path: 'a' },
    ],
  ],
  [
    'codex',
    '[rules]\nprefix_rules = [{pattern = [{token = "git"}, {any_of = ["push", "tag"]}], decision = "forbidden"}]',
    ['git push x', 'git tag a'],
    ['git log'],
  ],
  [
    'codex',
    '[mcp_servers.a]\nenabled_tools = ["get"]\n[mcp_servers.b]\ndisabled_tools = ["drop"]',
    [{ tool: 'mcp__a__put' }, { tool: 'mcp__b__drop' }],
    [{ tool: 'mcp__a__get' }, { tool: 'mcp__b__get' }],
  ],
  [
    'opencode',
    '{"permission": {"bash": {"*": "ask", "git status": "allow", "sudo *": "deny", "test?": "allow"}}}',
    ['git status -s', 'sudo ls', 'ls'],
    ['git status'],
  ],
  [
    'cursor',
    '{"permissions": {"deny": ["Write(dist/)", "Shell(*sh)"]}}',
    [{ tool: 'Write', path: 'dist/a', content: 'a' }, 'zsh a', 'sh a'],
    [{ tool: 'Write', path: 'src/a', content: 'a' }, 'ls'],
  ],
  [
    'copilot',
    "copilot --available-tools='shell, view'",
    [
      { tool: 'web_fetch', url: 'https://example.org' },
      { tool: 'create', path: 'a', content: 'a' },
    ],
    ['ls', { tool: 'view', path: 'a' }],
  ],
];

type Call = string | Readonly<Record<string, string>>;

test.each(DECIDED)('import %s %s decides as the host does', async (host, file, refused, others) => {
  const cwd = temporaryFolder();
  const { stdout, stderr } = await runCli(['import', host, '-'], { cwd, stdin: file });
  expect(stderr).not.toContain(' lost ');
  const caseOf = (call: Call, expected: string) => ({
    name: JSON.stringify(call),
    call: typeof call === 'string' ? { command: call } : { a: 'b', ...call },
    hosts: [host],
    expect: expected,
  });
  const cases = [
    ...refused.map((call) => caseOf(call, 'deny')),
    ...others.map((call) => caseOf(call, 'continue')),
  ];
  writeFileSync(join(cwd, 'a.yaml'), stdout);
  writeFileSync(join(cwd, 'a.test.yaml'), JSON.stringify({ policies: ['a.yaml'], cases }));
  const tested = await runCli(['test', 'a.test.yaml'], { cwd });
  expect(tested).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${cases.length} passed`) });
});

describe('import of what is no such file', () => {
  const files: readonly (readonly [string, string, string, string])[] = [
    [
      'claude',
      'a.json',
      '{"permissions": {"deny": ["Bash(a)" "b"]}}',
      'a.json:1:37: Cannot read the file: it is not valid JSON',
    ],
    ['claude', 'a.json', '', 'it is not valid JSON'],
    ['claude', 'a.json', '[]', 'it holds no JSON object'],
    ['claude', 'a.json', '['.repeat(200_000), 'brackets are more than 100 deep'],
    ['cursor', 'a.json', `{"permissions": ${'{"a":'.repeat(200_000)}`, 'brackets are more than 100 deep'],
    ['opencode', 'a.json', `{"permission": ${'['.repeat(200_000)}`, 'brackets are more than 100 deep'],
    ['codex', 'a.rules', `x = ${'['.repeat(200_000)}`, 'brackets are more than 100 deep'],
    ['codex', 'a.rules', 'prefix_rule(pattern = ["a"', 'a.rules:1:'],
    ['codex', 'a.rules', 'prefix_rule(pattern = ["a', 'this string has no end'],
    ['gemini', 'a.toml', `x = ${'['.repeat(200_000)}`, 'brackets are more than 100 deep'],
    ['gemini', 'a.toml', '[[rule]\n', 'it is not valid TOML'],
    ['gemini', 'a.toml', '[[rule]]\ntoolName = [\n"a",\n]\n  decision = deny\n', 'a.toml:5:3: '],
    ['codex', 'requirements.toml', '[rules]\nprefix_rules = [\n', 'requirements.toml:2:1: '],
    ['copilot', 'a.json', `{"a": ${'['.repeat(200_000)}`, 'brackets are more than 100 deep'],
  ];

  test.each(files)('%s %s is refused with its place', async (host, file, text, message) => {
    const cwd = temporaryFolder({ [file]: text });
    const { exitCode, stdout, stderr } = await runCli(['import', host, file], { cwd });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('a file that is not there, a host that is not known', async () => {
    const cwd = temporaryFolder();
    const missing = await runCli(['import', 'claude'], { cwd });
    expect(missing.exitCode).toBe(2);
    expect(missing.stderr).toContain('".claude/settings.json": there is no such file');
    const unknown = await runCli(['import', 'cluade'], { cwd });
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('Cannot import from "cluade": did you mean "claude"?');
  });

  test('rules that are no text, templates in them and endless names do no harm', async () => {
    const cwd = temporaryFolder();
    const deny = [
      5,
      null,
      {},
      '',
      '(',
      'Bash(echo {{x}})',
      'Bash(\u0007\n# b)',
      `Bash(${'a'.repeat(5_000)})`,
      `Read(${'*/'.repeat(500)})`,
    ];
    writeFileSync(join(cwd, 'a.json'), JSON.stringify({ permissions: { deny, allow: 'Bash', ask: {} } }));
    const { exitCode, stdout, stderr } = await runCli(['import', 'claude', 'a.json', '--approvals'], { cwd });
    expect(exitCode).toBe(0);
    writeFileSync(join(cwd, 'a.yaml'), stdout);
    expect(await runCli(['check', 'a.yaml'], { cwd })).toMatchObject({ exitCode: 0 });
    for (const rule of ['5', 'null', 'a list or an object', '"allow"', '"ask"'])
      expect(stderr).toContain(rule);
  });

  test.each([
    ['claude', '{"permissions": []}', '"permissions": it is no object'],
    ['cursor', '{"permissions": {"deny": "Shell(rm)"}}', '"deny": it is no list'],
    ['opencode', '{"permission": []}', '"permission": it is no object'],
    ['gemini', '{"tools": {"exclude": "glob"}}', '"tools.exclude": it is no list'],
    ['gemini', 'rule = 1\n', '"rule": it is no list'],
    ['copilot', 'copilot --deny-tool', '--deny-tool: it has no value'],
    ['claude', '{"name": "shop"}', 'no permissions of Claude Code are in this file'],
    ['codex', '', 'no permissions of Codex CLI are in this file'],
    ['codex', 'sandbox_mode = "read-only"\n[history]\nmax_bytes = 1\n', '-:1:1 warning lost  "sandbox_mode"'],
    [
      'codex',
      '[rules]\nprefix_rules = [{pattern = [], decision = "prompt"}]',
      '-:2:18 warning lost  prefix_rule(',
    ],
    ['claude', '{"permissions": {"deny": ["Read(/etc/shadow)"]}}', 'two slashes'],
    ['gemini', '[[rule]]\ntoolName = "a"\ndecision = "deny"\npriority = 1000\n', 'from 0 to 999'],
  ])('%s %s is named', async (host, text, message) => {
    const cwd = temporaryFolder();
    const { exitCode, stderr } = await runCli(['import', host, '-'], { cwd, stdin: text });
    expect(exitCode).toBe(0);
    expect(stderr).toContain(message);
  });

  test('an approval that no policy gives takes no other one with it', async () => {
    const cwd = repository();
    const allow = ['Bash(./gradlew build)', 'Bash(git status)', 'Bash(FOO=1 make:*)', 'Read(docs/**)'];
    const stdin = JSON.stringify({ permissions: { allow } });
    const { stdout, stderr } = await runCli(['import', 'claude', '-', '--approvals'], { cwd, stdin });
    expect(stderr).toContain('lost  allow Bash(./gradlew build)');
    expect(stderr).toContain('lost  allow Bash(FOO=1 make:*)');
    expect(stdout).toContain('[git, status]');
    expect(stdout).toContain('./docs/**');
  });

  test('a rule that is several policies here is named once', async () => {
    const cwd = temporaryFolder();
    const rule =
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["a", "b"]\ndecision = "allow"\nmodes = ["yolo"]\n';
    const { stderr } = await runCli(['import', 'gemini', '-', '--approvals'], { cwd, stdin: rule });
    expect(stderr.match(/does not tell hooks its mode/g)).toHaveLength(1);
  });

  test('a refusal from which another rule cannot be left out stays, and says so', async () => {
    const cwd = temporaryFolder();
    const bash = { '*': 'deny', 'git *': 'allow', 'make > *': 'allow' };
    const stdin = JSON.stringify({ permission: { bash } });
    const { stdout, stderr } = await runCli(['import', 'opencode', '-'], { cwd, stdin });
    expect(stdout).toContain('except: [git]');
    expect(stderr).toContain('it is about allow bash "make > *" too, which cannot be left out');
  });

  test('nothing to import is a file without policies', async () => {
    const cwd = temporaryFolder();
    const { stdout } = await runCli(['import', 'claude', '-'], { cwd, stdin: '{}' });
    writeFileSync(join(cwd, 'a.yaml'), stdout);
    expect(await runCli(['check', 'a.yaml'], { cwd })).toMatchObject({ exitCode: 0 });
  });
});
