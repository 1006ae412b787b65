import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { optionsIn, packsOf, placeIn, problemsOf } from './support.ts';

const DELIVERY = `version: 1
name: delivery
facts:
  edited: {path: {match: 'src/**', uses: [write, delete]}}
  tested: {command: {subcommand: [npm, test]}, outcome: succeeded}
policies:
  - id: tests-before-push
    command: {subcommand: [git, push]}
    history: {not_seen: tested, since: edited, within: session, same: [agent]}
    action: deny
    reason: nothing was tested since the last edit
`;

/** The file of a project, or several by name. */
function optionsFor(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(files);
  return optionsIn(folder, { place: placeIn(folder, { sessionDirectory: join(folder, 'project') }) });
}

const inProject = (text: string) => optionsFor({ 'project/.policy/a.yaml': text });

function programOf(files: Readonly<Record<string, string>>) {
  return compileFiles(optionsFor(files)).program;
}

describe('facts', () => {
  test('compile to rows, and policies to their ids', () => {
    const { facts = [], rules } = programOf({ 'config/policy/a.yaml': DELIVERY });
    const ids = facts.map(({ id }) => id.replace(/~[0-9a-f]{8}$/, ''));
    expect(ids).toEqual(['user:delivery/tested', 'user:delivery/edited']);
    expect(facts[0]).toMatchObject({
      layer: 'user',
      when: { command: { subcommand: ['npm', 'test'] } },
      needs: [{ names: ['npm'], words: ['test'] }],
      values: ['agent', 'folder', 'repository'],
    });
    expect(facts[0]?.untrusted).toBeUndefined();
    expect(facts[0]?.position.line).toBe(5);
    expect(rules.find(({ id }) => id === 'delivery/tests-before-push')?.when['history']).toEqual({
      not_seen: { fact: facts[0]?.id ?? '', outcome: 'succeeded' },
      since: { fact: facts[1]?.id ?? '', outcome: 'passed' },
      within: 'session',
      same: ['agent'],
    });
  });

  test('of a project belong to nobody who is trusted', () => {
    const { facts = [] } = programOf({ 'project/.policy/a.yaml': DELIVERY });
    expect(facts.map(({ untrusted, layer }) => [untrusted, layer])).toEqual([
      [true, 'project'],
      [true, 'project'],
    ]);
  });

  test('are not there where no policy goes by them', () => {
    expect(
      programOf({ 'config/policy/a.yaml': DELIVERY.replace(/ {4}history.*\n/, '') }).facts,
    ).toBeUndefined();
    expect(programOf({}).facts).toBeUndefined();
  });

  test('may be written in place', () => {
    const { facts = [] } = programOf({
      'config/policy/a.yaml': `version: 1
policies:
  - id: busy
    tool: shell
    any:
      - history: {count: {of: {tool: shell}, gte: 50, distinct: command}, within: 10m}
      - carries: {from: {path: {set: secrets, uses: read}}, to: network, within: session}
    when_unknown: skip
    action: abort_turn
    reason: too much
`,
    });
    expect(facts.map(({ id, values, carried }) => [id.replace(/~.*/, ''), values, carried])).toEqual([
      ['user:a/busy.count', ['command', 'repository'], undefined],
      ['user:a/busy.from', ['repository'], true],
    ]);
  });

  test('have another id once they ask for something else', () => {
    const idIn = (text: string) => programOf({ 'config/policy/a.yaml': text }).facts?.[0]?.id;
    expect(idIn(DELIVERY)).toBe(idIn(`${DELIVERY}    instead: test\n`) as string);
    expect(idIn(DELIVERY)).not.toBe(idIn(DELIVERY.replace('[npm, test]', '[npm, run]')) as string);
  });

  test('take the values of parameters', () => {
    const { facts = [] } = programOf({
      'config/policy/a.yaml': `version: 1
name: delivery
parameters:
  source: {type: list of globs, default: ['lib/**']}
facts:
  edited: {path: {match: {$parameter: source}}}
policies:
  - {id: a, command: ls, history: {seen: edited, within: turn}, action: deny, reason: r}
`,
      'project/.policy/b.yaml': 'version: 1\npolicies: [{id: b, action: ask, reason: r, tool: install}]\n',
    });
    expect(facts[0]?.when).toEqual({ path: { match: ['lib/**'] } });
  });
});

describe('facts of other files', () => {
  const using = (fact: string) => `version: 1
name: mine
policies:
  - {id: a, command: ls, history: {not_seen: ${fact}, within: session}, action: deny, reason: r}
`;

  test('are those of the same layer and of those above', () => {
    const options = (layer: string, by: string) =>
      optionsFor({ [`${layer}/delivery.yaml`]: DELIVERY, [`${by}/mine.yaml`]: using('delivery/tested') });
    const user = 'config/policy';
    const project = 'project/.policy';
    expect(problemsOf(options(user, user))).toEqual([]);
    expect(problemsOf(options(user, project))).toEqual([]);
    expect(problemsOf(options(project, project))).toEqual([]);
    expect(problemsOf(options(project, user))).toEqual([
      expect.stringMatching(
        /mine\.yaml:4:\d+ fact Cannot use fact "delivery\/tested" here: it is in .*delivery\.yaml, a project file, and this is a user file/,
      ),
    ]);
    const { facts = [] } = compileFiles(options(user, project)).program;
    expect(facts.map(({ layer }) => layer)).toContain('user');
  });

  test('may be those of a pack', () => {
    const folder = temporaryFolder({ 'a.yaml': `${using('delivery/tested')}extends: [builtin:delivery]\n` });
    const options = optionsIn(folder, {
      place: placeIn(folder, { named: ['a.yaml'] }),
      packs: packsOf({ delivery: DELIVERY }),
    });
    expect(problemsOf(options)).toEqual([]);
  });

  test('must be there', () => {
    expect(problemsOf(inProject(using('delivery/tested')))).toEqual([
      expect.stringMatching(
        /a\.yaml:4:\d+ fact Cannot use fact "delivery\/tested": there is none of that name here/,
      ),
    ]);
  });
});

