import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { type LoadOptions, loadProgram } from '../../src/language/policy/compile/load.ts';
import { trustRecordOf } from '../../src/language/policy/compile/trust.ts';
import {
  isListType,
  PARAMETER_TYPES,
  typeProblem,
} from '../../src/language/policy/schema/parameter-types.ts';
import { runSteps } from '../../src/lib/steps.ts';
import { testMemory } from '../support/builders.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';
import { optionsIn as laidOutOptions, packsOf, problemsOf, trusting } from './support.ts';

const QUIET = 'version: 1\npolicies: [{id: a, command: no-such-program, action: deny}]\n';

function optionsIn(folder: string): LoadOptions {
  return laidOutOptions(folder, { packs: packsOf({ baseline: QUIET, 'self-protection': QUIET }) });
}

const TEAM = `version: 1
parameters:
  hosts: {type: list of hosts, default: [a.example], may: extend}
  lines: {type: integer, default: 3, may: replace}
  fixed: {type: string, default: curl}
policies:
  - id: fetch
    tool: fetch
    url: {except: {$parameter: hosts}}
    action: deny
    reason: another host
    examples: {hit: [{url: https://b.example}]}
  - {id: lines, tool: write, arguments: {lines: {gt: {$parameter: lines}}}, action: deny, reason: too long}
  - {id: fixed, command: [wget, {$parameter: fixed}], action: deny, reason: no downloads}
`;

function laidOut(files: Readonly<Record<string, string>>): string {
  return temporaryFolder({ 'project/.git/HEAD': '', ...files });
}

function settings(text: string): string {
  return `version: 1\nsettings: {${text}}\n`;
}

function refusals(options: LoadOptions, calls: readonly Readonly<Record<string, string | number>>[]) {
  const loaded = runSteps(loadProgram(options));
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join());
  const engine = createEngine(loaded.program);
  return calls.map(({ tool, ...args }) => {
    const event = bareEvent({ on: 'before_tool', tool: String(tool), arguments: args });
    return evaluate(engine, event, { memory: testMemory() }).decision.action === 'deny';
  });
}

const FETCHES = ['a', 'b', 'c'].map((name) => ({ tool: 'fetch', url: `https://${name}.example/` }));

