import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { onTerminal } from '../../support/pty.ts';
import { workplace as newWorkplace, type Workplace } from '../hook/workplace.ts';
import { type CallOptions, call } from './call.ts';

const PUSH = 'git push -f origin topic';

const POLICIES = `version: 1
policies:
  - {id: no-push, tool: shell, arguments: {command: 'git push'}, action: deny, reason: Pushing is for people}
  - {id: no-force, tool: shell, arguments: {command: '--force'}, action: deny}
  - {id: no-secrets, tool: shell, arguments: {command: secret}, action: deny, locked: true}
  - {id: no-write, tool: write, action: deny}
`;

function workplace(): Workplace {
  return newWorkplace({ 'home/.config/policy/mine.yaml': POLICIES });
}

function log(place: Workplace): readonly Record<string, unknown>[] {
  const text = readFileSync(join(place.state, 'decisions.jsonl'), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line));
}

/** Refuses a call and gives its code. */
async function refused(place: Workplace, command: string = PUSH, options: CallOptions = {}): Promise<string> {
  expect(await call(place, command, options)).toBe('refused');
  const code = log(place).at(-1)?.['code'];
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}$/);
  return String(code);
}

/** Types `policy allow` and an answer on a terminal. */
async function allow(place: Workplace, args: readonly string[], answer?: string) {
  const terminal = onTerminal(['allow', ...args], { env: place.env, cwd: place.folder });
  if (answer !== undefined) {
    await terminal.sees('[y/N]');
    terminal.types(`${answer}\r`);
  }
  const exitCode = await terminal.ended;
  return { exitCode, shown: terminal.shown().replaceAll('\r\n', '\n') };
}

