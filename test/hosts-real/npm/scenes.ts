import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scene } from '../real-host.ts';
import { type NpmHost, type Play, type Played, play } from './npm-host.ts';

const POLICIES = `
version: 1
name: house
policies:
  - {id: no-forbidden, description: d, tool: shell, arguments: {command: forbidden}, action: deny, reason: That is not for agents}
  - {id: asked, description: d, tool: shell, arguments: {command: asked}, action: ask, reason: Somebody has to agree}
  - {id: stopped, description: d, tool: shell, arguments: {command: stopped}, action: hard_abort, reason: Enough of this}
  - id: final
    description: d
    tool: shell
    arguments: {command: draft}
    action: modify
    rewrite: {replace: [{at: command, regex: draft, with: final}]}
  - id: keys
    description: d
    on: after_tool
    content: 'key-[0-9]+'
    action: modify
    rewrite: {redact: [{regex: 'key-[0-9]+', with: '[key]'}]}
  - {id: withheld, description: d, on: after_tool, content: classified, action: deny, reason: That result stays here}
  - {id: no-falcon, description: d, on: before_prompt, content: falcon, action: deny, reason: That name stays here}
  - {id: tests, description: d, on: after_turn, content: untested, action: retry_feedback, feedback: Run the tests first}
`;

/** What a host does where it cannot do what others can. */
export interface Expectations {
  readonly deny?: string;
  /** Before a person is asked where nobody is there. */
  readonly ask?: string;
  readonly stop?: string;
  readonly rewrite?: string;
  readonly result?: string;
  readonly prompt?: string;
  readonly retry?: string;
  /** Where the hook itself is broken: always, or in the scenes that are named. */
  readonly broken?: string | Readonly<Record<string, string>>;
  /** False where `policy scan` does not read its sessions. */
  readonly scan?: false;
  /** What the doctor makes of a session with a call that ran and one that was refused. */
  readonly proof?: string;
}

/** What the doctor says of its sessions. */
function proven(policy: string, host: string): (played: Played) => string {
  return ({ home, project }) => {
    const { stdout } = Bun.spawnSync([policy, 'doctor', '--json', '--host', host], {
      cwd: project,
      env: { HOME: home },
    });
    const [{ proof, loaded }] = JSON.parse(stdout.toString()).hosts;
    const how = proof === undefined ? 'no sessions' : howProven(proof);
    return loaded === undefined ? how : `${how}, the plugin was loaded`;
  };
}

function howProven({ judged, calls, by_call: byCall, bypasses }: Record<string, unknown>): string {
  const number = byCall === true ? '' : ', by number';
  return `${judged} of ${calls} judged${number}, ${(bypasses as unknown[]).length} ways past the hook`;
}

/** What a scan of its sessions says. */
function scanned(policy: string): (played: Played) => string {
  return ({ home }) => {
    const { stdout } = Bun.spawnSync([policy, 'scan', '--json'], { cwd: '/', env: { HOME: home } });
    const { calls, candidates } = JSON.parse(stdout.toString());
    const how = calls === 1 ? 'one call' : `${calls} calls`;
    return `${how}, refused by ${candidates[0]?.policy}`;
  };
}

export const NOT_RUN = 'the tool did not run, the model reads why';
export const ENDED = 'the tool did not run, and the run ended';

