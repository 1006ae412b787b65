import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onTerminal } from '../../support/pty.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { call } from '../allow/call.ts';
import { type Workplace, workplaceIn } from '../hook/workplace.ts';

const folders = temporaryFolders();

const NO_PUSH = `version: 1
policies:
  - {id: push, tool: shell, arguments: {command: 'git push'}, action: deny, reason: This task ends with a commit}
`;

async function add(place: Workplace, text: string, args: readonly string[] = ['-'], cwd = place.project) {
  return place.run({ args: ['session', 'add', ...args], input: text, cwd });
}

async function list(place: Workplace, cwd = place.project): Promise<Record<string, unknown>> {
  const { stdout } = await place.run({ args: ['session', 'list', '--json'], cwd });
  return JSON.parse(stdout);
}

/** As a person does it, on a terminal. */
async function remove(place: Workplace, ...args: string[]) {
  const terminal = onTerminal(['session', 'remove', ...args], { env: place.env, cwd: place.project });
  const exitCode = await terminal.ended;
  return { exitCode, shown: terminal.shown().replaceAll('\r\n', '\n') };
}

/** Every file below a folder of the state. */
function kept(place: Workplace): readonly string[] {
  const folder = join(place.state, 'session');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

describe('policy session', () => {
  test('adds policies that the hook follows, in this repository and nowhere else', async () => {
    const place = workplaceIn(folders());
    place.write({ 'project/no-push.yaml': NO_PUSH });
    expect(await call(place, 'git push')).toBe('passed');
    const added = await add(place, '', ['no-push.yaml']);
    expect([added.exitCode, added.stdout, added.stderr]).toEqual([
      0,
      `Added no-push: in force in sessions in ${place.project} and below\n`,
      '',
    ]);
    expect(await call(place, 'git push')).toBe('refused');
    expect(await call(place, 'git status')).toBe('passed');
    // An agent that goes down, or makes a repository there, does not leave it behind.
    const below = join(place.project, 'sub');
    mkdirSync(join(below, '.git'), { recursive: true });
    expect(await call(place, 'git push', { cwd: below })).toBe('refused');
    const elsewhere = join(place.folder, 'elsewhere');
    mkdirSync(elsewhere);
    expect(await call(place, 'git push', { cwd: elsewhere })).toBe('passed');
  });

  test('keeps them for the user alone', async () => {
    const place = workplaceIn(folders());
    await add(place, NO_PUSH);
    const found = kept(place);
    const files = found.filter((path) => statSync(path).isFile());
    expect(files.map((path) => readFileSync(path, 'utf8'))).toEqual([NO_PUSH]);
    for (const path of found) expect(statSync(path).mode & 0o077).toBe(0);
  });

  test('adds below the root of the outermost repository, from wherever', async () => {
    const place = workplaceIn(folders());
    const below = join(place.project, 'sub');
    mkdirSync(join(below, '.git'), { recursive: true });
    expect((await add(place, NO_PUSH, ['-'], below)).stdout).toContain(`in ${place.project} and below`);
    expect(await call(place, 'git push')).toBe('refused');
  });

  test('takes the directory of the session from --workspace', async () => {
    const place = workplaceIn(folders());
    expect((await add(place, NO_PUSH, ['-', '--workspace', place.project], place.folder)).exitCode).toBe(0);
    expect(await call(place, 'git push')).toBe('refused');
  });

  test('adds the same text once', async () => {
    const place = workplaceIn(folders());
    const first = await add(place, NO_PUSH);
    expect((await add(place, NO_PUSH)).stdout).toBe(first.stdout);
    expect(await list(place)).toMatchObject({ files: [{ policies: [{ action: 'deny' }] }] });
  });

  test('never puts another text in the place of one that is there', async () => {
    const place = workplaceIn(folders());
    place.write({ 'project/no-push.yaml': NO_PUSH });
    await add(place, '', ['no-push.yaml']);
    place.write({ 'project/no-push.yaml': NO_PUSH.replace('git push', 'git pull') });
    const again = await add(place, '', ['no-push.yaml']);
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      'Cannot add "no-push" again: there are policies of that name; give the file another "name"\n',
    ]);
    expect(await call(place, 'git push')).toBe('refused');
  });

  test('lists what was added', async () => {
    const place = workplaceIn(folders());
    expect((await place.run({ args: ['session', 'list'] })).stdout).toBe(
      `Nothing was added to sessions in ${place.project}\n`,
    );
    await add(place, `name: mine\n${NO_PUSH}`);
    expect(await list(place)).toEqual({
      version: 1,
      files: [
        {
          id: 'mine',
          directory: place.project,
          added: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          policies: [{ id: 'mine/push', action: 'deny' }],
        },
      ],
    });
    const { stdout } = await place.run({ args: ['session', 'list'] });
    expect(stdout).toMatch(new RegExp(`^mine in ${place.project} since \\S+Z\n {2}deny +mine/push\n$`));
  });

  test('removes for a person, and leaves nothing to look for', async () => {
    const place = workplaceIn(folders());
    await add(place, `name: one\n${NO_PUSH}`);
    await add(place, `name: two\n${NO_PUSH}`);
    expect(await remove(place, 'one')).toEqual({ exitCode: 0, shown: 'Removed one\n' });
    expect(await call(place, 'git push')).toBe('refused');
    expect(await remove(place, 'one')).toMatchObject({ exitCode: 1 });
    expect(await remove(place, '--all')).toEqual({ exitCode: 0, shown: 'Removed two\n' });
    expect(await call(place, 'git push')).toBe('passed');
    expect(existsSync(join(place.state, 'session'))).toBe(false);
  }, 60_000);

  test('removes for nobody else', async () => {
    const place = workplaceIn(folders());
    await add(place, NO_PUSH);
    const { exitCode, stderr } = await place.run({ args: ['session', 'remove', '--all'] });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('must be a terminal')]);
    expect(await call(place, 'git push')).toBe('refused');
    expect(await call(place, 'policy session remove --all')).toBe('refused');
    expect(await call(place, 'policy session add no-push.yaml')).toBe('passed');
  });
});

