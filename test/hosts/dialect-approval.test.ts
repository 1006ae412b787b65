import { expect, test } from 'bun:test';
import { claude } from '../../src/hosts/claude/claude.ts';
import { decide } from '../../src/model/decision.ts';
import { settingOf } from './transcripts.ts';

test('an approval without a reason does not say that it is a refusal', () => {
  const message = claude.compose({ on: 'before_tool', tool: 'shell', arguments: { command: 'ls' } });
  const decoded = claude.decode(message, settingOf());
  if (decoded.type !== 'event') throw new Error('no event');
  const { stdout } = claude.encode(decoded.event, decide({ action: 'approve' }), settingOf());
  expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
    permissionDecision: 'allow',
    permissionDecisionReason: 'Approved by policy',
  });
});