describe('policy allow', () => {
  test('lets the call pass once, past the policy that refused it', async () => {
    const place = workplace();
    const code = await refused(place);
    const { exitCode, shown } = await allow(place, [code.toLowerCase()], 'y');
    expect([exitCode, shown]).toEqual([0, expect.stringContaining('Allowed')]);
    expect(shown).toContain(PUSH);
    expect(shown).toContain('mine/no-push');
    // The model words its description anew.
    const again = { arguments: { command: PUSH, description: 'another text' } };
    expect(await call(place, '', again)).toBe('passed');
    expect(log(place).at(-1)).toMatchObject({
      action: 'continue',
      allowed: code,
      policies: expect.arrayContaining([{ id: 'mine/no-push', how: 'excepted', action: 'deny' }]),
    });
    const next = await refused(place);
    expect(next).not.toBe(code);
  });

  test.each<[string, string, CallOptions]>([
    ['another command', `${PUSH} --tags`, {}],
    ['a command around it', `${PUSH}; ls`, {}],
    ['another folder', PUSH, { cwd: '/' }],
    ['further arguments', PUSH, { arguments: { command: PUSH, dir_path: '/' } }],
  ])('lets nothing else pass: %s', async (_name, command, options) => {
    const place = workplace();
    const code = await refused(place);
    expect((await allow(place, [code], 'y')).exitCode).toBe(0);
    expect(await call(place, command, options)).toBe('refused');
    expect(await call(place, PUSH)).toBe('passed');
  });

  test('names every policy that refuses the call, and lets it pass those', async () => {
    const place = workplace();
    const code = await refused(place, `${PUSH} --force`);
    const { shown } = await allow(place, [code], 'y');
    expect(shown).toContain('mine/no-push, mine/no-force');
    expect(await call(place, `${PUSH} --force`)).toBe('passed');
  });

  test('does not let it past a policy that came since', async () => {
    const place = workplace();
    const code = await refused(place);
    await allow(place, [code, '--for', '1h'], 'y');
    place.write({
      'home/.config/policy/more.yaml':
        'version: 1\npolicies: [{id: x, tool: shell, arguments: {command: origin}, action: deny}]\n',
    });
    expect(await call(place, PUSH)).toBe('refused');
    expect(log(place).at(-1)?.['grant_problem']).toContain(code);
  });

  test('gives the same call one code until it is let pass', async () => {
    const place = workplace();
    expect(await refused(place)).toBe(await refused(place));
  });

  test('lets it pass for a time, or for a session', async () => {
    const place = workplace();
    const forTime = await refused(place);
    expect((await allow(place, [forTime, '--for', '1h'], 'y')).exitCode).toBe(0);
    for (const _ of [1, 2]) expect(await call(place, PUSH)).toBe('passed');
    expect((await allow(place, ['revoke', forTime])).exitCode).toBe(0);
    const forSession = await refused(place);
    expect((await allow(place, [forSession, '--session'], 'y')).exitCode).toBe(0);
    for (const _ of [1, 2]) expect(await call(place, PUSH)).toBe('passed');
    expect(await call(place, PUSH, { session: 's2' })).toBe('refused');
  });

  test('lets calls like it pass by the pattern that it shows', async () => {
    const place = workplace();
    const code = await refused(place);
    const { shown } = await allow(place, [code, '--like', '--for', '1h'], 'y');
    expect(shown.replace(/\x1b\[\d+m/g, '')).toContain('command: git push -f origin *');
    expect(await call(place, 'git push -f origin other-topic')).toBe('passed');
    for (const other of [
      'git push -f origin a b',
      'git push -f origin a;ls',
      'git push -f origin --all',
      'git push -f origin ../x',
      'git push -f origin $(ls)',
      'git push -f origin\ta',
      'git push -f origin',
    ])
      expect([other, await call(place, other)]).toEqual([other, 'refused']);
  });

  test('writes an exception with an end into the file of the user, and keeps what is there', async () => {
    const place = workplace();
    const file = join(place.home, '.config/policy/exceptions.yaml');
    place.write({
      'home/.config/policy/exceptions.yaml':
        'version: 1\n# mine\nexceptions:\n  # of old\n  - {policy: p/x, tool: shell, owner: me, reason: r, expires: 2999-01-01}\n',
    });
    const code = await refused(place);
    const { exitCode, shown } = await allow(place, [code, '--always', '--reason', 'our build'], 'y');
    expect([exitCode, shown]).toEqual([0, expect.stringContaining('policy: mine/no-push')]);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('# of old');
    expect(text).toContain('reason: our build');
    for (const _ of [1, 2]) expect(await call(place, PUSH)).toBe('passed');
    expect(await call(place, `${PUSH}; ls`)).toBe('refused');
    const check = await place.run({ args: ['check', file] });
    expect([check.exitCode, check.stderr]).toEqual([0, '']);
  });

  test.each([['n'], [''], ['allow']])('lets nothing pass where the answer is "%s"', async (answer) => {
    const place = workplace();
    const code = await refused(place);
    expect((await allow(place, [code], answer)).exitCode).toBe(1);
    expect(await call(place, PUSH)).toBe('refused');
  });

  test.each([
    [
      'is used twice',
      async (place: Workplace, code: string) => {
        await allow(place, [code], 'y');
        expect(await call(place, PUSH)).toBe('passed');
      },
      'it was used',
    ],
    [
      'is in force',
      async (place: Workplace, code: string) => void (await allow(place, [code], 'y')),
      'it is in force',
    ],
    [
      'was taken back',
      async (place: Workplace, code: string) => {
        await allow(place, [code], 'y');
        await allow(place, ['revoke', code]);
        expect(await call(place, PUSH)).toBe('refused');
      },
      'taken back',
    ],
  ])('takes no code that %s', async (_name, before, why) => {
    const place = workplace();
    const code = await refused(place);
    await before(place, code);
    const { exitCode, shown } = await allow(place, [code]);
    expect([exitCode, shown]).toEqual([1, expect.stringContaining(why)]);
  });

  test('takes no code any more after five wrong ones', async () => {
    const place = workplace();
    const code = await refused(place);
    for (const wrong of ['000000', '000001', '000002', '000003', '000004'])
      expect((await allow(place, [wrong])).shown).toContain('Cannot find code');
    const { exitCode, shown } = await allow(place, [code]);
    expect([exitCode, shown]).toEqual([1, expect.stringContaining('too many were wrong')]);
  });

  test('does not let a call past a locked policy', async () => {
    const place = workplace();
    const code = await refused(place, 'cat secret');
    const { exitCode, shown } = await allow(place, [code]);
    expect([exitCode, shown]).toEqual([1, expect.stringContaining('mine/no-secrets is locked')]);
  });

  test('keeps no secret of a call, and allows such a call exactly', async () => {
    const place = workplace();
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const command = `git push https://x:${token}@example.com/r`;
    const code = await refused(place, command);
    const folder = join(place.state, 'allow/refused');
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), 'utf8')).not.toContain(token);
    expect((await allow(place, [code, '--like'])).exitCode).toBe(2);
    expect((await allow(place, [code], 'y')).exitCode).toBe(0);
    expect(await call(place, command.replace('example', 'elsewhere'))).toBe('refused');
    expect(await call(place, command)).toBe('passed');
  });

  test('shows what was refused and what is let pass, as text and as data', async () => {
    const place = workplace();
    const first = await refused(place);
    const second = await refused(place, 'git push other');
    await allow(place, [first], 'y');
    const text = await allow(place, ['list']);
    expect([text.exitCode, text.shown]).toEqual([0, expect.stringContaining(second)]);
    const data = JSON.parse((await allow(place, ['list', '--json'])).shown);
    expect(data.refused.map((each: { code: string; allowed: boolean }) => [each.code, each.allowed])).toEqual(
      [
        [second, false],
        [first, true],
      ],
    );
    expect(data.allowed).toMatchObject([{ code: first, scope: 'once' }]);
  });
});

