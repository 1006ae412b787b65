import { describe, expect, test } from 'bun:test';
import { findSuites } from '../../src/tools/cli/test/find-suites.ts';
import { suitePorts } from '../../src/tools/cli/test/suite-ports.ts';
import { type MutationEvent, runMutants } from '../../src/tools/suite/mutate/run-mutants.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function eventsFor(policy: string, tests: string): readonly MutationEvent[] {
  const at = temporaryFolder({
    '.policy/demo.yaml': `version: 1\nname: demo\npolicies:\n${policy}`,
    '.policy/demo.test.yaml': `cases:\n${tests}`,
  });
  return [...runMutants(findSuites([], at), () => true, suitePorts({ cwd: at, env: {} }))];
}

/** Every change with what became of it. */
function mutants(policy: string, tests: string): Readonly<Record<string, string>> {
  const entries = eventsFor(policy, tests).map((event) => {
    if (event.type === 'red') throw new Error(`${event.failed} cases fail`);
    return [`${event.position.line} ${event.change}`, event.noticed ? 'noticed' : 'survived'];
  });
  return Object.fromEntries(entries);
}

describe('runMutants', () => {
  test('finds what the cases of a policy do not notice', () => {
    const policy = `  - id: push
    tool: shell
    arguments: {command: '^git (push|fetch)', cwd: /repo}
    not: {arguments: {command: dry}}
    action: deny
    reason: No
`;
    const tests = `  - {call: {command: git push, cwd: /repo}, expect: deny}
  - {call: {command: git push --dry, cwd: /repo}, expect: continue}
`;
    expect(mutants(policy, tests)).toEqual({
      '4 without the policy': 'noticed',
      '8 with action "ask"': 'noticed',
      '5 without "tool"': 'survived',
      '6 without "arguments"': 'survived',
      '6 without "command"': 'survived',
      '6 without alternative "push"': 'noticed',
      '6 without alternative "fetch"': 'survived',
      '6 without "^"': 'survived',
      '6 without "cwd"': 'survived',
      '7 without "not"': 'noticed',
    });
  });

  test('finds nothing once the cases tell everything apart', () => {
    const policy = `  - id: push
    tool: shell
    arguments: {command: '^git (push|fetch)'}
    action: deny
    reason: No
    examples: {hit: [{command: git fetch}], miss: [{command: grep git push}]}
`;
    const tests = `  - {call: {command: git push}, expect: deny}
  - {calls: [{tool: read, command: git push}, {command: ls}], expect: continue}
`;
    expect(Object.values(mutants(policy, tests)).filter((state) => state !== 'noticed')).toEqual([]);
  });

  test('an example notices what a policy matches, not what it does', () => {
    const policy = `  - {id: a, arguments: {command: a}, action: deny, reason: No, examples: {hit: [{command: a}], miss: [{command: b}]}}\n`;
    expect(mutants(policy, '  - {call: {command: b}, expect: continue}\n')).toEqual({
      '4 without the policy': 'survived',
      '4 with action "ask"': 'survived',
      '4 without "arguments"': 'noticed',
    });
  });

  test('weakens actions, events, tables and rewrites', () => {
    const policy = `  - {id: stop, on: [before_tool, before_prompt], action: hard_abort, reason: No, any: [{content: stop}, {arguments: {command: stop}}]}
  - {id: weather, tool_matcher: weather, action: respond, table: {by: city, rows: {Rome: sunny, Oslo: dark}, otherwise: none}}
  - {id: fix, tool: write, action: modify, rewrite: {set: {path: /a, mode: 1}, replace: [{at: content, regex: x, with: y}, {at: content, regex: z, with: q}]}}
`;
    const tests = `  - {call: {prompt: stop}, expect: hard_abort}
  - {call: {tool: weather, city: Rome}, expect: {result: sunny}}
  - {call: {tool: weather, city: Bonn}, expect: {result: {for_llm: none}}}
  - {call: {tool: write, path: /b, content: x}, expect: {call: {content: y}}}
`;
    const found = mutants(policy, tests);
    expect(found).toMatchObject({
      '4 with action "abort_turn"': 'noticed',
      '4 without event "before_tool"': 'survived',
      '4 without event "before_prompt"': 'noticed',
      '5 without row "Rome"': 'noticed',
      '5 without row "Oslo"': 'survived',
      '5 without "otherwise"': 'noticed',
      '6 without "set"': 'survived',
      '6 without "replace"': 'noticed',
      '6 without "mode" of "set"': 'survived',
      '6 without item 1 of "replace"': 'noticed',
      '6 without item 2 of "replace"': 'survived',
    });
  });

  test('notices a policy that only matters to a call as rewritten', () => {
    const policy = `  - {id: fix, arguments: {command: '^a'}, action: modify, rewrite: {set: {command: b}}}
  - {id: no-b, arguments: {command: '^b'}, action: deny, reason: No}
`;
    const found = mutants(policy, '  - {call: {command: a}, expect: deny}\n');
    expect(found['5 without the policy']).toBe('noticed');
    expect(found['5 with action "ask"']).toBe('survived');
  });

  test('notices what changes earlier calls of the session', () => {
    const policy = `  - {id: again, on: after_turn, content: done, action: retry_feedback, feedback: Test it, max_retries: 1}\n`;
    const tests = `  - {call: {on: after_turn, response: well done}, history: [{on: after_turn, response: done}], expect: deny}\n`;
    expect(mutants(policy, tests)).toEqual({
      '4 without the policy': 'noticed',
      '4 without "content"': 'survived',
    });
  });

  test('says so if cases fail already', () => {
    const policy = '  - {id: a, tool: shell, action: deny, reason: No}\n';
    expect(eventsFor(policy, '  - {call: {command: ls}, expect: ask}\n')).toEqual([
      { type: 'red', failed: 1 },
    ]);
  });
});