describe('a parameter', () => {
  test('has its default where nobody sets it', () => {
    const options = optionsIn(laidOut({ 'org/team.yaml': TEAM }));
    expect(problemsOf(options)).toEqual([]);
    expect(refusals(options, FETCHES)).toEqual([false, true, true]);
    expect(refusals(options, [{ tool: 'write', lines: 4 }])).toEqual([true]);
    expect(
      refusals(options, [
        { tool: 'shell', command: 'wget x' },
        { tool: 'shell', command: 'curl x' },
      ]),
    ).toEqual([true, true]);
  });

  test('is extended and replaced by lower layers, and its examples stay those of its default', () => {
    const options = optionsIn(
      laidOut({
        'org/team.yaml': TEAM,
        'org/more.yaml': settings('team/hosts: [b.example, a.example]'),
        'config/policy/own.yaml': settings('team/hosts: [c.example], team/lines: 9'),
      }),
    );
    expect(problemsOf(options)).toEqual([]);
    expect(refusals(options, FETCHES)).toEqual([false, false, false]);
    expect(
      refusals(options, [
        { tool: 'write', lines: 9 },
        { tool: 'write', lines: 10 },
      ]),
    ).toEqual([false, true]);
    expect(compileFiles(options).examples).toEqual([]);
  });

  test('of a pack is set by a file that extends it', () => {
    const folder = laidOut({
      'config/policy/own.yaml': `${settings('team/lines: 9')}extends: [builtin:team]\n`,
    });
    const packs = packsOf({ baseline: QUIET, 'self-protection': QUIET, team: TEAM });
    const options = laidOutOptions(folder, { packs });
    expect(problemsOf(options)).toEqual([]);
    const calls = [9, 10].map((lines) => ({ tool: 'write', lines }));
    expect(refusals(options, [...calls, ...FETCHES.slice(0, 2)])).toEqual([false, true, false, true]);
  });

  test('that is an empty list excepts nothing', () => {
    const options = optionsIn(laidOut({ 'org/team.yaml': TEAM.replace('[a.example]', '[]') }));
    expect(refusals(options, FETCHES)).toEqual([true, true, true]);
  });

  test.each([
    ['team/fixed: sh', 'org/team.yaml allows nobody to'],
    ['team/lines: many', '"many" is not an integer'],
    ['team/hosts: b.example', '"b.example" is not a list'],
    ['team/hosts: ["b c"]', '"b c" is not a host'],
    ['lines: 3', 'does not say whose parameter it is'],
  ])('cannot be set by %s', (text, why) => {
    const options = optionsIn(laidOut({ 'org/team.yaml': TEAM, 'config/policy/own.yaml': settings(text) }));
    expect(problemsOf(options)).toEqual([expect.stringContaining(why)]);
    expect(problemsOf(options)[0]).toStartWith('config/policy/own.yaml:2:');
    expect(runSteps(loadProgram(options)).ok).toBe(false);
  });

  test('is replaced once', () => {
    const files = {
      'org/team.yaml': TEAM,
      'config/policy/a.yaml': settings('team/lines: 4'),
      'config/policy/b.yaml': settings('team/lines: 5'),
    };
    expect(problemsOf(optionsIn(laidOut(files)))).toEqual([
      expect.stringContaining('config/policy/a.yaml has set it already'),
    ]);
  });

  test('stays that of the upper layer where a project has a file of the same name', () => {
    const shadow = `version: 1
name: team
parameters: {hosts: {type: list of hosts, default: [], may: extend}}
policies: [{id: other, command: no-such-program, action: deny}]
`;
    const folder = laidOut({
      'org/team.yaml': TEAM,
      'config/policy/own.yaml': settings('team/hosts: [c.example]'),
      'project/.policy/shadow.yaml': shadow,
      'project/.policy/own.yaml': settings('team/hosts: [b.example]'),
    });
    expect(problemsOf(optionsIn(folder))).toEqual([]);
    expect(refusals(optionsIn(folder), FETCHES)).toEqual([false, true, false]);
  });

  test('that a file of another layer does not declare is set without effect; in the same layer that is an error', () => {
    const text = settings('team/host: [b.example]');
    const found = (file: string) => {
      const options = optionsIn(laidOut({ 'org/team.yaml': TEAM, [file]: text }));
      expect(problemsOf(options)).toEqual([
        expect.stringContaining('org/team.yaml declares no such parameter'),
      ]);
      return runSteps(loadProgram(options)).ok;
    };
    expect(found('config/policy/own.yaml')).toBe(true);
    expect(found('project/.policy/own.yaml')).toBe(true);
    expect(found('org/own.yaml')).toBe(false);
  });

  test('of two files of one name is set for the first of a layer, and check says so', () => {
    const hosts = settings('team/hosts: [c.example]');
    const second = TEAM.replaceAll('id: ', 'id: other-').replace('a.example', 'b.example');
    const inOneLayer = optionsIn(
      laidOut({ 'org/a.yaml': `name: team\n${TEAM}`, 'org/team.yaml': second, 'org/z.yaml': hosts }),
    );
    expect(problemsOf(inOneLayer)).toEqual(
      ['hosts', 'lines', 'fixed'].map((name) =>
        expect.stringContaining(`Cannot set this "team/${name}": org/a.yaml declares it as well`),
      ),
    );
    expect(refusals(inOneLayer, FETCHES)).toEqual([true, true, true]);
    expect(compileFiles(inOneLayer).files.map(({ parameters: [first] }) => first?.setBy)).toContainEqual([
      'org/z.yaml',
    ]);
    const inTwo = optionsIn(
      laidOut({ 'org/team.yaml': TEAM, 'config/policy/team.yaml': second, 'config/policy/z.yaml': hosts }),
    );
    expect(problemsOf(inTwo)).toEqual([]);
    expect(refusals(inTwo, FETCHES)).toEqual([true, true, true]);
    expect(
      compileFiles(inTwo).files.map(({ layer, parameters: [first] }) => [layer, first?.setBy]),
    ).toContainEqual(['user', ['config/policy/z.yaml']]);
  });

  test('of policies that are not here may be set', () => {
    const options = optionsIn(
      laidOut({ 'config/policy/own.yaml': settings('elsewhere/hosts: [b.example]') }),
    );
    expect(problemsOf(options)).toEqual([]);
  });

  test('that does not work with what is set says where and why', () => {
    const team = `version: 1
parameters: {pattern: {type: string, default: a, may: replace}}
policies: [{id: a, tool: shell, arguments: {command: {$parameter: pattern}}, action: deny}]
`;
    const options = optionsIn(
      laidOut({ 'org/team.yaml': team, 'config/policy/own.yaml': settings("team/pattern: '('") }),
    );
    expect(problemsOf(options)).toEqual([
      expect.stringMatching(/^config\/policy\/own.yaml:2:.*org\/team.yaml:3:/),
    ]);
  });
});