const COMMAND = "tool: shell, arguments: {command: '^ls$'}";

describe('policy session add refuses', () => {
  test.each<[string, string, string, number]>([
    [
      'an approval',
      `policies: [{id: a, on: approve_tool, ${COMMAND}, action: approve}]`,
      'action "approve"',
      2,
    ],
    [
      'a rewrite',
      `policies: [{id: a, ${COMMAND}, action: modify, rewrite: {set: {command: ls -l}}}]`,
      'action "modify"',
      2,
    ],
    [
      'an answer',
      `policies: [{id: a, ${COMMAND}, action: respond, result: {for_llm: x}}]`,
      'action "respond"',
      2,
    ],
    [
      'one of several',
      `policies:\n  - {id: b, ${COMMAND}, action: deny}\n  - {id: a, ${COMMAND}, action: continue, message: x}`,
      'action "continue"',
      4,
    ],
    ['a judge', `policies: [{id: a, ${COMMAND}, type: llm_judge, prompt: Is it fine?}]`, 'a judge', 2],
    [
      'tools',
      'tools: [{name: t, description: d, parameters: {type: object}, result: {for_llm: x}}]',
      '"tools"',
      2,
    ],
    ['judges', 'judges: {default: {model: m}}', '"judges"', 2],
    ['programs', 'programs: {mytool: {operands: [read]}}', '"programs"', 2],
    ['settings', 'settings: {team/hosts: [example.com]}', '"settings"', 2],
    [
      'exceptions',
      'exceptions: [{policy: baseline/x, tool: shell, owner: me, reason: r, expires: 2099-01-01}]',
      '"exceptions"',
      2,
    ],
    ['what is disabled', 'disable: [baseline/delete-outside]', '"disable"', 2],
    ['on_error', 'defaults: {on_error: continue}', '"on_error"', 2],
    ['a file that is extended', 'extends: [./other.yaml]', 'Cannot extend "./other.yaml"', 2],
    ['an unknown key', 'policies: [{id: a, actoin: deny}]', '"actoin"', 2],
  ])('%s', async (_what, text, said, line) => {
    const place = workplaceIn(folders());
    place.write({ 'project/other.yaml': NO_PUSH });
    const { exitCode, stdout, stderr } = await add(place, `version: 1\n${text}\n`);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain(said);
    expect(stderr).toContain(`<stdin>:${line}:`);
    expect(stderr).not.toContain(place.state);
    expect(kept(place)).toEqual([]);
    expect(existsSync(join(place.state, 'session'))).toBe(false);
  });

  test('ids that the policies here have already, and more than sessions may bring', async () => {
    const place = workplaceIn(folders());
    place.write({ 'project/.policy/mine.yaml': NO_PUSH });
    const same = await add(place, `name: mine\n${NO_PUSH}`);
    expect([same.exitCode, same.stderr]).toEqual([
      3,
      expect.stringContaining('Cannot use id "mine/push" again'),
    ]);
    const large = await add(place, `${NO_PUSH}${'#'.repeat(600 * 1024)}\n`);
    expect([large.exitCode, large.stderr]).toEqual([3, expect.stringContaining('Cannot load more policies')]);
    expect(await call(place, 'git status')).toBe('passed');
  });

  test('a file where the hook would not look for it', async () => {
    const place = workplaceIn(folders());
    const { exitCode, stderr } = await place.run({
      args: ['session', 'add', '-'],
      input: NO_PUSH,
      env: { POLICY_PATH: 'builtin:baseline' },
    });
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('POLICY_PATH is set')]);
  });

  test('a test, and a file that is not there', async () => {
    const place = workplaceIn(folders());
    place.write({ 'project/mine.test.yaml': NO_PUSH });
    expect(await add(place, '', ['mine.test.yaml'])).toMatchObject({ exitCode: 1 });
    expect(await add(place, '', ['missing.yaml'])).toMatchObject({ exitCode: 2 });
  });
});

