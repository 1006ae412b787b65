import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Workplace, workplace } from './workplace.ts';

const SHARED = 'node_modules/@org/policies/shared.yaml';
const POLICIES = `version: 1
name: shared
policies:
  - {id: no-deploy, command: deploy, action: deny, reason: the pipeline deploys}
`;

/** A project that extends a file of a package. */
function project(isInstalled: boolean, more: Readonly<Record<string, string>> = {}): Workplace {
  const place = workplace({
    'project/.policy/own.yaml': `version: 1
extends: [../${SHARED}]
policies:
  - {id: no-curl, command: curl, action: deny, reason: no network}
`,
    ...(isInstalled ? { [`project/${SHARED}`]: POLICIES } : {}),
    ...more,
  });
  return place;
}

async function judged(place: Workplace, event: Readonly<Record<string, unknown>>) {
  const input = JSON.stringify({
    hook_event_name: 'BeforeTool',
    session_id: 's',
    transcript_path: '',
    cwd: place.project,
    timestamp: '2026-11-20T09:38:00Z',
    ...event,
  });
  const { stdout } = await place.run({ args: ['hook', '--host', 'gemini'], input });
  const { decision = 'pass', reason } = JSON.parse(stdout) as { decision?: string; reason?: string };
  return [decision, reason ?? ''] as const;
}

const run = (place: Workplace, command: string) =>
  judged(place, { tool_name: 'run_shell_command', tool_input: { command } });

describe('a file of a package that was never seen', () => {
  test.each(['npm ci', ' npm install ', 'pnpm install --frozen-lockfile', 'yarn', 'bun install'])(
    'is brought by %s, which passes',
    async (command) => {
      expect((await run(project(false), command))[0]).toBe('pass');
    },
  );

  test.each([
    'ls',
    'npm ci && deploy',
    'npm ci\ndeploy',
    'npm install left-pad',
    'npm ci --prefix /elsewhere',
    'npm ci; ls',
    'NODE_OPTIONS=x npm ci',
  ])('could refuse %j, which is refused and says what brings it', async (command) => {
    const [decision, reason] = await run(project(false), command);
    expect(decision).toBe('deny');
    expect(reason).toContain(`the policies of this project extend ../${SHARED}, which is not installed`);
    expect(reason).toContain('run `npm ci`');
  });

  test.each([
    { tool_name: 'write_file', tool_input: { file_path: 'a', content: 'npm ci' } },
    { tool_name: 'mcp_any_tool', tool_input: { command: 'npm ci' } },
    { hook_event_name: 'BeforeAgent', prompt: 'hi' },
    {
      hook_event_name: 'BeforeModel',
      llm_request: { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
    },
  ])('could refuse %j', async (event) => {
    expect((await judged(project(false), event))[0]).toBe('deny');
  });

  test('leaves the other policies in force, and names the package manager of the project', async () => {
    const place = project(false, {
      'project/pnpm-lock.yaml': '',
      'project/.policy/installs.yaml':
        'version: 1\npolicies: [{id: no, command: {subcommand: [npm, ci]}, action: deny, reason: by hand}]\n',
    });
    expect((await run(place, 'npm ci'))[1]).toContain('installs/no');
    expect((await run(place, 'ls'))[1]).toContain('run `pnpm install`');
  });

  test('is named by explain and check, and explain shows what the hook does', async () => {
    const place = project(false);
    const explain = (command: string) =>
      place.run({ args: ['explain', '--host', 'gemini', '--command', command], cwd: place.project });
    const passed = await explain('npm ci');
    expect([passed.exitCode, passed.stdout]).toEqual([0, expect.stringMatching(/^continue/)]);
    expect(passed.stderr).toContain(`Cannot extend "../${SHARED}": there is no such file`);
    expect(passed.stderr).toContain('run npm ci');
    expect((await explain('ls')).stdout).toStartWith(`deny  own/extends:../${SHARED}`);
    expect((await place.run({ args: ['check'], cwd: place.project })).exitCode).toBe(3);
  });

  test('is judged by as soon as it is there', async () => {
    const place = project(false);
    expect((await run(place, 'ls'))[0]).toBe('deny');
    place.write({ [`project/${SHARED}`]: POLICIES });
    expect((await run(place, 'ls'))[0]).toBe('pass');
    expect((await run(place, 'deploy'))[1]).toContain('shared/no-deploy');
  });
});

describe('a file of a package that was there before', () => {
  test('goes on with what it said, and nothing else is refused', async () => {
    const place = project(true);
    expect((await run(place, 'deploy'))[1]).toContain('shared/no-deploy');
    rmSync(join(place.project, 'node_modules'), { recursive: true });
    expect((await run(place, 'ls'))[0]).toBe('pass');
    expect((await run(place, 'npm ci'))[0]).toBe('pass');
    expect((await run(place, 'deploy'))[1]).toContain('shared/no-deploy');
    expect((await run(place, 'curl x'))[1]).toContain('own/no-curl');
    // What the project itself says has changed: then nothing is known of the set.
    place.write({
      'project/.policy/more.yaml': 'version: 1\npolicies: [{id: a, command: x, action: deny}]\n',
    });
    expect((await run(place, 'ls'))[1]).toContain('not installed');
  });
});

test('a missing file that no package manager brings refuses every call, as ever', async () => {
  const place = workplace({ 'project/.policy/own.yaml': 'version: 1\nextends: [../shared.yaml]\n' });
  const [decision, reason] = await run(place, 'npm ci');
  expect([decision, reason]).toEqual(['deny', expect.stringContaining('a file that cannot be extended')]);
});
