import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { onTerminal } from '../../support/pty.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const COLOUR = '\u001b[';
const LONG = `version: 1
policies:
  - {id: a, tool: shell, action: deny, description: ${'long '.repeat(30)}, reasn: x, priority: 1}
`;

/** What a command shows on a terminal of so many columns, line by line. */
async function shown(args: readonly string[], columns: number, cwd: string, env = {}) {
  const terminal = onTerminal(args, { cwd, columns, env: { HOME: cwd, ...env } });
  await terminal.ended;
  return terminal.shown().replaceAll('\r\n', '\n');
}

function piped(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): string {
  const { stdout, stderr } = Bun.spawnSync([BINARY, ...args], { cwd, env: { HOME: cwd, ...env } });
  return stdout.toString() + stderr.toString();
}

describe('on a terminal', () => {
  test('policy hook says that it waits, and still answers', async () => {
    const cwd = temporaryFolder();
    const args = ['hook', '--host', 'claude', '--policies', 'builtin:baseline'];
    const terminal = onTerminal(args, { cwd, env: { HOME: cwd } });
    await terminal.sees("policy hook: waiting for an agent's event on standard input");
    await terminal.sees('policy explain');
    const call = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash' };
    terminal.types(`${JSON.stringify({ ...call, tool_input: { command: 'git push -f' } })}\r\u0004`);
    await terminal.sees('"permissionDecision":"deny"');
    expect(await terminal.ended).toBe(2);
  });

  test.each([
    [['--help'], 60],
    [['test', '--help'], 60],
    [['install', '--help'], 72],
  ])('%p fits into it', async (args, columns) => {
    const lines = (await shown(args, columns, temporaryFolder())).split('\n');
    expect(lines.length).toBeGreaterThan(20);
    // Examples stay as they are typed.
    const text = lines.slice(0, lines.indexOf('Example'));
    expect(text.filter((line) => line.length > columns)).toEqual([]);
  });

  test('the caret of a problem stands below its place', async () => {
    const cwd = temporaryFolder({ 'a.yaml': LONG });
    const text = await shown(['check', 'a.yaml'], 70, cwd, { NO_COLOR: '1' });
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.includes('^'));
    const source = lines[at - 1] ?? '';
    expect(source).toContain('reasn');
    expect(source.length).toBeLessThanOrEqual(70);
    expect(lines[at]?.indexOf('^')).toBe(source.indexOf('reasn'));
  });
});

