import { describe, expect, test } from 'bun:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { eventsIn, outcomeOf, resultsIn } from './suite-in.ts';

const NO_RM = `version: 1
name: demo
policies:
  - {id: no-rm, tool: shell, arguments: {command: '^rm '}, action: deny, reason: It deletes for good}
`;

describe('runSuite', () => {
  test('judges earlier calls of the session first, with one memory', () => {
    const at = temporaryFolder({
      '.policy/a.yaml': `version: 1
policies:
  - {id: again, on: after_turn, content: done, action: retry_feedback, feedback: Test it, max_retries: 2, on_exhausted: hard_abort}
  - {id: weak, tool: shell, model_prefix: small, action: deny, reason: Too weak, when_unknown: skip}
`,
      '.policy/a.test.yaml': `calls: {turn: {on: after_turn, response: done}, think: {messages: [], model: small-1}}
cases:
  - {call: turn, history: [turn], expect: retry_feedback}
  - {call: turn, history: [turn, turn], expect: hard_abort}
  - {call: {command: ls}, expect: continue}
  - {call: {command: ls}, history: [think], expect: {policy: weak}}
  - {call: {command: ls}, history: [think], hosts: [gemini], expect: {policy: weak}}
`,
    });
    expect(resultsIn(at).map(outcomeOf)).toEqual(['passed', 'passed', 'passed', 'passed', 'passed']);
  });

  test('fits decisions to the host that a case names', () => {
    const at = temporaryFolder({
      '.policy/a.yaml': `version: 1
policies:
  - {id: secret, on: after_tool, content: s3cret, action: modify, rewrite: {redact: [{regex: s3cret, with: gone}]}}
  - {id: sure, tool: shell, arguments: {command: deploy}, action: ask, reason: Deploying}
`,
      '.policy/a.test.yaml': `calls: {leak: {command: cat x, result: a s3cret}, deploy: {command: deploy}}
cases:
  - {call: leak, expect: modify}
  - {call: leak, hosts: [picoclaw], expect: modify}
  - {call: leak, hosts: [gemini], expect: {action: deny, reason: a gone}}
  - {call: deploy, expect: ask}
  - {call: deploy, hosts: [gemini, jcli], expect: deny}
  - {call: deploy, hosts: [gemini], interactive: true, expect: ask}
`,
    });
    expect(resultsIn(at).map(outcomeOf)).toEqual(Array.from({ length: 7 }, () => 'passed'));
  });

  test("answers a host's own messages, several of them with one memory", () => {
    const at = temporaryFolder();
    const call = (id: number, command: string) =>
      `{jsonrpc: "2.0", id: ${id}, method: hook.before_tool, params: {tool: exec, arguments: {command: ${command}}}}`;
    writeFiles(at, {
      '.policy/a.yaml': NO_RM,
      '.policy/a.test.yaml': `cases:
  - host: picoclaw
    stdin: [${call(1, 'ls')}, ${call(2, 'rm x')}]
    expect: {action: deny, stdout: [{id: 1, result: {action: continue}}, {id: 2, result: {action: deny_tool}}]}
  - host: picoclaw
    stdin: |
      {"jsonrpc":"2.0","id":0,"method":"hook.hello","params":{}}
      {"jsonrpc":"2.0","id":2,"method":"hook.before_tool","params":{"tool":"exec","arguments":{"command":"rm x"}}}
    expect: {stdout: {id: 2, result: {action: deny_tool}}}
  - host: gemini
    stdin: 'no json'
    expect: {exit: 2}
  - host: gemini
    stdin: {hook_event_name: SomethingNew}
    expect: {action: continue, exit: 0}
`,
    });
    expect(resultsIn(at).map(outcomeOf)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  test('skips a case and keeps its reason', () => {
    const at = temporaryFolder({
      '.policy/a.yaml': NO_RM,
      '.policy/a.test.yaml': 'cases:\n  - {call: {command: rm x}, expect: ask, skip: not decided yet}\n',
    });
    expect(resultsIn(at).map(outcomeOf)).toEqual(['skipped: not decided yet']);
  });

  test('tells what is wrong with a test file and goes on with the others', () => {
    const at = temporaryFolder({
      '.policy/a.yaml': NO_RM,
      '.policy/a.test.yaml': 'cases:\n  - {call: x, expect: deny}\n',
      '.policy/b.test.yaml': 'cases:\n  - {call: {command: rm x}, expect: deny}\n',
    });
    const events = eventsIn(at);
    expect(events).toContainEqual(expect.objectContaining({ type: 'problems', kind: 'tests' }));
    expect(resultsIn(at).map(outcomeOf)).toEqual(['passed']);
    expect(events.at(-1)).toMatchObject({ counts: { passed: 1, failed: 0, broken: 1 } });
  });

  test('runs nothing against policies that cannot be loaded, and goes on with other suites', () => {
    const at = temporaryFolder({
      'policies/a/policy.yaml': 'version: 1\npolicies:\n  - {id: x, action: denny}\n',
      'policies/a/a.test.yaml': 'cases:\n  - {call: {command: rm x}, expect: deny}\n',
      'policies/b/policy.yaml': NO_RM,
      'policies/b/b.test.yaml': 'cases:\n  - {call: {command: rm x}, expect: deny}\n',
    });
    expect(eventsIn(at)).toContainEqual(expect.objectContaining({ type: 'problems', kind: 'policies' }));
    expect(resultsIn(at).map(({ suite, status }) => [suite, status.type])).toEqual([
      ['policies/b', 'passed'],
    ]);
  });

  test('a broken file does not stop the tests of a sound one beside it', () => {
    const at = temporaryFolder();
    const cases = 'cases:\n  - {call: {command: rm x}, expect: deny}\n';
    writeFiles(at, {
      '.policy/sound.yaml': NO_RM.replace('reason:', 'examples: {hit: [{command: rm y}]}, reason:'),
      '.policy/sound.test.yaml': cases,
      '.policy/broken.yaml': 'version: 1\npolicies:\n  - {id: x, action: denny}\n',
      '.policy/broken.test.yaml': cases,
      '.policy/all.test.yaml': cases,
      '.policy/named.test.yaml': `policies: [broken.yaml, gone.yaml]\n${cases}`,
    });
    const places = eventsIn(at).flatMap((event) =>
      event.type === 'problems' ? event.diagnostics.map(({ position }) => position) : [],
    );
    expect(places).toContainEqual(
      expect.objectContaining({ file: '.policy/named.test.yaml', line: 1, column: 25 }),
    );
    expect(resultsIn(at).map(({ position, status }) => [position.file, status.type])).toEqual([
      ['.policy/sound.yaml', 'passed'],
      ['.policy/sound.test.yaml', 'passed'],
    ]);
  });

  test('tests the policies that a file names instead of those beside it', () => {
    const at = temporaryFolder({
      '.policy/a.yaml': NO_RM,
      'other/b.yaml':
        'version: 1\nname: other\npolicies:\n  - {id: all, tool: shell, action: deny, reason: No}\n',
      '.policy/a.test.yaml': 'cases:\n  - {call: {command: ls}, expect: continue}\n',
      '.policy/b.test.yaml':
        'policies: [../other/b.yaml]\ncases:\n  - {call: {command: ls}, expect: {policy: other/all}}\n',
      '.policy/c.test.yaml':
        'policies: [../other]\ncases:\n  - {call: {command: rm x}, expect: {policy: other/all}}\n',
    });
    expect(resultsIn(at).map(outcomeOf)).toEqual(['passed', 'passed', 'passed']);
  });

  test('runs only what is wanted, in the order that is asked for, and stops at a failure', () => {
    const at = temporaryFolder({
      '.policy/a.yaml': NO_RM,
      '.policy/a.test.yaml':
        'cases:\n  - {name: one, call: {command: ls}, expect: deny}\n  - {name: two, call: {command: ls}, expect: deny}\n',
    });
    const names = (options: Parameters<typeof resultsIn>[1]) =>
      resultsIn(at, options).map(({ name }) => name);
    expect(names({ wanted: (name) => name.endsWith('two') })).toEqual(['two']);
    expect(names({ order: (items) => items.toReversed() })).toEqual(['two', 'one']);
    expect(names({ bail: true })).toEqual(['one']);
    expect(eventsIn(at, { bail: true }).at(-1)).toMatchObject({ type: 'suite_ended', counts: { failed: 1 } });
  });

  test('runs examples of policies, those of folders below a suite included', () => {
    const at = temporaryFolder();
    const example = (id: string, hit: string) =>
      `version: 1\npolicies:\n  - {id: ${id}, tool: shell, arguments: {command: '^rm '}, action: deny, reason: No, examples: {hit: [{command: ${hit}}]}}\n`;
    writeFiles(at, {
      '.policy/a.test.yaml': 'cases:\n  - {call: {command: rm x}, expect: deny}\n',
      '.policy/a.yaml': example('a', 'rm a'),
      '.policy/deep/b.yaml': example('b', 'rmdir b'),
    });
    expect(resultsIn(at).map(({ name, status }) => [name, status.type])).toEqual([
      ['hit of a/a: shell rm a', 'passed'],
      ['hit of b/b: shell rmdir b', 'failed'],
      ['shell rm x', 'passed'],
    ]);
  });
});

describe('judge', () => {
  const POLICY = `version: 1
name: demo
judges:
  careful: {provider: openai-compatible, base_url: 'http://127.0.0.1:1', model: m, threshold: 0.8, on_low_confidence: ask}
policies:
  - {id: ask-it, type: llm_judge, judge: careful, prompt: 'Is {{arguments.command}} fine?', tool: shell, arguments: {command: deploy}, verdicts: {approve: {}, deny: {}}}
`;

  test('answers in place of the model, and must be asked', () => {
    const at = temporaryFolder({
      '.policy/a.yaml': POLICY,
      '.policy/a.test.yaml': `cases:
  - {call: {command: deploy}, judge: deny, expect: deny}
  - {call: {command: deploy}, judge: approve, expect: approve}
  - {call: {command: deploy}, judge: {verdict: approve, confidence: 0.5}, expect: ask}
  - {call: {command: deploy}, judge: {failure: timeout, reason: it took too long}, expect: {action: deny, reason: it took too long}}
  - {call: {command: ls}, judge: deny, expect: continue}
`,
    });
    expect(resultsIn(at).map(outcomeOf)).toEqual([
      'passed',
      'passed',
      'passed',
      'passed',
      'judge: a judge to be asked | none is',
    ]);
  });
});
