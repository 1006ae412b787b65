import { describe, expect, test } from 'bun:test';
import type { Host, HostSetting } from '../../src/hosts/host.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { degrade } from '../../src/language/engine/degrade.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { atPath } from '../../src/lib/json-path.ts';
import { refusal } from '../../src/model/decision.ts';
import type { Event } from '../../src/model/event.ts';
import type { Rule } from '../../src/model/policy.ts';
import { program, rule, testMemory } from '../support/builders.ts';

const PNPM = rewriting({ program: { npm: 'pnpm', npx: 'pnpm dlx' } }, 'test/pnpm');
const LEASE = rewriting(
  { flags: [{ subcommand: ['git', 'push'], rename: { '-f': '--force-with-lease' } }] },
  'test/lease',
);

function rewriting(rewrite: JsonObject, id: string, when: JsonObject = { tool: 'shell' }): Rule {
  return rule({ action: 'modify', id, params: { rewrite }, when });
}

function judge(rules: readonly Rule[], event: Event, home?: string) {
  const surroundings = () => ({ home, workspace: '/work', realPath: (path: string) => path });
  return evaluate(createEngine(program(rules)), event, { memory: testMemory(), surroundings }).decision;
}

interface Setting extends HostSetting {
  readonly host: Host;
}

const SETTINGS: readonly Setting[] = HOSTS.flatMap((host) =>
  [undefined, ...host.versions].map((version) => ({
    host,
    version,
    env: {},
    cwd: '/work',
    interactive: false,
  })),
).filter(({ host, version }) => host.supports(version).before_tool?.actions.includes('modify'));

function callOf({ host, ...setting }: Setting, tool: string, args: JsonObject): Event {
  const decoded = host.decode(host.compose({ on: 'before_tool', tool, arguments: args }), setting);
  if (decoded.type !== 'event') throw new Error(`Cannot decode a call of ${host.name}`);
  return decoded.event;
}

/** What the host gets for a call. */
function answer(setting: Setting, rules: readonly Rule[], command: string): JsonObject {
  const event = callOf(setting, 'shell', { command, extra: { kept: [1] } });
  const support = setting.host.supports(setting.version)[event.kind];
  const decision = degrade(judge(rules, event), event, support, setting);
  return JSON.parse(setting.host.encode(event, decision, setting).stdout);
}

const REASON =
  'Refused by test/pnpm: Cannot replace program "npm" by "pnpm": its name is not in the command word for word; write "pnpm" there.';

/** Where each host's answer has the arguments of the rewritten call. */
const ARGUMENTS: Readonly<Record<string, (answer: JsonObject) => unknown>> = {
  cursor: (reply) => reply['updated_input'],
  crush: (reply) => reply['updated_input'],
  gemini: (reply) => atPath(reply, ['hookSpecificOutput', 'tool_input']),
  opencode: (reply) => reply['updatedInput'],
  openclaw: (reply) => reply['updatedInput'],
  jcli: (reply) => JSON.parse(String(reply['tool_arguments'])),
  picoclaw: (reply) => atPath(reply, ['result', 'call', 'arguments']),
};
const inDialect = (reply: JsonObject) => atPath(reply, ['hookSpecificOutput', 'updatedInput']);

describe.each(SETTINGS.map((setting) => [setting.host.name, setting.version ?? 'newest', setting] as const))(
  'a command rewritten on %s %s',
  (name, _version, setting) => {
    test('reaches the host with every other byte and argument as it was', () => {
      const reply = answer(
        setting,
        [PNPM, LEASE],
        "cd  'a b' &&\tnpm i; npx é 🙂 # npm\nsh -c 'git push -vf'",
      );
      expect((ARGUMENTS[name] ?? inDialect)(reply)).toEqual({
        command: "cd  'a b' &&\tpnpm i; pnpm dlx é 🙂 # npm\nsh -c 'git push -v --force-with-lease'",
        extra: { kept: [1] },
      });
    });

    test('is refused where it cannot be edited in place', () => {
      const command = 'X=npm; $X i';
      const refused = setting.host.encode(callOf(setting, 'shell', { command }), refusal(REASON), setting);
      expect(answer(setting, [PNPM], command)).toEqual(JSON.parse(refused.stdout));
    });
  },
);

const [FIRST] = SETTINGS;

describe('a command rewritten by policies', () => {
  function decide(rules: readonly Rule[], command: string, home?: string) {
    if (FIRST === undefined) throw new Error('Cannot test without a host');
    return judge(rules, callOf(FIRST, 'shell', { command }), home);
  }

  test('passes when it is judged again', () => {
    expect(decide([PNPM, LEASE], 'npm i && git push -f')).toMatchObject({
      action: 'modify',
      rewrites: ['program', 'flags'],
      subject: { arguments: { command: 'pnpm i && git push --force-with-lease' } },
    });
  });

  test('is left alone where there is nothing to do', () => {
    expect(decide([PNPM, LEASE], 'echo npm; git push --force-with-lease').action).toBe('continue');
  });

  test('changes the program before its flags', () => {
    const both = { program: { npm: 'pnpm' }, flags: [{ run: 'pnpm', add: ['--silent'] }] };
    expect(decide([rewriting(both, 'test/both')], 'npm i').subject).toMatchObject({
      arguments: { command: 'pnpm --silent i' },
    });
  });

  test('is refused by what denies the new program', () => {
    const denying = rule({ action: 'deny', id: 'test/no-pnpm', when: { command: 'pnpm' } });
    expect(decide([PNPM, denying], 'npm i')).toMatchObject({ action: 'deny', policyId: 'test/no-pnpm' });
  });

  test('is refused where policies disagree on the program', () => {
    const back = rewriting({ program: { pnpm: 'npm' } }, 'test/npm');
    expect(decide([back, PNPM], 'npm i').action).toBe('deny');
  });

  test('is read with the same home as by matchers', () => {
    const when = { command: 'npm' };
    const policy = rewriting({ program: { npm: 'pnpm' } }, 'test/pnpm', when);
    expect(decide([policy], '$HOME/bin/npm i', '/home/me').action).toBe('deny');
    expect(decide([policy], '$HOME/bin/npm i').action).toBe('continue');
  });

  test('may be typed into a running shell', () => {
    const setting = SETTINGS.find(({ host }) => host.name === 'picoclaw') ?? FIRST;
    if (setting === undefined) throw new Error('Cannot test without a host');
    const typed = callOf(setting, 'exec', { action: 'write', sessionId: '1', data: 'npm i\n' });
    expect(judge([PNPM], typed).subject).toEqual({
      tool: 'exec',
      arguments: { action: 'write', sessionId: '1', data: 'pnpm i\n' },
    });
  });
});