describe('the pager', () => {
  const page = (env: Readonly<Record<string, string>>) => shown(['docs', 'url'], 80, temporaryFolder(), env);

  test('is the one that PAGER names', async () => {
    expect(await page({ PAGER: 'cat -n' })).toMatch(/^ +1\s+\S*# Matching URLs/);
  });

  test.each([{ PAGER: 'no-such-pager' }, { PAGER: '' }, { PAGER: 'cat' }])('is none with %j', async (env) => {
    const text = await page({ ...env, NO_COLOR: '1' });
    expect(text).toStartWith('# Matching URLs\n');
    expect(text.split('\n').filter((line) => line.length > 80 && !line.startsWith('    '))).toEqual([]);
  });

  test('is none where nobody reads along', () => {
    expect(piped(['docs', 'url'], temporaryFolder(), { PAGER: 'cat -n' })).toStartWith('# Matching URLs\n');
    expect(piped(['docs', 'builtin:secrets'], temporaryFolder(), { PAGER: 'cat -n' })).toStartWith('#');
  });
});

test('policy check names the topics that explain what it found', async () => {
  const cwd = temporaryFolder({
    'a.yaml': 'version: 1\npolicies: [{id: a, url: {hots: x}, action: denny}]\n',
  });
  expect(await shown(['check', 'a.yaml'], 80, cwd)).toEndWith(
    '\nRead more: policy docs url, policy docs bad-value\n',
  );
  expect(piped(['check', 'a.yaml'], cwd)).not.toContain('policy docs');
});

describe('colours', () => {
  const args = ['check', 'a.yaml'];
  function place(): string {
    return temporaryFolder({ 'a.yaml': 'version: 1\npolices: []\n' });
  }

  test('are on a terminal only, unless FORCE_COLOR or NO_COLOR says otherwise', async () => {
    const cwd = place();
    expect(await shown(args, 100, cwd)).toContain(COLOUR);
    expect(await shown(args, 100, cwd, { NO_COLOR: '1' })).not.toContain(COLOUR);
    expect(await shown(args, 100, cwd, { FORCE_COLOR: '0' })).not.toContain(COLOUR);
    expect(await shown(args, 100, cwd, { TERM: 'dumb' })).not.toContain(COLOUR);
    expect(piped(args, cwd)).not.toContain(COLOUR);
    expect(piped(args, cwd, { FORCE_COLOR: '' })).not.toContain(COLOUR);
    expect(piped(args, cwd, { FORCE_COLOR: '1' })).toContain(COLOUR);
    expect(piped(args, cwd, { FORCE_COLOR: '1', NO_COLOR: '1' })).toContain(COLOUR);
  });
});

describe('a terminal without Unicode', () => {
  const POLICIES =
    'version: 1\nname: git\npolicies: [{id: push, command: {subcommand: [git, push]}, action: deny, reason: not now}]\n';
  const args = [
    'explain',
    '--host',
    'gemini',
    '--policies',
    'git.yaml',
    '-c',
    `git push "$REMOTE" ${'a-very-long-branch '.repeat(9)}`,
  ];
  function place(): string {
    return temporaryFolder({ 'git.yaml': POLICIES });
  }

  test.each([{ LC_ALL: 'C' }, { LANG: 'en_US.ISO-8859-1' }, { TERM: 'linux', LANG: 'C.UTF-8' }])(
    'is shown ASCII, which fits into 40 columns, with %j',
    async (env) => {
      const text = await shown(args, 40, place(), { ...env, NO_COLOR: '1' });
      expect(text).toMatch(/^[\n -~]*$/);
      expect(text).toStartWith('x deny  git/push');
      expect(text).toContain('git push <$REMOTE>');
      expect(text.split('\n').filter((line) => line.length > 40)).toEqual([]);
    },
  );

  test.each([{}, { LANG: 'C', LC_ALL: 'C.UTF-8' }, { LANG: 'de_DE.utf8' }])(
    'is none with %j',
    async (env) => {
      expect(await shown(args, 40, place(), { ...env, NO_COLOR: '1' })).toStartWith('✗ deny  git/push');
    },
  );

  test('is nothing to a pipe, nor to data', async () => {
    const cwd = place();
    expect(piped(args, cwd, { LC_ALL: 'C' })).toContain('‹$REMOTE›');
    expect(await shown([...args.slice(0, -1), 'echo …', '--json'], 80, cwd, { LC_ALL: 'C' })).toContain('…');
  });
});

describe('from a folder below the project', () => {
  function project(): { readonly root: string; readonly below: string } {
    const root = temporaryFolder();
    const below = join(root, 'src/deep');
    for (const folder of [below, join(root, '.git'), join(root, '.policy')])
      mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(root, '.policy/a.yaml'),
      'policies:\n- {id: x, tool: shell, action: deny, examples: {hit: [{command: ls}]}}\nversion: 1\n',
    );
    return { root, below };
  }

  test('test and fmt find its policies', () => {
    const { root, below } = project();
    expect(piped(['test'], below)).toContain('1 passed');
    expect(piped(['fmt'], below)).toContain('1 file formatted');
    expect(piped(['fmt', '--check'], root)).toContain('nothing to format');
  });

  test('but not those outside of its repository', () => {
    const { root, below } = project();
    mkdirSync(join(root, 'src/.git'));
    // The hook takes those of the repository around it as well.
    expect(piped(['test'], below)).toContain('1 passed');
    const other = temporaryFolder();
    mkdirSync(join(other, '.policy'));
    mkdirSync(join(other, 'repository/.git'), { recursive: true });
    expect(piped(['fmt'], join(other, 'repository'))).toContain('Cannot find a folder .policy');
  });
});
