import { expect, test } from 'bun:test';
import { ONE_CALL } from '../../../src/hosts/clean-start.ts';
import { workplace } from './workplace.ts';

function claudeCall(tool: string, input: Record<string, string>): string {
  const event = {
    session_id: 's',
    cwd: '/',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_use_id: 't',
  };
  return JSON.stringify({ ...event, tool_input: input });
}

const LONG = 'a line of no matter to anybody\n'.repeat(2_000);

test.each([
  ['lets pass', claudeCall('Write', { file_path: '/tmp/a.txt', content: LONG }), 0],
  ['refuses', claudeCall('Bash', { command: `rm -rf ~; cat <<'E'\n${LONG}E` }), 2],
  ['cannot read', `{"hook_event_name": "PreToolUse", "tool_name": "Bash", "x": "${LONG}`, 2],
])(
  'a long message that the hook %s has the same answer from a process of its own',
  async (_what, input, exitCode) => {
    const place = workplace();
    const run = (env: Readonly<Record<string, string>>) =>
      place.run({ args: ['hook', '--host', 'claude'], input, env });
    const [apart, here] = [await run(ONE_CALL), await run({})];
    const said = ({ stdout, stderr, exitCode: code }: typeof apart) => [stdout, stderr, code];
    expect(said(apart)).toEqual(said(here));
    expect(apart.exitCode).toBe(exitCode);
  },
  60_000,
);

test('the hook answers in time, however long a message takes', async () => {
  const place = workplace();
  const line = 'const x = docker("login"); // password = foo(bar); see https://a.b/c?token=1\n';
  const event = {
    session_id: 's',
    cwd: '/',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 't',
  };
  const input = JSON.stringify({
    ...event,
    tool_input: { command: 'cat a' },
    tool_response: { stdout: line.repeat(250_000), stderr: '' },
  });
  const args = ['hook', '--host', 'claude', '--policies', 'builtin:secrets', '--host-timeout', '1'];
  const { stdout, stderr, exitCode, tookMs } = await place.run({ args, input, env: ONE_CALL });
  expect([exitCode, stdout.includes('Refused by policy'), stderr]).toEqual([
    2,
    true,
    expect.stringMatching(/\S/),
  ]);
  expect(tookMs).toBeLessThan(6_000);
}, 60_000);

test('a long message is refused if its own process cannot be started', async () => {
  const place = workplace({
    'project/message': claudeCall('Write', { file_path: '/tmp/a.txt', content: LONG }),
  });
  // The program is gone once it runs.
  const shell = 'cp "$1" ./program && shift && { sleep 1; rm ./program; cat message; } | ./program "$@"';
  const { stdout, exitCode } = await place.run({ args: ['hook', '--host', 'claude'], shell, env: ONE_CALL });
  expect([exitCode, stdout]).toEqual([2, expect.stringContaining('"permissionDecision":"deny"')]);
}, 60_000);
