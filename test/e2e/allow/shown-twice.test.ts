import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../src/lib/json.ts';
import { onTerminal } from '../../support/pty.ts';
import { type Workplace, workplace } from '../hook/workplace.ts';
import { keptCode } from './call.ts';

const POLICIES = `version: 1
policies:
  - {id: no-push, command: {subcommand: [git, push]}, action: deny, reason: Ask first}
`;

/** A place where a person has let the call pass that the messages are about, once. */
async function allowedOnce(host: string, message: JsonObject): Promise<Workplace> {
  const place = workplace({ 'home/.config/policy/mine.yaml': POLICIES });
  expect(await fate(place, host, message)).toBe('refused');
  const terminal = onTerminal(['allow', keptCode(place) ?? ''], { env: place.env, cwd: place.folder });
  await terminal.sees('[y/N]');
  terminal.types('y\r');
  expect(await terminal.ended).toBe(0);
  return place;
}

async function fate(place: Workplace, host: string, message: JsonObject): Promise<'refused' | 'passed'> {
  const text = JSON.stringify({ cwd: place.project, ...message });
  const { stdout } = await place.run({ args: ['hook', '--host', host], input: text });
  return stdout.includes('"deny"') ? 'refused' : 'passed';
}

const PUSH = { command: 'git push -n' };
const claude = (event: string, fields: JsonObject = {}): JsonObject => ({
  session_id: 's',
  prompt_id: 'p',
  hook_event_name: event,
  tool_name: 'Bash',
  tool_input: PUSH,
  ...fields,
});
const cursor = (id: string): JsonObject => ({
  conversation_id: 'c',
  generation_id: 'g',
  cursor_version: '3',
  hook_event_name: 'preToolUse',
  tool_name: 'Shell',
  tool_input: PUSH,
  tool_use_id: id,
});

describe('a call that was let pass once', () => {
  test('passes where its host, which starts a process for each event, asks for approval as well', async () => {
    const place = await allowedOnce('claude', claude('PreToolUse', { tool_use_id: 't' }));
    expect(await fate(place, 'claude', claude('PreToolUse', { tool_use_id: 't' }))).toBe('passed');
    expect(await fate(place, 'claude', claude('PermissionRequest'))).toBe('passed');
    expect(await fate(place, 'claude', claude('PermissionRequest'))).toBe('refused');
    expect(await fate(place, 'claude', claude('PreToolUse', { tool_use_id: 'u' }))).toBe('refused');
  });

  test('does not let the approval of another call pass', async () => {
    const place = await allowedOnce('claude', claude('PreToolUse', { tool_use_id: 't' }));
    expect(await fate(place, 'claude', claude('PreToolUse', { tool_use_id: 't' }))).toBe('passed');
    const others = [{ tool_use_id: 'u' }, { tool_input: { command: 'git push' } }, { session_id: 'other' }];
    for (const other of others)
      expect([other, await fate(place, 'claude', claude('PermissionRequest', other))]).toEqual([
        other,
        'refused',
      ]);
    expect(await fate(place, 'claude', claude('PermissionRequest', { tool_use_id: 't' }))).toBe('passed');
  });

  test('passes where its host starts two hooks about it at once', async () => {
    const place = await allowedOnce('cursor', cursor('t'));
    const fates = await Promise.all(['cursor', 'claude'].map((host) => fate(place, host, cursor('t'))));
    expect(fates).toEqual(['passed', 'passed']);
    expect(await fate(place, 'cursor', cursor('u'))).toBe('refused');
  });

  test('is one of many that are asked for at once', async () => {
    const place = await allowedOnce('cursor', cursor('t'));
    const fates = await Promise.all(
      Array.from({ length: 6 }, (_, id) => fate(place, 'cursor', cursor(`${id}`))),
    );
    expect(fates.filter((each) => each === 'passed')).toHaveLength(1);
  });
});