/** Every kind of answer, by the configuration that `policy install` writes. */
export async function* scenesOf(
  host: NpmHost,
  policy: string,
  expected: Expectations = {},
): AsyncIterable<Scene> {
  const shell = (command: string, more: Partial<Play> = {}): Play => ({
    policy,
    policies: POLICIES,
    answers: [host.shell(command)],
    ...more,
  });
  const ran = (name: string, why: string) => (played: Played) => {
    if (played.made(name)) return 'the tool RAN';
    if (played.requests.length === 0) return 'no request went to the model';
    if (played.requests.length === 1) return 'the tool did not run, and the run ended';
    return `the tool did not run, the model reads ${played.told(why) ? 'why' : 'something else'}`;
  };
  yield {
    name: 'deny a command',
    expected: expected.deny ?? NOT_RUN,
    seen: await play(host, shell('touch forbidden'), ran('forbidden', 'hat is not for agents')),
  };
  if (expected.scan !== false) {
    yield {
      name: 'find the command in the session that it has kept',
      expected: 'one call, refused by house/no-forbidden',
      seen: await play(host, shell('touch forbidden'), scanned(policy)),
    };
  }
  yield {
    name: 'hold the session against the decision log',
    expected: expected.proof ?? '1 of 1 judged, 0 ways past the hook',
    seen: await play(
      host,
      shell('', { answers: [host.shell('touch made'), host.shell('touch forbidden')] }),
      proven(policy, host.name),
    ),
  };
  yield {
    name: 'ask where nobody is there',
    expected: expected.ask ?? expected.deny ?? NOT_RUN,
    seen: await play(host, shell('touch asked'), ran('asked', 'omebody has to agree')),
  };
  yield {
    name: 'stop the run',
    expected: expected.stop ?? ENDED,
    seen: await play(host, shell('touch stopped'), ran('stopped', 'nough of this')),
  };
  yield {
    name: 'let a command pass',
    expected: 'the tool RAN',
    seen: await play(host, shell('touch made'), ran('made', '')),
  };
  yield {
    name: 'rewrite a command',
    expected: expected.rewrite ?? 'final is there, draft is not',
    seen: await play(host, shell('touch draft'), ({ made }) =>
      ['final', 'draft'].map((name) => `${name} is ${made(name) ? 'there' : 'not'}`).join(', '),
    ),
  };
  const reads = (secret: string, instead: string) => (played: Played) =>
    `the model reads ${played.told(secret) ? 'the' : 'no'} secret, and ${played.told(instead) ? 'what is left' : 'nothing'}`;
  yield {
    name: 'redact a result',
    expected: expected.result ?? 'the model reads no secret, and what is left',
    seen: await play(host, shell('echo key-$((100+23))'), reads('key-123', '[key]')),
  };
  yield {
    name: 'withhold a result',
    expected: expected.result ?? 'the model reads no secret, and what is left',
    seen: await play(host, shell('echo class"ified"'), reads('classified', 'result stays here')),
  };
  yield {
    name: 'deny a prompt',
    expected: expected.prompt ?? 'no request went to the model',
    seen: await play(host, shell('touch made', { prompt: 'call falcon' }), ran('made', '')),
  };
  yield {
    name: 'send the model back to work',
    expected: expected.retry ?? 'the model reads Run the tests first',
    seen: await play(host, shell('', { answers: ['done, untested'] }), ({ told }) =>
      told('un the tests first') ? 'the model reads Run the tests first' : 'the turn ended',
    ),
  };
  yield {
    name: 'a policy file that is broken',
    expected: expected.deny ?? NOT_RUN,
    seen: await play(
      host,
      shell('touch made', {
        prepare: (home) => writeFileSync(join(home, '.config/policy/house.yaml'), 'version: 1\npolicies: ['),
        policies: 'version: 1\npolicies: []\n',
      }),
      ran('made', 'cannot be judged'),
    ),
  };
  for (const [name, script] of Object.entries(BROKEN)) {
    yield {
      name,
      expected:
        (typeof expected.broken === 'object' ? expected.broken[name] : expected.broken) ??
        expected.deny ??
        NOT_RUN,
      seen: await play(
        host,
        shell('touch made', {
          policies: 'version: 1\npolicies: []\n',
          prepare: (home) => replaceProgram(home, policy, script),
        }),
        ran('made', 'policy hook has failed'),
      ),
    };
  }
}

/** What is in the place of the program when something is wrong with it; nothing at all where it is undefined. */
const BROKEN: Readonly<Record<string, string | undefined>> = {
  'a hook that is not there': undefined,
  'a hook that is killed': 'kill -9 $$',
  'a hook that says nothing': 'exit 0',
  'a hook that prints no JSON': 'echo everything is fine',
};

/** Puts another program in the place of ours in every file that the install has written. */
function replaceProgram(home: string, policy: string, script: string | undefined): void {
  const program = join(home, 'program');
  if (script !== undefined) writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  Bun.spawnSync([
    'grep',
    '-rlF',
    `${policy} hook`,
    home,
    '--include=*.js*',
    '--include=*.toml',
    '--include=*.yaml',
  ])
    .stdout.toString()
    .split('\n')
    .filter((path) => path !== '' && !path.includes('/.local/'))
    .forEach((path) => {
      Bun.spawnSync(['sed', '-i', `s#${policy} hook#${program} hook#g`, path]);
    });
}
