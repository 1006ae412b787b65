import { describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject, ownObject } from '../../../src/lib/json.ts';
import { TESTED_HOSTS, testedHost } from './host-reading.ts';
import { answerIn } from './in-process.ts';
import { request, resultOf, startLines } from './line-client.ts';
import { messageText } from './messages.ts';
import { type Workplace, workplace } from './workplace.ts';

const gemini = testedHost('gemini');

interface Asked {
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly toolArguments?: JsonObject;
}

/** What becomes of a shell command in a session in the project's folder: `prevented`, or the command that runs. */
async function fate(place: Workplace, command: string, asked: Asked = {}): Promise<string> {
  const input = messageText(gemini.host, {
    on: 'before_tool',
    tool: 'shell',
    arguments: { command, ...asked.toolArguments },
    context: { cwd: asked.cwd ?? place.project },
  });
  // The process stands elsewhere: the session's directory is what counts.
  const start = { env: asked.env ?? {}, cwd: place.folder };
  const said = await answerIn(place, ['--host', 'gemini', ...(asked.args ?? [])], input, start);
  if (gemini.read('before_tool', said) === 'prevented') return 'prevented';
  const answer = JSON.parse(said.stdout) as Json;
  const specific = isJsonObject(answer) ? ownObject(answer, 'hookSpecificOutput') : undefined;
  return String(ownObject(specific ?? {}, 'tool_input')?.['command'] ?? command);
}

/** A file with one policy that denies a command. */
function denying(id: string, command: string, more = ''): string {
  return `version: 1\n${more}\npolicies: [{id: ${id}, tool: shell, arguments: {command: '^${command}$'}, action: deny}]\n`;
}

async function trust(place: Workplace): Promise<void> {
  const said = await place.run({ args: ['trust', '--yes'] });
  expect([said.exitCode, said.stderr]).toEqual([0, expect.any(String)]);
}

const HOUSE = `
version: 1
policies:
  - {id: no-push, tool: shell, arguments: {command: '^git push'}, action: deny, reason: Pushing is for people}
  - id: long-lists
    tool: shell
    arguments: {command: '^ls$'}
    action: modify
    rewrite: {set: {command: ls -l}}
`;

