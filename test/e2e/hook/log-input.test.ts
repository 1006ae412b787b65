import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import { callText } from './messages.ts';
import { workplace } from './workplace.ts';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

describe('policy hook --log-input', () => {
  test('keeps what policy diff and policy add-test need, without its secrets', async () => {
    const place = workplace({
      'project/.policy/git.yaml':
        'version: 1\npolicies:\n  - {id: no-push, command: {subcommand: [git, push]}, action: deny, reason: a person pushes}\n',
    });
    const hook = (...args: readonly string[]) =>
      place.run({
        args: ['hook', '--host', 'gemini', '--policies', '.policy', ...args],
        input: callText(gemini, `git push https://${SECRET}@example.com/x`, place.project),
      });
    expect(JSON.parse((await hook()).stdout)).toMatchObject({ decision: 'deny' });
    expect(JSON.parse((await hook('--log-input')).stdout)).toMatchObject({ decision: 'deny' });
    const log = join(place.state, 'decisions.jsonl');
    expect(existsSync(log)).toBe(true);
    const text = readFileSync(log, 'utf8');
    const [without, kept] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(without).not.toHaveProperty('input');
    expect(kept.input.tool_input.command).toStartWith('git push https://');
    expect(text).not.toContain(SECRET);

    const replay = await place.run({ args: ['diff', '.policy', '--calls', 'log'] });
    expect([replay.exitCode, replay.stdout]).toEqual([0, 'No difference in 1 call\n']);
    expect(replay.stderr).toStartWith('Left out 1 decision without a message');
    const added = await place.run({ args: ['add-test', kept.decision_id] });
    expect([added.exitCode, added.stderr]).toEqual([0, '']);
    const tested = await place.run({ args: ['test', '.policy'] });
    expect([tested.exitCode, tested.stdout]).toEqual([0, expect.stringContaining('1 passed')]);
  });
});