describe('who sees codes', () => {
  test.each([[['allow', 'list']], [['allow', 'list', '--json']], [['log', '--json']], [['log', '-v']]])(
    'a person at a terminal, no pipe and no agent: %p',
    async (args) => {
      const place = workplace();
      const code = await refused(place);
      const terminal = onTerminal(args, { env: place.env, cwd: place.folder });
      await terminal.ended;
      expect(terminal.shown()).toContain(code);
      const piped = await place.run({ args });
      expect([piped.exitCode, piped.stdout]).toEqual([
        0,
        expect.stringMatching(/mine\/no-push|git-push-force, /),
      ]);
      expect(piped.stdout).not.toContain(code);
      const agents = onTerminal(args, { env: { ...place.env, GEMINI_CLI: '1' }, cwd: place.folder });
      await agents.ended;
      expect(agents.shown()).not.toContain(code);
    },
  );

  test('the person who is asked sees the tool, and the size of what does not fit', async () => {
    const place = workplace();
    const code = await refused(place, `git push ${'x'.repeat(3_000)}`);
    const shown = await allow(place, ['list']);
    expect(shown.shown.replace(/\s+/g, ' ')).toContain('(3,009 characters)');
    expect((await allow(place, [code], 'n')).shown).toMatch(/tool\S*\s+run_shell_command/);
  });
});

describe('who may allow', () => {
  test('nobody without a terminal', async () => {
    const place = workplace();
    const code = await refused(place);
    const said = await place.run({ args: ['allow', code], input: 'y\n' });
    expect([said.exitCode, said.stderr]).toEqual([2, expect.stringContaining('must be a terminal')]);
    expect(await call(place, PUSH)).toBe('refused');
  });

  test('no agent, whatever it puts between', async () => {
    const place = workplace();
    const code = await refused(place);
    const agent = join(place.folder, 'gemini');
    writeFileSync(agent, '#!/bin/sh\n"$@"\nexit $?\n');
    chmodSync(agent, 0o755);
    const through = async (program: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const terminal = onTerminal(['allow', code], {
        env: { ...place.env, ...env },
        cwd: place.folder,
        program,
      });
      const exitCode = await terminal.ended;
      expect([exitCode, terminal.shown()]).toEqual([
        2,
        expect.stringContaining('an agent has started this process'),
      ]);
    };
    await through([agent, BINARY]);
    await through([agent, 'sh', '-c', '"$@"; exit $?', 'sh', 'env', '-i', `HOME=${place.home}`, BINARY]);
    await through([BINARY], { GEMINI_CLI: '1' });
    // A variable that only a process in between has.
    await through(['sh', '-c', 'env -u GEMINI_CLI "$@"; exit $?', 'sh', BINARY], { GEMINI_CLI: '1' });
    expect(await call(place, PUSH)).toBe('refused');
  });

  test('no agent by way of its own calls', async () => {
    const place = newWorkplace();
    for (const command of [
      'policy allow ABCDEF',
      'policy allow',
      'policy allow list',
      'cp -r ~/.local /tmp/x',
      'cat ~/.local/state/policy/log/decisions.jsonl',
      'tmux send-keys -t 0 y Enter',
      'echo x > ~/.local/state/policy/allow/granted/x',
      'cat ~/.local/state/policy/allow/key',
    ])
      expect([command, await call(place, command)]).toEqual([command, 'refused']);
    for (const command of ['policy log', 'policy allow --help', 'ls -R ~/.local/state/policy'])
      expect([command, await call(place, command)]).toEqual([command, 'passed']);
  });
});

