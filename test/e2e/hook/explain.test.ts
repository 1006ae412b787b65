import { describe, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { BareCall } from '../../../src/hosts/host.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { EventKind } from '../../../src/model/event.ts';
import { type Ran, runCli } from '../../cli/test-io.ts';
import { answerIn } from './in-process.ts';
import { workplace as newWorkplace, type Workplace } from './workplace.ts';

/** Each host is tried with other calls. */
const FIRST_SEED = 14;

/** Policies that go by the directory, the home directory, the model, the host and the words of a call. */
const POLICIES = `version: 1
policies:
  - {id: outside, path: {outside: workspace, uses: [write, delete]}, action: deny, reason: it is outside}
  - {id: cwd, context: {cwd: {regex: '^/workspace'}}, command: pwd, action: deny, reason: nobody works there}
  - {id: notes, path: ~/notes/**, action: deny, reason: not the notes}
  - id: push
    command: {subcommand: [git, push], flags: {any: [-f, --force]}}
    action: ask
    reason: it rewrites history
  - id: model
    on: [before_llm, before_tool]
    model_prefix: [gpt-4o, gemini-2.5]
    when_unknown: skip
    action: deny
    reason: not this model
  - id: words
    on: [before_prompt, before_llm, after_llm, after_tool, tool_failure]
    content: falcon
    action: deny
    reason: not this word
  - id: start
    on: [session_start, session_end, before_compact, after_compact, after_turn, notification]
    action: continue
    message: 'this is {{event}}'
`;

function workplace(): Workplace {
  return newWorkplace({ 'project/policy.yaml': POLICIES });
}

const FILES = ['a.txt', '../a.txt', '/workspace/a.txt', '~/notes/a', './src/../b', '"$X/a"'];
const commands = fc.oneof(
  fc.constantFrom('pwd', 'ls', 'git push', 'git push -f origin main', 'echo "git push -f"', 'cat ~/notes/a'),
  fc.constantFrom(...FILES).map((file) => `touch ${file}`),
  fc.constantFrom(...FILES).map((file) => `rm -f ${file}`),
);
const calls: fc.Arbitrary<JsonObject> = fc.oneof(
  commands.map((command) => ({ tool: 'shell', arguments: { command } })),
  fc.constantFrom(...FILES).map((path) => ({ tool: 'write', arguments: { path, content: 'x' } })),
  fc.constantFrom(...FILES).map((path) => ({ tool: 'read', arguments: { path } })),
);

/** A call on any event, with what it is about. */
function eventsOf(kinds: readonly EventKind[]): fc.Arbitrary<JsonObject> {
  const text = fc.constantFrom('hello', 'project falcon', 'a falcon\nand more');
  return fc.constantFrom(...kinds).chain((on): fc.Arbitrary<JsonObject> => {
    switch (on) {
      case 'before_tool':
      case 'approve_tool':
        return calls.map((call) => ({ on, ...call }));
      case 'after_tool':
      case 'tool_failure':
        return fc.tuple(calls, text).map(([call, result]) => ({ on, ...call, result }));
      case 'before_prompt':
      case 'prompt_sent':
        return text.map((prompt) => ({ on, prompt }));
      case 'before_llm':
      case 'tool_choice':
        return text.map((content) => ({ on, messages: [{ role: 'user', content }] }));
      case 'after_llm':
      case 'after_turn':
        return text.map((response) => ({ on, response }));
      default:
        return fc.constant({ on });
    }
  });
}

/** What the command says, in this process: what its own says is below. The hook's answers are those of real processes. */
function explain(options: readonly string[], stdin: string, { project, env }: Workplace): Promise<Ran> {
  return runCli(['explain', ...options, '--json'], { cwd: project, env, stdin });
}

describe('policy explain', () => {
  test.each(HOSTS.map((host, index) => [host.name, host, index] as const))(
    'gives the answer that the hook of %s gives to the same call in the same directory',
    async (name, host, index) => {
      const place = workplace();
      const { run, project } = place;
      const options = ['--host', name, '--policies', 'policy.yaml'];
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(calls, async (call) => {
          const message = host.compose({ on: 'before_tool', ...call, context: { cwd: project } } as BareCall);
          const answer = await run({
            args: ['hook', ...options, '--no-log'],
            input: `${JSON.stringify(message)}\n`,
          });
          const explained = await explain(options, JSON.stringify(call), place);
          const { reply, decision } = JSON.parse(explained.stdout);
          refused += decision.action === 'deny' ? 1 : 0;
          expect({ call, stdout: reply.stdout, exit_code: reply.exit_code }).toEqual({
            call,
            stdout: answer.stdout,
            exit_code: answer.exitCode,
          });
        }),
        {
          numRuns: 1,
          seed: FIRST_SEED + index,
          examples: [[{ tool: 'shell', arguments: { command: 'rm -f ../a.txt' } }]],
        },
      );
      expect(refused).toBeGreaterThan(0);
    },
  );

  test.each(HOSTS.map((host, index) => [host.name, host, index] as const))(
    'gives the answer that the hook of %s gives to its messages, whatever the event',
    async (name, host, index) => {
      const place = workplace();
      const { project } = place;
      const options = ['--host', name, '--policies', 'policy.yaml'];
      const kinds = [...new Set(Object.values(host.events))];
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(eventsOf(kinds), async (call) => {
          const message = host.compose({ ...call, context: { cwd: project } } as unknown as BareCall);
          const input = `${JSON.stringify(message)}\n`;
          const answer = await answerIn(place, [...options, '--no-log'], input);
          const explained = await explain(options, input, place);
          // What the agent is answered without judging is no event to explain.
          if (explained.exitCode === 2) return;
          const { reply, event, policies } = JSON.parse(explained.stdout);
          seen.add(event);
          expect({ call, stdout: reply.stdout, exit_code: reply.exit_code }).toEqual({
            call,
            stdout: answer.stdout,
            exit_code: answer.exitCode,
          });
          for (const { fate, why_not } of policies)
            expect(why_not !== null).toBe(fate === 'no_match' || fate === 'skipped');
        }),
        { numRuns: 5, seed: FIRST_SEED + index },
      );
      expect(seen.size).toBeGreaterThanOrEqual(Math.min(kinds.length, 4) / 2);
    },
  );

  test.each(
    HOSTS.filter((host) => host.supports(undefined).before_llm !== undefined).map(({ name }) => name),
  )('invents no model for a request of %s', async (name) => {
    const { stdout } = await workplace().run({
      args: ['explain', '--host', name, '--policies', 'policy.yaml', '--json'],
      input: JSON.stringify({ on: 'before_llm', prompt: 'hello' }),
    });
    expect(JSON.parse(stdout).policies.find(({ id }: { id: string }) => id === 'policy/model').truth).toBe(
      'unknown',
    );
  });
});

test('policy diff decides a bare call in this directory', async () => {
  const { run, project } = workplace();
  const lines = [
    { tool: 'shell', command: `touch ${project}/a` },
    { tool: 'shell', command: 'touch /workspace/a' },
  ];
  const { stdout } = await run({
    args: ['diff', 'builtin:git-safety', 'policy.yaml', '--json', '--calls', '-'],
    input: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  const { calls, differences } = JSON.parse(stdout);
  expect([calls, differences]).toEqual([2, [expect.objectContaining({ place: '-:2', change: 'tightened' })]]);
});

test('policy explain shows the answer of the agent whose hook is installed, else of one that is here', async () => {
  const { run, home } = workplace();
  const hostOf = async () =>
    JSON.parse((await run({ args: ['explain', '--policies', 'policy.yaml', '--json', '-c', 'ls'] })).stdout)
      .host;
  expect(await hostOf()).toBeNull();
  mkdirSync(join(home, '.codex'));
  expect(await hostOf()).toBe('codex');
  expect((await run({ args: ['install', '--yes', '--host', 'gemini'] })).exitCode).toBe(0);
  expect(await hostOf()).toBe('gemini');
});
