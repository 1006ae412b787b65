import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expectGolden } from '../support/golden.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { logDecisions } from './logged-decisions.ts';
import { type RunOptions, runCli } from './test-io.ts';

const temporaryFolder = temporaryFolders();

const POLICIES = `version: 1
name: team
policies:
  - {id: no-push, command: {subcommand: [git, push]}, mode: monitor, action: deny, reason: Not yet}
  - {id: no-tags, command: {subcommand: [git, tag]}, mode: {canary: {percent: 0}}, action: ask, reason: Not yet}
  - {id: no-rm, command: rm, action: deny, reason: No}
  - {id: shorter, command: ls, mode: monitor, action: modify, rewrite: {set: {command: ls -l}}}
`;
const STRICTER = `version: 1
name: next
policies:
  - {id: no-commit, command: {subcommand: [git, commit]}, action: deny, reason: Never}
  - {id: no-push, command: {subcommand: [git, push]}, mode: {canary: {percent: 0}}, action: deny, reason: Never}
  - {id: no-clean, command: {subcommand: [git, clean]}, action: deny, reason: Never}
`;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

interface Project extends RunOptions {
  readonly cwd: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** A repository beside the project. */
  readonly repository: (name: string) => string;
}

function project(): Project {
  const folder = temporaryFolder();
  const cwd = join(folder, 'project');
  for (const [name, text] of Object.entries({ '.policy/team.yaml': POLICIES, 'next/next.yaml': STRICTER })) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const repository = (name: string) => {
    const root = join(folder, name);
    mkdirSync(root);
    execFileSync('git', ['init', '-q'], { cwd: root });
    execFileSync('git', ['remote', 'add', 'origin', `git@example.com:acme/${name}.git`], { cwd: root });
    return root;
  };
  return {
    cwd,
    folder,
    repository,
    env: { HOME: join(folder, 'home'), XDG_STATE_HOME: join(folder, 'state') },
  };
}

function log(options: Project, cwd: string, commands: readonly string[], keepInput = true, session = 's') {
  const messages = commands.map((command) => ({
    hook_event_name: 'BeforeTool',
    session_id: session,
    transcript_path: '',
    cwd,
    timestamp: '2026-11-20T09:38:00Z',
    tool_name: 'run_shell_command',
    tool_input: { command },
  }));
  const stateHome = options.env['XDG_STATE_HOME'] ?? '';
  return logDecisions(messages, {
    host: 'gemini',
    policies: [join(options.cwd, '.policy')],
    cwd: options.cwd,
    stateHome,
    keepInput,
    surroundings: { machine: () => 'machine' },
  });
}

async function data(args: readonly string[], options: Project) {
  const { exitCode, stdout, stderr } = await runCli(['rollout', 'plan', ...args, '--json'], options);
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
}