describe('what was let pass', () => {
  /** A place where a call was let pass once, with the file of the grant. */
  async function allowed() {
    const place = workplace();
    await allow(place, [await refused(place)], 'y');
    const folder = join(place.state, 'allow/granted');
    const [name = ''] = readdirSync(folder);
    return { place, path: join(folder, name) };
  }

  test('is used by one of many processes that try at once', async () => {
    const { place } = await allowed();
    const fates = await Promise.all(Array.from({ length: 8 }, () => call(place, PUSH)));
    expect(fates.filter((fate) => fate === 'passed')).toHaveLength(1);
  });

  test('does not come back with a copy of its file', async () => {
    const { place, path } = await allowed();
    const copy = join(place.folder, 'copy');
    copyFileSync(path, copy);
    expect(await call(place, PUSH)).toBe('passed');
    expect(existsSync(path)).toBe(false);
    for (const name of [path, join(place.state, 'allow/granted/another')]) {
      copyFileSync(copy, name);
      expect(await call(place, PUSH)).toBe('refused');
    }
  });

  test.each<[string, (text: string) => string]>([
    ['changed', (text) => text.replace('"once"', '"for"')],
    ['half written', (text) => text.slice(0, 100)],
    ['empty', () => ''],
  ])('does not count where its file is %s, and the log says so', async (_name, change) => {
    const { place, path } = await allowed();
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    expect(await call(place, PUSH)).toBe('refused');
    expect(log(place).at(-1)?.['grant_problem']).toContain('is not signed with the key of this machine');
  });

  test('does not count on another machine, which has another key', async () => {
    const { place, path } = await allowed();
    const other = workplace();
    await refused(other);
    const folder = join(other.state, 'allow/granted');
    mkdirSync(folder, { mode: 0o700 });
    copyFileSync(path, join(folder, 'x'));
    expect(await call(other, PUSH, { cwd: place.project })).toBe('refused');
    expect(log(other).at(-1)?.['grant_problem']).toContain('is not signed');
  });

  test('does not count where it cannot be marked as used', async () => {
    const { place } = await allowed();
    writeFileSync(join(place.state, 'allow/used'), '');
    expect(await call(place, PUSH)).toBe('refused');
    expect(log(place).at(-1)).toMatchObject({ action: 'deny', grant_problem: expect.any(String) });
  });

  test.each([['allow'], ['allow/granted'], ['allow/key']])(
    'does not count where %s is broken',
    async (part) => {
      const { place } = await allowed();
      const path = join(place.state, part);
      if (part === 'allow/key') writeFileSync(path, 'zz');
      else chmodSync(path, 0o777);
      expect(await call(place, PUSH)).toBe('refused');
      expect(log(place).at(-1)).toMatchObject({ action: 'deny', grant_problem: expect.any(String) });
      expect(await call(place, 'ls')).toBe('passed');
    },
  );

  test('lies in files that only their owner can read', async () => {
    const { place, path } = await allowed();
    for (const file of [path, join(place.state, 'allow/key')])
      expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });
});