describe('what an unknown history comes to', () => {
  const policy = (keys: string) =>
    problemsOf(
      inProject(`version: 1\napplies_to: {repositories: [a]}\npolicies:\n  - {id: a, reason: r, ${keys}}\n`),
    ).join('');
  const seen = 'history: {seen: {tool: fetch}, within: session}';

  test('must be said where calls are counted', () => {
    const count = 'command: ls, history: {count: {of: {tool: shell}, gte: 5}, within: turn}';
    const message = 'missing-key Cannot count without "when_unknown"';
    expect(policy(`${count}, action: deny`)).toContain(message);
    expect(policy(`all: [{any: [{${count}}]}], action: continue`)).toContain(message);
    expect(policy(`${count}, action: deny, when_unknown: match`)).toBe('');
  });

  test.each([
    [`tool: shell, ${seen}, action: deny`, true],
    [`${seen}, action: ask`, true],
    [`tool: shell, any: [{command: ls}, {${seen}}], action: deny`, true],
    [`tool: shell, not: {${seen}}, action: abort_turn`, true],
    [`tool: shell, ${seen}, action: deny, when_unknown: skip`, false],
    [`tool: shell, ${seen}, command: {subcommand: [git, push]}, action: deny`, false],
    [`tool: shell, any: [{command: ls, ${seen}}, {path: a}], action: deny`, false],
    [`${seen}, all: [{any: [{command: a}, {url: b.example}]}], action: deny`, false],
    [`tool: shell, ${seen}, action: approve`, false],
    [`on: after_turn, ${seen}, action: retry_feedback, feedback: f`, false],
    ['carries: {from: {tool: read}, to: network, within: session}, action: deny', false],
  ])('must be said where it would stop a whole class of tools: %s', (keys, isError) => {
    expect(policy(keys).includes('Cannot refuse by history alone without "when_unknown"')).toBe(isError);
  });
});

describe('a fact or history that cannot be', () => {
  const withHistory = (history: string, facts = '') =>
    `version: 1\n${facts}policies:\n  - {id: a, command: ls, when_unknown: skip, action: deny, reason: r, history: ${history}}\n`;

  test.each([
    [
      withHistory('{seen: testd, within: turn}', 'facts: {tested: {command: ls}}\n'),
      'fact Cannot use fact "testd": there is none of that name here | did you mean "tested"?',
    ],
    [
      withHistory('{within: turn}'),
      'missing-key Cannot use "history": it asks for nothing | add one of seen, not_seen, count',
    ],
    [
      withHistory('{seen: {tool: shell}, not_seen: {tool: read}, within: turn}'),
      'bad-value Cannot use "seen" and "not_seen" in one "history" | write one of them below "all"',
    ],
    [
      withHistory('{seen: {tool: shell}, within: 25h}'),
      'bad-value Cannot look back "25h": it is neither turn nor session nor a time up to 24h | write turn, session, or a time such as 30m or 24h',
    ],
    [
      withHistory('{seen: {tool: shell}, within: turn, across: sessions}'),
      'bad-value Cannot look across sessions within a turn: that is in one session | write a time such as within: 1h',
    ],
    [withHistory('{seen: {tool: shell}}'), 'missing-key'],
    [
      withHistory('{count: {of: {tool: shell}, distinct: path}, within: turn}'),
      'missing-key Cannot count without a number to compare with | add one of equals, gt, gte, lt, lte',
    ],
    [
      withHistory('{seen: {tool: shell}, within: turn, same: [paths]}'),
      'bad-value Cannot compare calls by "paths": there is no such value | did you mean "path"?',
    ],
    [
      withHistory('{seen: {outcome: done}, within: turn}'),
      'missing-key Cannot use the fact: it does not say which calls it is about',
    ],
    [
      withHistory('{seen: {any: [{history: {seen: a, within: turn}}]}, within: turn}'),
      'bad-value Cannot use key "history" in a fact: facts that ask for history could ask for each other in a circle',
    ],
    [
      withHistory(
        '{seen: a, within: turn}',
        'facts: {a: {not: {carries: {from: a, to: mcp, within: turn}}}}\n',
      ),
      'bad-value Cannot use key "carries" in a fact',
    ],
    [withHistory('{seen: {arguments: {x: "("}}, within: turn}'), 'regex'],
    [withHistory('{seen: a, within: turn}', 'facts: {a: {arguments: {x: "("}}}\n'), 'regex'],
    [withHistory('{seen: a, within: turn}', 'facts: {a: {history: {}}}\n'), 'unknown-key'],
  ])('is an error at its place: %s', (text, expected) => {
    const found = problemsOf(inProject(text));
    expect(found.filter((each) => each.includes(expected))).toHaveLength(1);
  });
});
