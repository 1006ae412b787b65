import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workplace } from '../hook/workplace.ts';

const policyThat = (asks: string) => `
version: 1
policies:
  - id: asks
    command: {subcommand: [git, push]}
    history: ${asks}
    when_unknown: skip
    action: deny
    reason: no
`;

async function installed(asks: string) {
  const place = workplace({
    'home/.config/policy/house.yaml': policyThat(asks),
    'home/.claude/settings.json': '{}',
  });
  const { exitCode, stderr } = await place.run({ args: ['install', '--yes', '--host', 'claude'] });
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  const file = join(place.home, '.claude/settings.json');
  const events = () => Object.keys(JSON.parse(readFileSync(file, 'utf8')).hooks).sort();
  return { place, file, events };
}

const TESTED = '{command: {subcommand: [npm, test]}}';

/** Beside those that the shipped policies need. */
test.each([
  [`{not_seen: ${TESTED}, within: session}`, ['PostToolUseFailure', 'UserPromptSubmit']],
  [`{count: {of: ${TESTED}, gte: 5}, within: turn}`, ['UserPromptSubmit']],
  [`{count: {of: ${TESTED}, gte: 5}, within: session}`, []],
])('install writes the events that %s needs', async (asks, wanted) => {
  const events = (await installed(asks)).events();
  expect(events).toContain('PostToolUse');
  expect(events.filter((event) => /Failure|Prompt/.test(event))).toEqual(wanted);
});

test('doctor says that results are missing which a policy asks for', async () => {
  const { place, file } = await installed(`{not_seen: ${TESTED}, within: session}`);
  const settings = JSON.parse(readFileSync(file, 'utf8'));
  delete settings.hooks.PostToolUseFailure;
  writeFileSync(file, JSON.stringify(settings));
  const { stdout } = await place.run({ args: ['doctor', '--host', 'claude'] });
  expect(stdout).toContain('Claude Code does not ask about tool_failure');
});