describe('a project', () => {
  test('refuses at once and rewrites when it is trusted', async () => {
    const place = workplace({ 'project/.policy/house.yaml': HOUSE });
    expect(await fate(place, 'git push')).toBe('prevented');
    expect(await fate(place, 'ls')).toBe('ls');
    await trust(place);
    expect(await fate(place, 'git push')).toBe('prevented');
    expect(await fate(place, 'ls')).toBe('ls -l');
  });

  test('that has changed since it was trusted is refused what its changed parts match', async () => {
    const place = workplace({ 'project/.policy/house.yaml': HOUSE });
    await trust(place);
    place.write({ 'project/.policy/house.yaml': HOUSE.replace('ls -l', 'rm -rf src') });
    expect(await fate(place, 'ls')).toBe('prevented');
    expect(await fate(place, 'true')).toBe('true');
    place.write({ 'project/.policy/house.yaml': HOUSE });
    expect(await fate(place, 'ls')).toBe('ls -l');
    place.write({ 'project/.policy/more.yaml': HOUSE.replaceAll('ls', 'cat').replace('no-push', 'x') });
    expect(await fate(place, 'cat')).toBe('prevented');
  });

  test('that was trusted elsewhere is not trusted here', async () => {
    const place = workplace({ 'project/.policy/house.yaml': HOUSE });
    await trust(place);
    mkdirSync(join(place.folder, 'clone/.git'), { recursive: true });
    place.write({ 'clone/.policy/house.yaml': HOUSE });
    expect(await fate(place, 'ls', { cwd: join(place.folder, 'clone') })).toBe('ls');
  });

  test('cannot approve what it demands an approval for until it is trusted', async () => {
    const place = workplace();
    const approving =
      "version: 1\ndefaults: {unmatched: deny}\npolicies: [{id: a, tool: shell, arguments: {command: '^ls$'}, action: approve}]\n";
    place.write({ 'project/.policy/house.yaml': approving });
    expect(await fate(place, 'ls')).toBe('prevented');
    await trust(place);
    expect(await fate(place, 'ls')).toBe('ls');
    expect(await fate(place, 'cat')).toBe('prevented');
  });

  test('approves nothing that the user demands an approval for, trusted or not', async () => {
    const place = workplace({
      'home/.config/policy/me.yaml':
        "version: 1\ndefaults: {unmatched: deny}\npolicies: [{id: a, tool: shell, arguments: {command: '^cat$'}, action: approve}]\n",
      'project/.policy/house.yaml': 'version: 1\npolicies: [{id: all, action: approve}]\n',
    });
    await trust(place);
    expect(await fate(place, 'ls')).toBe('prevented');
    expect(await fate(place, 'cat')).toBe('cat');
  });

  test('answers calls and runs programs only when it is trusted', async () => {
    const place = workplace();
    const mark = join(place.folder, 'has-run');
    place.write({
      'project/.policy/tools.yaml': `
version: 1
tools:
  - name: oracle
    description: Knows everything
    parameters: {type: object}
    run: [sh, -c, 'cat > /dev/null; touch ${mark}; echo forty-two']
policies:
  - {id: canned, tool_matcher: read_file, action: respond, result: {for_llm: made up}}
`,
    });
    const ask = async (tool: string) => {
      const client = startLines(place, []);
      client.send(`${request(1, 'hook.before_tool', { tool, arguments: {} })}\n`);
      const result = resultOf(await client.answerTo(1));
      client.close();
      await client.ended;
      return result;
    };
    expect((await ask('read_file'))['action']).toBe('continue');
    expect((await ask('oracle'))['action']).toBe('continue');
    expect(await Bun.file(mark).exists()).toBe(false);
    await trust(place);
    expect(await ask('read_file')).toMatchObject({ action: 'respond', result: { for_llm: 'made up' } });
    expect(await ask('oracle')).toMatchObject({ action: 'respond', result: { for_llm: 'forty-two' } });
    expect(await Bun.file(mark).exists()).toBe(true);
  });

  test('extends nothing outside of its repository, not even through a link', async () => {
    const place = workplace({
      'outside/x.yaml': denying('x', 'ls'),
      'project/.policy/house.yaml': 'version: 1\nextends: [../../outside/x.yaml]\n',
    });
    expect(await fate(place, 'true')).toBe('prevented');
    place.write({
      'project/lib/x.yaml': denying('x', 'ls'),
      'project/.policy/house.yaml': 'version: 1\nextends: [../lib/x.yaml]\n',
    });
    expect(await fate(place, 'true')).toBe('true');
    expect(await fate(place, 'ls')).toBe('prevented');
    rmSync(join(place.project, 'lib/x.yaml'));
    symlinkSync(join(place.folder, 'outside/x.yaml'), join(place.project, 'lib/x.yaml'));
    expect(await fate(place, 'true')).toBe('prevented');
  });

  test('weakens nothing by refusals that step back where the host does not have them', async () => {
    const place = workplace();
    const stepBack = (action: string, more = '') =>
      `  - {id: ${action}, action: ${action}, on_unsupported: continue${more}}\n`;
    place.write({
      'home/.config/policy/me.yaml': HOUSE,
      'project/.policy/p.yaml': `version: 1\npolicies:\n${stepBack('hard_abort')}${stepBack('abort_turn')}`,
      'project/.policy/q.yaml': `version: 1\npolicies:\n${stepBack('ask')}${stepBack('retry_feedback', ', feedback: x')}`,
    });
    for (const { title, host, version, read } of TESTED_HOSTS.filter(
      ({ host: { name } }) => name === 'jcli',
    )) {
      const run = (command: string) =>
        place.run({
          args: ['hook', '--host', host.name, ...(version === undefined ? [] : ['--host-version', version])],
          input: messageText(host, {
            on: 'before_tool',
            tool: 'shell',
            arguments: { command },
            context: { cwd: place.project },
          }),
        });
      for (const command of ['rm -rf /', 'git push'])
        expect([title, command, read('before_tool', await run(command))]).toEqual([
          title,
          command,
          'prevented',
        ]);
      expect((await run('ls')).stdout).toContain('ls -l');
    }
    rmSync(join(place.project, '.policy/p.yaml'));
    expect(await fate(place, 'git push')).toBe('prevented');
    expect(await fate(place, 'ls')).toBe('ls -l');
  });

  test('redefines no policy of the user', async () => {
    const place = workplace({
      'home/.config/policy/same.yaml': denying('a', 'git push'),
      'project/.policy/same.yaml':
        "version: 1\npolicies: [{id: a, tool: shell, arguments: {command: '^x$'}, action: deny}]\n",
    });
    expect(await fate(place, 'git push')).toBe('prevented');
    expect(await fate(place, 'x')).toBe('prevented');
    expect(await fate(place, 'true')).toBe('true');
    const shown = await place.run({ args: ['explain', '--effective'], cwd: place.project });
    expect(shown.stdout).toMatch(/deny +same\/a@project/);
    expect(shown.stdout).toContain('Policy "same/a" holds as "same/a@project"');
  });
});