describe('policy rollout plan', () => {
  test('shows per repository what monitored policies would have refused, where least is refused first', async () => {
    const options = project();
    const [shop, site] = [options.repository('shop'), options.repository('site')];
    mkdirSync(join(shop, 'src'));
    await log(options, join(shop, 'src'), ['git push', 'git push', 'git status', 'git push origin x']);
    await log(options, shop, ['git tag v1', 'git push', 'ls'], true, 'other');
    await log(options, site, ['git status', 'ls']);
    const { exitCode, stdout, stderr } = await runCli(['rollout', 'plan'], options);
    expect([exitCode, stderr]).toEqual([0, '']);
    expectGolden(import.meta.dir, 'rollout/monitored.txt', stdout.replace(TIME, 'TIME'));
  });

  test('has the same facts as data, also where no messages were kept', async () => {
    const options = project();
    await log(options, options.repository('shop'), ['git push', 'git push && rm -rf src', 'ls'], false);
    expect(await data([], options)).toEqual({
      version: 1,
      decisions: 3,
      // What another policy has refused is refused already.
      refused: 1,
      without_message: 0,
      repositories: [{ repository: 'example.com/acme/shop', decisions: 3, refused: 1 }],
      policies: [
        {
          policy: 'team/no-push',
          action: 'deny',
          repository: 'example.com/acme/shop',
          calls: 1,
          sessions: 1,
          last: expect.any(String),
          examples: [{ call: 'gemini run_shell_command', calls: 1 }],
        },
      ],
    });
  });

  test('judges kept messages by a stricter set, all of which counts as in force', async () => {
    const options = project();
    const shop = options.repository('shop');
    await log(options, shop, ['git commit -m x', 'git push', 'ls', 'rm -rf src']);
    await log(options, shop, ['git push'], false);
    const plan = await data(['next'], options);
    expect(plan).toMatchObject({ decisions: 4, refused: 2, without_message: 1 });
    expect(
      plan.policies.map(({ policy, calls }: { policy: string; calls: number }) => [policy, calls]),
    ).toEqual([
      ['next/no-commit', 1],
      ['next/no-push', 1],
    ]);
    expect(plan.policies[0].examples).toEqual([
      { call: 'gemini run_shell_command git commit -m x', calls: 1 },
    ]);
    const { stdout, stderr } = await runCli(['rollout', 'plan', 'builtin:git-safety'], options);
    expect(stdout).toBe(
      'repository             decisions  would be refused\nexample.com/acme/shop          4  0\n\nNothing more would have been refused in 4 decisions\n',
    );
    expect(stderr).toBe('Left out 1 decision without a message: policy hook --log-input keeps them\n');
  });

  test('takes the logs of others', async () => {
    const [one, two, here] = [project(), project(), project()];
    await log(one, one.repository('shop'), ['git push']);
    await log(two, two.repository('site'), ['git push', 'git push']);
    const files = [one, two].map(({ folder }) => join(folder, 'state/policy/decisions.jsonl'));
    const args = files.flatMap((file) => ['--log-file', file]);
    const plan = await data(args, here);
    expect(plan.repositories).toEqual([
      { repository: 'example.com/acme/shop', decisions: 1, refused: 1 },
      { repository: 'example.com/acme/site', decisions: 2, refused: 2 },
    ]);
    expect((await data([...args, '--since', '2020-01-01'], here)).refused).toBe(3);
  });

  test('counts what is gone as the folder that it was in, and names a folder without a remote by its path', async () => {
    const options = project();
    const shop = options.repository('shop');
    mkdirSync(join(shop, '.worktrees/a'), { recursive: true });
    await log(options, join(shop, '.worktrees/a'), ['ls']);
    rmSync(join(shop, '.worktrees'), { recursive: true });
    await log(options, options.cwd, ['ls']);
    const { repositories } = await data([], options);
    expect(repositories.map(({ repository }: { repository: string }) => repository).sort()).toEqual(
      [options.cwd, 'example.com/acme/shop'].sort(),
    );
  });

  test.each<readonly [readonly string[], number, string]>([
    [[], 2, 'name what to do: write plan [SET]'],
    [['undo'], 2, 'Cannot do "undo": write plan [SET]'],
    [['plan', 'next', 'more'], 2, 'Cannot plan "more" as well'],
    [['plan', '--since', '2099-01-01'], 2, 'there are no logged decisions'],
    [['plan', '--log-file', 'gone'], 2, 'there is no such file'],
    [['plan', '--log-file', 'calls.jsonl'], 2, 'Cannot use calls.jsonl:1: it is not a logged decision'],
    [['plan', 'broken.yaml'], 3, 'broken.yaml:1:10'],
  ])('refuses %j', async (args, code, message) => {
    const options = project();
    await log(options, options.cwd, ['ls']);
    writeFileSync(join(options.cwd, 'broken.yaml'), 'version: 2');
    writeFileSync(join(options.cwd, 'calls.jsonl'), '{"command":"ls"}\n');
    const { exitCode, stdout, stderr } = await runCli(['rollout', ...args], options);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toContain(message);
  });

  test('says what is missing where no decision can be judged again', async () => {
    const options = project();
    await log(options, options.cwd, ['ls'], false);
    const { exitCode, stderr } = await runCli(['rollout', 'plan', 'next'], options);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('policy hook --log-input');
    expect(readFileSync(join(options.folder, 'state/policy/decisions.jsonl'), 'utf8')).toContain('"cwd"');
  });
});
