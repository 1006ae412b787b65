import { describe, expect, test } from 'bun:test';
import { exampleProblems, runExamples } from '../../src/language/calls/examples.ts';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';

function problemsOf(policy: string): readonly string[] {
  const text = `version: 1\nname: demo\npolicies:\n  - ${policy}\n`;
  const { draft, diagnostics } = parsePolicyFile(text, 'demo.yaml', 'demo');
  expect(diagnostics).toEqual([]);
  if (draft === undefined) throw new Error('no draft');
  expect(runExamples(draft.rules, draft.examples).length).toBeGreaterThan(0);
  return exampleProblems(draft.rules, draft.examples).map(
    ({ code, position, message, hint }) => `${position.line} ${code} ${message}; ${hint ?? ''}`,
  );
}

describe('runExamples', () => {
  test('takes from the policy what an example does not say', () => {
    const policies = [
      `{id: a, tool: shell, tool_matcher: 'exec|run_shell_command', arguments: {command: push}, action: deny, reason: No, examples: {hit: [{command: git push}], miss: [{command: ls}]}}`,
      `{id: b, tool_matcher: 'mcp_github_*', action: deny, reason: No, examples: {hit: [{title: x}], miss: [{tool: mcp_other_x}]}}`,
      `{id: c, model_prefix: [weak-, tiny-], tool: [write, edit], action: deny, reason: No, examples: {hit: [{path: a}], miss: [{path: a, model: strong}]}}`,
      `{id: d, hosts: [jcli], event: {tool_name: Bash}, action: deny, reason: No, examples: {hit: [{tool: Bash, command: ls}], miss: [{tool: Shell, command: ls}]}}`,
      `{id: e, context: {chat_type: group}, tool: shell, action: deny, reason: No, examples: {hit: [{command: ls}], miss: [{command: ls, context: {chat_type: direct}}]}}`,
      `{id: f, on: before_llm, content: secret, action: abort_turn, reason: No, examples: {hit: [{messages: [{role: user, content: a secret}]}, {prompt: a secret}], miss: [{prompt: hello}]}}`,
      `{id: g, on: [before_prompt, after_tool], content: secret, action: deny, reason: No, examples: {hit: [{prompt: a secret}, {command: ls, result: a secret}], miss: [{prompt: x}]}}`,
    ];
    for (const policy of policies) expect([policy, problemsOf(policy)]).toEqual([policy, []]);
  });

  test('says why an example is not as it says', () => {
    const examples = 'examples: {hit: [{command: ls}], miss: [{command: git push}]}';
    expect(
      problemsOf(`{id: a, tool: shell, arguments: {command: push}, action: deny, reason: No, ${examples}}`),
    ).toEqual([
      '4 example Cannot confirm example "hit" of policy "demo/a": the policy does not match; arguments.command: wanted push, saw ls',
      '4 example Cannot confirm example "miss" of policy "demo/a": the policy matches; all of its keys hold: tool, arguments',
    ]);
  });

  test('names the key that cannot be told', () => {
    const skip = 'when_unknown: skip, examples: {hit: [{command: ls}]}';
    expect(
      problemsOf(`{id: a, tool: shell, any: [{context: {channel: x}}], action: deny, reason: No, ${skip}}`),
    ).toEqual([
      '4 example Cannot confirm example "hit" of policy "demo/a": the policy does not match; "any" cannot be known from this call',
    ]);
  });

  test('says what is unknown where that counts as a match', () => {
    const policy = 'command: {pushes_to: release/*}, action: deny, reason: No';
    expect(problemsOf(`{id: a, ${policy}, examples: {miss: [{command: git push}]}}`)).toEqual([
      '4 example Cannot confirm example "miss" of policy "demo/a": the policy matches; "command" cannot be known from this call, which counts as a match unless it says when_unknown: skip',
    ]);
  });

  test.each([
    ['tool: [fetch, shell], url: a.example', '{command: curl a.example}', 'all of its keys hold: tool, url'],
    ['tool: [shell, fetch], url: a.example', '{url: "https://a.example"}', 'all of its keys hold: tool, url'],
    ['tool: [shell, write], path: "src/**"', '{path: src/a}', 'all of its keys hold: tool, path'],
    ['tool: mcp, command: rm', '{command: rm a}', 'all of its keys hold: tool, command'],
    [
      'command: rm',
      '{command: rm a, host: gemini}',
      'write it beside "call", in a case of a *.test.yaml file',
    ],
    ['command: rm', '{tool_input: {command: rm a}}', 'write "arguments"'],
    ['command: rm, context: {branch: x}', '{command: rm a, branch: y}', 'write context: {branch: …}'],
  ])('a policy with %s does not pass over %s', (keys, call, why) => {
    const problems = problemsOf(`{id: a, ${keys}, action: deny, reason: No, examples: {miss: [${call}]}}`);
    expect(problems.map((text) => text.split('; ')[1])).toEqual([why]);
  });

  test('what another tool may do is no hit of a policy for one', () => {
    const policy = 'tool: fetch, url: a.example, action: deny, reason: No';
    expect(problemsOf(`{id: a, ${policy}, examples: {hit: [{command: curl a.example}]}}`)).toEqual([
      '4 example Cannot confirm example "hit" of policy "demo/a": the policy does not match; tool: wanted fetch, saw shell',
    ]);
  });

  test.each([
    ['tool: mcp, arguments: {host: x}', '{host: x, params: {}}'],
    ['arguments: {agent: x}', '{agent: x}'],
    ['arguments: {branch: main}', '{branch: main}'],
    ['arguments: {params: {exists: true}}', '{params: {a: 1}}'],
    ['arguments: {team: x}', '{team: x, host: y}'],
    ['tool: shell, arguments: {hosts.0: a}', '{hosts: [a]}'],
    ['tool: shell, any: [{arguments: {repository: a}}]', '{repository: a}'],
    ['tool: read, arguments_match: {properties: {input: {type: object}}}', '{input: {b: 1}}'],
  ])('a policy with %s keeps the arguments of %s', (keys, call) => {
    expect(problemsOf(`{id: a, ${keys}, action: deny, reason: No, examples: {hit: [${call}]}}`)).toEqual([]);
  });

  test('refuses calls that cannot be read or that no host of the policy has', () => {
    expect(
      problemsOf('{id: a, tool: shell, action: deny, reason: No, examples: {hit: [{prompt: x}]}}'),
    ).toEqual([
      '4 example Cannot use key "prompt" in a call of before_tool; it belongs to events without a tool; an argument of this name goes into "arguments"',
    ]);
    expect(
      problemsOf(
        '{id: a, hosts: [jcli], on: approve_tool, tool: shell, action: deny, reason: No, examples: {hit: [{command: x}]}}',
      ),
    ).toEqual(['4 example Cannot run the example: no agent of policy "demo/a" has event approve_tool; ']);
  });
});