describe('discovery', () => {
  test('looks at and above the session’s directory, up to the repository’s root and no further', async () => {
    const place = workplace({
      '.policy/above.yaml': denying('a', 'above'),
      'project/.policy/root.yaml': denying('a', 'root'),
      'project/sub/.policy/sub.yaml': denying('a', 'sub'),
      'project/sub/deep/.policy/deep.yaml': denying('a', 'deep'),
      'project/other/.policy/other.yaml': denying('a', 'other'),
      'project/sub/deep/code.ts': '',
    });
    const cwd = join(place.project, 'sub/deep');
    expect(await fate(place, 'deep', { cwd })).toBe('prevented');
    expect(await fate(place, 'sub', { cwd })).toBe('prevented');
    expect(await fate(place, 'root', { cwd })).toBe('prevented');
    expect(await fate(place, 'above', { cwd })).toBe('above');
    expect(await fate(place, 'other', { cwd })).toBe('other');
    expect(await fate(place, 'deep')).toBe('deep');
    // The call's own directory is what the model says.
    const elsewhere = { dir_path: join(place.project, 'other'), cwd: join(place.project, 'other') };
    expect(await fate(place, 'deep', { cwd, toolArguments: elsewhere })).toBe('prevented');
    expect(await fate(place, 'other', { cwd, toolArguments: elsewhere })).toBe('other');
  });

  test('goes on to the outermost repository: a nearer one takes nothing away', async () => {
    const place = workplace({
      '.policy/above.yaml': denying('a', 'above'),
      'project/.policy/house.yaml': HOUSE,
      'project/sub/.policy/sub.yaml': denying('a', 'sub').replace('deny', 'approve'),
      'project/sub/deep/code.ts': '',
    });
    await trust(place);
    const cwd = join(place.project, 'sub/deep');
    for (const nearer of ['sub', 'sub/deep']) {
      mkdirSync(join(place.project, nearer, '.git'));
      expect(await fate(place, 'git push', { cwd })).toBe('prevented');
      // What was trusted for the outer one is in force, and nothing of the inner one is.
      expect(await fate(place, 'ls', { cwd })).toBe('ls -l');
      expect(await fate(place, 'above', { cwd })).toBe('above');
    }
    const checked = await place.run({ args: ['check'], cwd });
    expect(checked.stdout).toContain('Cannot use action "approve" of policy "sub/a"');
    expect(checked.stdout).not.toContain('policy "house/long-lists": its project');
  });

  test('counts what stands in a repository and in a worktree inside it once, and what differs in both', async () => {
    const place = workplace();
    const worktree = 'project/.worktrees/next';
    place.write({
      'project/.policy/house.yaml': HOUSE,
      [`${worktree}/.policy/house.yaml`]: HOUSE,
      [`${worktree}/.policy/more.yaml`]: denying('b', 'more'),
    });
    mkdirSync(join(place.folder, worktree, '.git'));
    await trust(place);
    const cwd = join(place.folder, worktree);
    expect(await fate(place, 'git push', { cwd })).toBe('prevented');
    expect(await fate(place, 'more', { cwd })).toBe('prevented');
    expect(await fate(place, 'ls', { cwd })).toBe('ls -l');
    expect(await fate(place, 'echo', { cwd })).toBe('echo');
    place.write({ [`${worktree}/.policy/house.yaml`]: HOUSE.replace('git', 'hg') });
    expect(await fate(place, 'echo', { cwd })).toBe('echo');
    expect(await fate(place, 'git push', { cwd })).toBe('prevented');
    expect(await fate(place, 'hg push', { cwd })).toBe('prevented');
    expect((await place.run({ args: ['check'], cwd })).stdout).toContain('holds as "house/');
  });

  test('looks at the session’s directory only where there is no repository', async () => {
    const place = workplace();
    rmSync(join(place.project, '.git'), { recursive: true });
    place.write({
      'project/.policy/root.yaml': denying('a', 'root'),
      'project/sub/.policy/sub.yaml': denying('a', 'sub'),
    });
    const cwd = join(place.project, 'sub');
    expect(await fate(place, 'sub', { cwd })).toBe('prevented');
    expect(await fate(place, 'root', { cwd })).toBe('root');
  });

  test('loads the built-in packs, which only the user disables', async () => {
    const place = workplace();
    const disabling = "version: 1\ndisable: ['builtin:baseline', 'builtin:self-protection']\n";
    expect(await fate(place, 'rm -rf /')).toBe('prevented');
    place.write({ 'project/.policy/house.yaml': disabling });
    expect(await fate(place, 'rm -rf /')).toBe('prevented');
    await trust(place);
    expect(await fate(place, 'rm -rf /')).toBe('prevented');
    rmSync(join(place.project, '.policy'), { recursive: true });
    place.write({ 'home/.config/policy/me.yaml': disabling });
    expect(await fate(place, 'rm -rf /')).toBe('rm -rf /');
  });
});

