import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workplace } from '../hook/workplace.ts';
import { call } from './call.ts';

const POLICIES = `version: 1
policies:
  - {id: no-push, tool: shell, arguments: {command: '^git push'}, action: deny, reason: Pushing is for people}
`;

function excepting(expires: string): string {
  return `version: 1
exceptions:
  - policy: mine/no-push
    tool: shell
    arguments: {command: 'git push origin [a-z]+'}
    owner: me
    reason: needed
    expires: ${expires}
`;
}

describe('exceptions of the user', () => {
  test('let a call pass until they end, in the compiled program, and the log says so', async () => {
    const place = workplace({ 'home/.config/policy/mine.yaml': POLICIES });
    expect(await call(place, 'git push origin topic')).toBe('refused');
    place.write({ 'home/.config/policy/e.yaml': excepting('2999-12-31') });
    // Twice: the second process finds the set in the cache.
    for (const _ of [1, 2]) {
      expect(await call(place, 'git push origin topic')).toBe('passed');
      expect(await call(place, 'git push origin topic; git push -f')).toBe('refused');
    }
    const log = readFileSync(join(place.state, 'decisions.jsonl'), 'utf8').trim().split('\n');
    expect(JSON.parse(log.at(-2) ?? '').policies).toContainEqual({
      id: 'mine/no-push',
      how: 'excepted',
      action: 'deny',
    });
    place.write({ 'home/.config/policy/e.yaml': excepting('2020-12-31') });
    expect(await call(place, 'git push origin topic')).toBe('refused');
  });

  test('that are broken refuse every call', async () => {
    const place = workplace({ 'home/.config/policy/mine.yaml': POLICIES });
    place.write({ 'home/.config/policy/e.yaml': excepting('2026-02-30') });
    expect(await call(place, 'ls')).toBe('refused');
  });
});
