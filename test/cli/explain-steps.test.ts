import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DELIVERY } from '../support/delivery.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCli } from './test-io.ts';

const EDIT = '{call: {tool: edit, path: src/a.ts, old_text: a, new_text: b}}';
const PUSH = '{call: {command: git push}}';

async function explain(steps: readonly string[], ...options: readonly string[]) {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.git'));
  writeFileSync(join(cwd, '.git/config'), '');
  writeFileSync(join(cwd, 'policy.yaml'), DELIVERY);
  writeFileSync(join(cwd, 'steps.yaml'), `steps:\n${steps.map((step) => `  - ${step}\n`).join('')}`);
  return runCli(['explain', '--policies', 'policy.yaml', '--steps', 'steps.yaml', ...options], {
    cwd,
    env: {},
  });
}

describe('policy explain --steps', () => {
  test('shows what became of each step, and the earlier calls that the last one rests on', async () => {
    const { stdout, exitCode } = await explain([EDIT, '{call: {command: npm test | tail}}', PUSH]);
    expect(exitCode).toBe(0);
    const lines = stdout.split('\n').map((line) => line.trim().replace(/\s{2,}/g, '  '));
    expect(lines.slice(0, 3)).toEqual([
      '1  edit src/a.ts a b  continue  succeeded',
      '2  shell npm test | tail  continue  succeeded',
      'deny  delivery/tests-before-push  (policy.yaml:7)',
    ]);
    expect(stdout).toContain(
      'What ran as delivery/tested at 12:00:02 does not count: a pipe hid its result: run it alone or with `set -o pipefail`.',
    );
    expect(lines).toContain('before  delivery/edited at 12:00:01: succeeded');
    expect(stdout).not.toContain('~');
    expect(lines).toContain('answer  the steps are judged by the engine alone');
    const { stderr } = await explain([PUSH], '--host', 'gemini');
    expect(stderr).toContain('Cannot use --host with --steps');
  });

  test('shows where nothing came before', async () => {
    const { stdout } = await explain([EDIT, PUSH], '-v');
    expect(stdout).toContain('no delivery/tested since delivery/edited');
    const free = await explain([EDIT, '{call: {command: npm test}}', PUSH], '-v');
    expect(free.stdout).toContain(
      'wanted {"not_seen":delivery/tested (succeeded),"since":delivery/edited (passed)',
    );
    expect(free.stdout).toContain('saw delivery/tested at 12:00:02: succeeded');
  });

  test('prints data', async () => {
    const { stdout } = await explain([EDIT, PUSH], '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      steps: [{ call: 'edit src/a.ts a b', action: 'continue', policy: null, outcome: 'succeeded' }],
      decision: { action: 'deny', policy: 'delivery/tests-before-push' },
      before: ['delivery/edited at 12:00:01: succeeded', 'no delivery/tested since delivery/edited'],
    });
  });

  test.each([
    [['{call: {command: ls}, outcome: fine}'], /steps\.yaml:2: Cannot use outcome "fine"/],
    [[], /Cannot explain "steps\.yaml"|Cannot use key "steps"/],
  ])('says what is wrong with %j', async (steps, message) => {
    const { stderr, exitCode } = await explain(steps);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

test('policy trust shows what the facts of a policy are', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.git'));
  mkdirSync(join(cwd, '.policy'));
  const policy = DELIVERY.replace('not_seen: tested, since: edited', 'seen: tested').replace(
    'action: deny\n    reason: Nothing was tested since the last edit',
    'action: approve',
  );
  writeFileSync(join(cwd, '.policy/delivery.yaml'), policy);
  const { stdout } = await runCli(['trust', '--json'], { cwd, env: { HOME: '/nonexistent' } });
  expect(JSON.parse(stdout).sets[0].policies[0].match.history).toEqual({
    seen: { command: { subcommand: ['npm', 'test'] }, outcome: 'succeeded' },
    within: 'session',
  });
});
