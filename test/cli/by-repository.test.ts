import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectGolden } from '../support/golden.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { logDecisions } from './logged-decisions.ts';
import { type RunOptions, runCli } from './test-io.ts';

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
const BY = ['--calls', 'log', '--by', 'repository'];
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
  writeFiles(cwd, { '.policy/team.yaml': POLICIES, 'next/next.yaml': STRICTER });
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

async function data(args: readonly string[], options: Project, by: readonly string[] = BY) {
  const { exitCode, stdout, stderr } = await runCli(['diff', ...args, ...by, '--json'], options);
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
}

describe('policy diff --by repository', () => {
  test('shows per repository what monitored policies would have refused, where least is refused first', async () => {
    const options = project();
    const [shop, site] = [options.repository('shop'), options.repository('site')];
    mkdirSync(join(shop, 'src'));
    await log(options, join(shop, 'src'), ['git push', 'git push', 'git status', 'git push origin x']);
    await log(options, shop, ['git tag v1', 'git push', 'ls'], true, 'other');
    await log(options, site, ['git status', 'ls']);
    const { exitCode, stdout, stderr } = await runCli(['diff', ...BY], options);
    expect([exitCode, stderr]).toEqual([0, '']);
    expectGolden(import.meta.dir, 'diff/by-repository.txt', stdout.replace(TIME, 'TIME'));
  });

  test('has the same facts as data, also where no messages were kept', async () => {
    const options = project();
    await log(options, options.repository('shop'), ['git push', 'git push && rm -rf src', 'ls'], false);
    expect(await data([], options)).toEqual({
      version: 1,
      calls: 3,
      sessions: 1,
      // What another policy has refused is refused already.
      refused: 1,
      asked: 0,
      without_message: 0,
      repositories: [{ repository: 'example.com/acme/shop', sessions: 1, calls: 3, refused: 1 }],
      policies: [
        {
          id: 'team/no-push',
          action: 'deny',
          calls: 1,
          sessions: 1,
          repositories: ['example.com/acme/shop'],
        },
      ],
      candidates: [
        {
          policy: 'team/no-push',
          action: 'deny',
          repository: 'example.com/acme/shop',
          call: 'gemini run_shell_command',
          calls: 1,
          sessions: 1,
          last: expect.any(String),
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
    expect(plan).toMatchObject({ calls: 4, refused: 2, without_message: 1 });
    expect(plan.policies.map(({ id, calls }: { id: string; calls: number }) => [id, calls])).toEqual([
      ['next/no-commit', 1],
      ['next/no-push', 1],
    ]);
    expect(plan.candidates[0].call).toBe('gemini run_shell_command git commit -m x');
    const { stdout, stderr } = await runCli(['diff', 'builtin:git-safety', ...BY], options);
    expect(stdout).toBe(
      'repository             calls  would be refused\nexample.com/acme/shop      4  0\n\n4 calls in 1 session (1 repository): 0 would have been refused (0.0 %)\n',
    );
    expect(stderr).toBe('Left out 1 decision without a message: policy install --log-input keeps them\n');
  });

  test('lists some calls, and with -v all', async () => {
    const options = project();
    const commands = Array.from({ length: 12 }, (_, index) => `git push origin b${index}`);
    await log(options, options.repository('shop'), commands);
    const some = await runCli(['diff', ...BY], options);
    expect(some.stdout).toContain('  and 2 more (--json has them)\n');
    const all = await runCli(['diff', ...BY, '-v'], options);
    expect(all.stdout.match(/git push origin b\d+/g)).toHaveLength(12);
  });

  test('takes the logs of others', async () => {
    const [one, two, here] = [project(), project(), project()];
    await log(one, one.repository('shop'), ['git push']);
    await log(two, two.repository('site'), ['git push', 'git push']);
    const files = [one, two].map(({ folder }) => join(folder, 'state/policy/decisions.jsonl'));
    const by = ['--by', 'repository', ...files.flatMap((file) => ['--calls', file])];
    const plan = await data([], here, by);
    expect(plan.repositories).toMatchObject([
      { repository: 'example.com/acme/site', calls: 2, refused: 2 },
      { repository: 'example.com/acme/shop', calls: 1, refused: 1 },
    ]);
    expect((await data(['--since', '2020-01-01'], here, by)).refused).toBe(3);
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
    [['next', '--since', '2099-01-01', ...BY], 2, 'there are no calls to judge'],
    [['next', '--calls', 'gone', '--by', 'repository'], 2, 'there is no such file'],
    [['--calls', 'calls.jsonl', '--by', 'repository'], 2, 'there is no log of it; name NEW'],
    [['broken.yaml', ...BY], 3, 'broken.yaml:1:10'],
  ])('refuses %j', async (args, code, message) => {
    const options = project();
    await log(options, options.cwd, ['ls']);
    writeFileSync(join(options.cwd, 'broken.yaml'), 'version: 2');
    writeFileSync(join(options.cwd, 'calls.jsonl'), '{"command":"ls"}\n');
    const { exitCode, stdout, stderr } = await runCli(['diff', ...args], options);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toContain(message);
  });

  test('says what is missing where no decision can be judged again', async () => {
    const options = project();
    await log(options, options.cwd, ['ls'], false);
    const { exitCode, stderr } = await runCli(['diff', 'next', ...BY], options);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('policy install --log-input');
    expect(readFileSync(join(options.folder, 'state/policy/decisions.jsonl'), 'utf8')).toContain('"cwd"');
  });
});
