import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OnTerminal, onTerminal } from '../../support/pty.ts';
import { workplace as newWorkplace, type Workplace } from '../hook/workplace.ts';
import { call, keptCode } from './call.ts';

const POLICIES = `version: 1
policies:
  - {id: deploys, tool: shell, arguments: {command: deploy}, action: deny, reason: Deploys are for people}
  - {id: fixed, tool: shell, arguments: {command: fixed}, action: deny, locked: true, reason: Never}
`;

function workplace(): Workplace {
  return newWorkplace({ 'home/.config/policy/mine.yaml': POLICIES });
}

function open(
  place: Workplace,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): OnTerminal {
  return onTerminal(['allow', ...args], { env: { ...place.env, ...env }, cwd: place.folder });
}

describe('policy allow without a code', () => {
  test('lets the selected call pass once, after a question', async () => {
    const place = workplace();
    for (const command of ['deploy one', 'deploy two']) expect(await call(place, command)).toBe('refused');
    const terminal = open(place);
    await terminal.sees('deploy one');
    terminal.types('\u001b[B');
    await terminal.sees(`deploy one\u001b[22m`);
    terminal.types('o');
    await terminal.sees('Let it pass once');
    terminal.types('y');
    await terminal.sees('Allowed');
    terminal.types('q');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toEndWith('\u001b[?1049l');
    expect(await call(place, 'deploy two')).toBe('refused');
    expect(await call(place, 'deploy one')).toBe('passed');
    expect(await call(place, 'deploy one')).toBe('refused');
  });

  test('shows calls that are refused while it is open, explains them, and lets them pass always', async () => {
    const place = workplace();
    const terminal = open(place);
    await terminal.sees('Nothing was refused');
    expect(await call(place, 'deploy one')).toBe('refused');
    await terminal.sees('deploy one');
    terminal.types('e');
    await terminal.sees('mine/deploys (user)');
    terminal.types('q');
    await Bun.sleep(50);
    terminal.types('a');
    await terminal.sees('Let it pass always');
    expect(terminal.shown()).toContain('policy: mine/deploys');
    terminal.types('y');
    await terminal.sees('Allowed until');
    terminal.types('\u0003');
    expect(await terminal.ended).toBe(0);
    for (const _ of [1, 2]) expect(await call(place, 'deploy one')).toBe('passed');
  });

  test.each(['n', '\r', 'q'])('lets nothing pass where the answer is %j', async (answer) => {
    const place = workplace();
    await call(place, 'deploy one');
    const terminal = open(place);
    await terminal.sees('deploy one');
    terminal.types('\r');
    await terminal.sees('Let it pass once');
    terminal.types(answer);
    await terminal.sees('Not allowed');
    terminal.types('q');
    await terminal.ended;
    expect(await call(place, 'deploy one')).toBe('refused');
  });

  test('says that a locked policy cannot be passed', async () => {
    const place = workplace();
    await call(place, 'fixed');
    const terminal = open(place);
    await terminal.sees('fixed');
    terminal.types('o');
    await terminal.sees('mine/fixed is locked');
    terminal.types('q');
    expect(await terminal.ended).toBe(0);
  });

  test('asks once more whether the call may pass when the answer is yes', async () => {
    const place = workplace();
    await call(place, 'deploy one');
    const terminal = open(place);
    await terminal.sees('deploy one');
    terminal.types('o');
    await terminal.sees('Let it pass once');
    const other = onTerminal(['allow', keptCode(place) ?? ''], { env: place.env, cwd: place.folder });
    await other.sees('[y/N]');
    other.types('y\r');
    expect(await other.ended).toBe(0);
    terminal.types('y');
    await terminal.sees('it is in force');
    terminal.types('q');
    expect(await terminal.ended).toBe(0);
  });

  test('shows nothing of a call that acts on the terminal', async () => {
    const place = workplace();
    await call(place, 'deploy \u001b]0;title\u0007\u001b[2J');
    const terminal = open(place);
    await terminal.sees('deploy');
    terminal.types('q');
    await terminal.ended;
    expect(terminal.shown()).not.toContain('\u001b]0;');
    expect(terminal.shown()).not.toContain('\u001b[2J');
  });

  test('notifies on the desktop of what is newly refused', async () => {
    const place = workplace();
    await call(place, 'deploy before');
    const path = join(place.folder, 'notify-send');
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" >> ${place.folder}/shown\n`);
    chmodSync(path, 0o755);
    const terminal = open(place, ['--notify'], { PATH: `${place.folder}:${place.env['PATH']}` });
    await terminal.sees('deploy before');
    await call(place, 'deploy after');
    await terminal.sees('deploy after');
    while (!existsSync(join(place.folder, 'shown'))) await Bun.sleep(20);
    terminal.types('q');
    await terminal.ended;
    const shown = readFileSync(join(place.folder, 'shown'), 'utf8');
    expect(shown).toContain('deploy after');
    expect(shown).not.toContain('deploy before');
  });

  test('is for people at a terminal', async () => {
    const place = workplace();
    const said = await place.run({ args: ['allow'] });
    expect([said.exitCode, said.stderr]).toEqual([2, expect.stringContaining('must be a terminal')]);
    const agent = open(place, [], { GEMINI_CLI: '1' });
    expect(await agent.ended).toBe(2);
    const silent = open(place, ['--notify'], { PATH: '/nonexistent' });
    expect([await silent.ended, silent.shown()]).toEqual([2, expect.stringContaining('Cannot notify')]);
  });
});