test('policy session add takes whatever restricts', async () => {
  const place = workplaceIn(folders());
  const text = `version: 1
name: strict
description: For this task
extends: [builtin:git-safety]
defaults: {when_unknown: match}
applies_to: {hosts: [gemini]}
policies:
  - {id: ask, command: make, action: ask, reason: Ask first}
  - {id: stop, command: halt, action: abort_turn, reason: Stop}
`;
  expect(await add(place, text)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await call(place, 'git push -f origin topic')).toBe('refused');
});

test('a file that others may have written refuses every call, with the reason', async () => {
  const place = workplaceIn(folders());
  await add(place, NO_PUSH);
  const [folder = ''] = kept(place);
  Bun.spawnSync(['chmod', '777', join(folder, '..')]);
  expect(await call(place, 'git status')).toBe('refused');
});

test('a policy that gets past the check does nothing: a session is not trusted', async () => {
  const place = workplaceIn(folders());
  await add(place, NO_PUSH);
  const file = kept(place).find((path) => path.endsWith('.yaml')) ?? '';
  await Bun.write(
    file,
    `version: 1\ndisable: [baseline]\npolicies: [{id: a, on: [before_tool, approve_tool], action: approve}]\n`,
  );
  expect(await call(place, 'rm -rf /')).toBe('refused');
});

test('policy session add --as-tool answers as a plugin tool does, whatever it is given', async () => {
  const place = workplaceIn(folders());
  const answerTo = async (text: string) => {
    const { exitCode, stdout, stderr } = await add(place, text, ['-', '--as-tool']);
    expect([exitCode, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  expect(await answerTo(`name: mine\n${NO_PUSH}`)).toEqual({
    for_llm: `Added mine: in force in sessions in ${place.project} and below`,
    is_error: false,
  });
  expect(await answerTo('{"version": 1, "disable": ["baseline"]}')).toEqual({
    for_llm: expect.stringContaining('<stdin>:1:16 error trust  Cannot add "disable"'),
    is_error: true,
  });
  expect(await answerTo(`name: mine\n${NO_PUSH}#`)).toMatchObject({
    for_llm: expect.stringContaining('Cannot add "mine" again'),
    is_error: true,
  });
});
