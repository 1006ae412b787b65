import { expect, test } from 'bun:test';
import type { ResponderOptions } from '../../src/hook/responder-options.ts';
import { gemini } from '../../src/hosts/gemini/gemini.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { program, rule } from '../support/builders.ts';
import { testResponder } from '../support/test-responder.ts';

const CALL = JSON.stringify({
  hook_event_name: 'BeforeTool',
  session_id: 's',
  cwd: '/work',
  tool_name: 'run_shell_command',
  tool_input: { command: 'make' },
});

/** The action of the answer to one call, where errors are to let calls pass. */
async function lenientAnswer(parts: Partial<ResponderOptions>): Promise<string> {
  const reading = rule({ action: 'deny', when: { path: '~/.ssh/**' } });
  const engine = createEngine(program([rule({ action: 'modify' }), reading], { onErrorContinue: true }));
  const { respond } = testResponder({
    host: gemini,
    policies: () => ({ ok: true, engine }),
    ...parts,
  });
  const { stdout } = await respond(CALL);
  return JSON.parse(stdout).decision ?? 'nothing to say';
}

test('on_error: continue lets pass what fails', async () => {
  const surroundings = () => {
    throw new TypeError('a bug');
  };
  expect(await lenientAnswer({ surroundings })).toBe('nothing to say');
});

test('on_error: continue lets no call pass that takes too long to judge', async () => {
  expect(await lenientAnswer({ limit: () => () => true })).toBe('deny');
});
