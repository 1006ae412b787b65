import { expect, test } from 'bun:test';
import { jcli } from '../../../src/hosts/jcli/jcli.ts';
import { ownString } from '../../../src/lib/json.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What the line for a generation answers to a call that is refused. */
function answerOf(generation: string, sent: Readonly<Record<string, string>>): string {
  const home = temporaryFolder();
  const start = { program: BINARY, home, version: generation };
  const context = {
    event: 'pre_tool_execution',
    tool_name: 'Bash',
    tool_arguments: '{"command":"rm -rf /"}',
  };
  const { stdout } = Bun.spawnSync(['sh', '-c', ownString(jcli.hookConfiguration(start), 'command') ?? ''], {
    env: { HOME: home, PATH: process.env['PATH'] ?? '', JCLI_HOOK_EVENT: context.event },
    stdin: Buffer.from(JSON.stringify({ ...context, ...sent })),
    cwd: home,
  });
  return stdout.toString();
}

test('the line for A refuses as A does', () => {
  expect(answerOf('A', {})).toContain('"abort":true');
});

test.each(['A', 'C', 'E'])('the line for %s refuses with an action once a session is sent', (generation) => {
  const answer = answerOf(generation, { session_id: 's' });
  expect(answer).toContain('"action":"skip"');
  expect(answer).not.toContain('abort');
});