describe('settings of a project', () => {
  const files = { 'org/team.yaml': TEAM, 'project/.policy/own.yaml': settings('team/hosts: [b.example]') };

  test('count for policies of others once the project is trusted, and not any more when they have changed', () => {
    const folder = laidOut(files);
    const options = optionsIn(folder);
    expect(refusals(options, FETCHES)).toEqual([false, true, true]);
    const { trustSets, notices } = compileFiles(options);
    expect(notices.map(({ message }) => message)).toEqual([
      'Cannot use the settings of a project for policy "team/fetch": its project is not trusted',
    ]);
    expect(trustSets.map(({ settings: set }) => set)).toEqual([{ 'team/hosts': ['b.example'] }]);
    const [first] = trustSets;
    if (first === undefined) throw new Error('There is nothing to trust');
    const trust = trusting({ [join(folder, 'project')]: trustRecordOf(first) });
    expect(refusals({ ...options, trust }, FETCHES)).toEqual([false, false, true]);
    writeFiles(folder, { 'project/.policy/own.yaml': settings('team/hosts: [c.example]') });
    expect(refusals({ ...options, trust }, FETCHES)).toEqual([false, true, true]);
  });

  test('do not keep the hook waiting, however long the list', () => {
    const hosts = Array.from({ length: 50_000 }, (_, index) => `h${index}`);
    const options = optionsIn(
      laidOut({ ...files, 'project/.policy/own.yaml': settings(`team/hosts: [${hosts}]`) }),
    );
    const start = performance.now();
    runSteps(loadProgram(options));
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test('are left out where the user has replaced the value already, and keep nothing from working', () => {
    const folder = laidOut({
      'org/team.yaml': TEAM,
      'config/policy/own.yaml': settings('team/lines: 9'),
      'project/.policy/own.yaml': `name: other\n${settings('team/lines: 99')}`,
    });
    const options = optionsIn(folder);
    expect(problemsOf(options)).toEqual([expect.stringContaining('this one has no effect')]);
    expect(refusals(options, [{ tool: 'write', lines: 10 }])).toEqual([true]);
    expect(refusals(options, [{ tool: 'write', lines: 9 }])).toEqual([false]);
  });

  test('count at once for its own policies', () => {
    const options = optionsIn(
      laidOut({
        'project/.policy/team.yaml': TEAM,
        'project/.policy/own.yaml': settings('team/hosts: [b.example]'),
      }),
    );
    expect(refusals(options, FETCHES)).toEqual([false, false, true]);
  });
});

test('no value of another type gets past a type', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PARAMETER_TYPES), fc.jsonValue(), (type, value) => {
      const problem = typeProblem(value as never, type);
      if (problem === undefined) expect(Array.isArray(value)).toBe(isListType(type));
      else expect(problem).toContain(' is not ');
    }),
  );
});

describe('applies_to', () => {
  test.each([
    ['exceptions', 'exceptions: [{policy: a/a, tool: shell, owner: me, reason: r, expires: 2999-01-01}]'],
    ['disable', 'disable: [builtin:baseline]'],
    ['programs', 'programs: {acmectl: {network: connect}}'],
    ['tools', 'tools: [{name: t, description: d, parameters: {type: object}, result: {for_llm: x}}]'],
    ['defaults.unmatched', 'defaults: {unmatched: deny}'],
    ['defaults.on_error', 'defaults: {on_error: continue}'],
  ])('does not stand in a file with %s, which would hold everywhere', (part, text) => {
    const scoped = `version: 1\napplies_to: {repositories: [github.com/acme/*]}\n${text}\npolicies: [{id: a, command: curl, action: deny}]\n`;
    expect(problemsOf(optionsIn(laidOut({ 'org/a.yaml': scoped })))).toEqual([
      expect.stringContaining(`Cannot limit "${part}" to where the file applies`),
    ]);
  });

  const file = (scope: string) =>
    `version: 1\napplies_to: {${scope}}\npolicies: [{id: a, command: curl, action: deny, all: [{command: curl}]}]\n`;

  test.each([
    ['repositories: [github.com/acme/*]', { repository: 'github.com/acme/shop' }, true],
    ['repositories: [github.com/acme/*]', { repository: 'github.com/other/shop' }, false],
    ['repositories: [github.com/Acme/*]', { repository: 'github.com/ACME/Shop' }, true],
    ['repositories: [github.com/acme/*, "*/other/*"]', { repository: 'github.com/other/shop' }, true],
    // Who cannot be told may be meant.
    ['repositories: [github.com/acme/*]', {}, true],
    ['agents: [review*]', { agent: 'reviewer', repository: 'github.com/acme/shop' }, true],
    ['agents: [review*]', { agent: 'writer' }, false],
  ])('%s with %o', (scope, context, isRefused) => {
    const options = optionsIn(laidOut({ 'org/a.yaml': file(scope) }));
    expect(problemsOf(options)).toEqual([]);
    const loaded = runSteps(loadProgram(options));
    if (!loaded.ok) throw new Error('It cannot be loaded');
    const event = bareEvent({ on: 'before_tool', tool: 'shell', arguments: { command: 'curl x' }, context });
    const { action } = evaluate(createEngine(loaded.program), event, { memory: testMemory() }).decision;
    expect(action === 'deny').toBe(isRefused);
  });
});