describe('what is named', () => {
  test('is what is loaded, by option or by POLICY_PATH', async () => {
    const place = workplace({
      'project/.policy/house.yaml': denying('a', 'project'),
      'home/.config/policy/me.yaml': denying('a', 'user'),
      'one.yaml': denying('a', 'one'),
      'two/two.yaml': denying('a', 'two'),
    });
    const both = { POLICY_PATH: 'one.yaml:two' };
    expect(await fate(place, 'one', { env: both })).toBe('prevented');
    expect(await fate(place, 'two', { env: both })).toBe('prevented');
    for (const command of ['project', 'user', 'rm -rf /'])
      expect(await fate(place, command, { env: both })).toBe(command);
    const args = ['--policies', 'one.yaml'];
    expect(await fate(place, 'one', { env: both, args })).toBe('prevented');
    expect(await fate(place, 'two', { env: both, args })).toBe('two');
    expect(await fate(place, 'rm -rf /', { env: { POLICY_PATH: 'one.yaml:builtin:baseline' } })).toBe(
      'prevented',
    );
    expect(await fate(place, 'project', { env: { POLICY_PATH: '' } })).toBe('prevented');
    expect(await fate(place, 'true', { env: { POLICY_PATH: 'nowhere' } })).toBe('prevented');
    mkdirSync(join(place.folder, 'empty'));
    expect(await fate(place, 'true', { env: { POLICY_PATH: 'empty' } })).toBe('prevented');
  });
});

describe('on_error: continue', () => {
  const LENIENT = 'version: 1\ndefaults: {on_error: continue}\n';
  const BROKEN = 'version: 1\npolicies: [';

  test.each([
    ['the user', 'home/.config/policy/me.yaml', 'true'],
    ['the project', 'project/.policy/me.yaml', 'prevented'],
  ])('of %s counts only if it may', async (_who, file, expected) => {
    const place = workplace({ [file]: LENIENT, 'project/.policy/broken.yaml': BROKEN });
    expect(await fate(place, 'true')).toBe(expected);
  });

  test('of what is named counts, and of what cannot be read does not', async () => {
    const place = workplace({ 'named/a.yaml': LENIENT, 'named/b.yaml': BROKEN });
    expect(await fate(place, 'true', { args: ['--policies', 'named'] })).toBe('true');
    place.write({ 'named/a.yaml': `${LENIENT}oops` });
    expect(await fate(place, 'true', { args: ['--policies', 'named'] })).toBe('prevented');
  });

  test('lets nothing through that what is sound refuses, while a project’s file is broken', async () => {
    const place = workplace({
      'home/.config/policy/me.yaml': denying('a', 'mine', 'defaults: {on_error: continue}'),
      'project/.policy/broken.yaml': BROKEN,
      'project/.policy/half.yaml': `${denying('b', 'half')}  - {id: c, tool: shell, action: explode}\n`,
      'project/.policy/sound.yaml': denying('d', 'sound'),
      // It takes the name of a pack, which would be refused by itself.
      'project/.policy/baseline.yaml':
        'version: 1\npolicies: [{id: disk, on: notification, action: continue}]\n',
    });
    for (const command of ['mine', 'sound', 'rm -rf /', 'mkfs.ext4 /dev/sda'])
      expect([command, await fate(place, command)]).toEqual([command, 'prevented']);
    expect(await fate(place, 'true')).toBe('true');
    const log = readFileSync(join(place.state, 'decisions.jsonl'), 'utf8');
    expect(log.trim().split('\n').at(-1)).toContain('broken.yaml:2:');
  });

  test('lets no refused call through', async () => {
    const place = workplace({
      'home/.config/policy/me.yaml': denying('a', 'ls', 'defaults: {on_error: continue}'),
    });
    expect(await fate(place, 'ls')).toBe('prevented');
    expect(await fate(place, 'true')).toBe('true');
  });
});
