import { describe, expect, test } from 'bun:test';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { createFacts } from '../../src/engine/facts.ts';
import type { LinkedRule } from '../../src/engine/linked-rule.ts';
import type { Event, ToolClass } from '../../src/model/event.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { Rule } from '../../src/model/policy.ts';
import { NO_SURROUNDINGS } from '../../src/model/surroundings.ts';
import { requirementsOf } from '../../src/policy/normalise-policy.ts';
import { program, rule, testMemory, toolEvent } from '../support/builders.ts';

/** Rules that the index can rule out by programs, by literals, by both and by neither. */
const WHENS: Readonly<Record<string, Rule['when']>> = {
  rm: { command: 'rm' },
  'rm or dd': { command: [{ run: 'rm' }, { run: 'dd' }] },
  'git push': { command: { subcommand: ['git', 'push'] } },
  'any mkfs': { command: 'mkfs*' },
  'rm or deletes': { command: [{ run: 'rm' }, { deletes: '**' }] },
  deletes: { command: { deletes: '**' } },
  unreadable: { command: { unreadable: 'syntax' } },
  'rm and a word': { command: 'rm', arguments: { command: 'tmp' } },
  'any of programs': { any: [{ command: 'rm' }, { command: 'dd' }] },
  'any of program and path': { any: [{ command: 'rm' }, { path: '**/x' }] },
  'all of programs': { all: [{ command: 'rm' }, { command: 'dd' }] },
  'all of program and path': { all: [{ command: 'rm' }, { path: '**/x' }] },
  'not a program': { not: { command: 'rm' } },
  'program and not another': { command: 'git', not: { command: 'rm' } },
  path: { path: '**/x' },
  'written path': { path: { match: '**/x', uses: 'write' } },
  url: { url: '*.example.com' },
  'odd text': { suspicious_text: true },
  'tool by name': { tool_matcher: 'ex*' },
  'another tool': { tool_matcher: 'other|another' },
  nothing: {},
};

/** The first events are looked up rule by rule, unless there were some before. */
function engineOf(whens: readonly Rule['when'][], eventsBefore = 20): Engine {
  const rules = whens.map((when, order) => rule({ action: 'deny', when, ...requirementsOf(when), order }));
  const engine = createEngine(program(rules));
  for (let event = 0; event < eventsBefore; event += 1)
    engine.index.candidates(factsOf(toolEvent('exec', {})));
  return engine;
}

function factsOf(event: Event): Facts {
  return createFacts(event, testMemory(), () => NO_SURROUNDINGS);
}

function decide(rules: readonly LinkedRule[], facts: Facts): unknown[] {
  return rules.flatMap((linked) => {
    if (linked.fitsTool(facts) === false) return [];
    const truth = linked.fitsCall(facts);
    return truth === false ? [] : [[linked.rule.order, truth]];
  });
}

function call(command: string, classes: readonly ToolClass[] = ['shell']): Event {
  return toolEvent('exec', { command }, { classes });
}

describe.each([
  ['looked up rule by rule', 0],
  ['looked up in tables', 20],
])('rules that are %s', (_how, eventsBefore) => {
  test.each([
    ...['true', 'rm x', '/bin/rm x', 'r""m x', 'git push', 'git pull', 'mkfs.ext4 /dev/sda', 'unlink x'],
    ...[
      'sudo rm x',
      'sh -c "dd of=x"',
      'dd of=x; rm tmp',
      'cat x | xargs rm',
      '$X y',
      'echo $(rm x)',
      'rm "',
    ],
    ...['cat x', 'find . -name x -delete', 'alias ls=rm; ls x', '', 'if', '\\rm x; git push'],
    ...['git status', 'npm test', 'curl https://a.example.com', 'cat > x', 'c\u0430t x', 'ls \u202ex'],
  ])('are all there that could match %s', (command) => {
    const engine = engineOf(Object.values(WHENS), eventsBefore);
    const facts = factsOf(call(command));
    const all = decide(engine.index.ofKind('before_tool'), facts);
    expect(decide(engine.index.candidates(facts), facts)).toEqual(all);
    const other = factsOf(call(command, ['write']));
    expect(decide(engine.index.candidates(other), other)).toEqual(
      decide(engine.index.ofKind('before_tool'), other),
    );
  });

  test('are all there for a call whose arguments cannot be read', () => {
    const engine = engineOf(Object.values(WHENS), eventsBefore);
    const facts = factsOf(toolEvent('exec', undefined));
    expect(decide(engine.index.candidates(facts), facts)).toEqual(
      decide(engine.index.ofKind('before_tool'), facts),
    );
  });

  test('are all there for a path or a URL beside the command', () => {
    const engine = engineOf(Object.values(WHENS), eventsBefore);
    for (const beside of [{ path: 'x' }, { url: 'http://a.example.com' }]) {
      const facts = factsOf(toolEvent('exec', { command: 'git status', ...beside }));
      const all = decide(engine.index.ofKind('before_tool'), facts);
      expect(all).not.toEqual(decide(engine.index.ofKind('before_tool'), factsOf(call('git status'))));
      expect(decide(engine.index.candidates(facts), facts)).toEqual(all);
    }
  });
});

describe('buildRuleIndex', () => {
  test('asks only the rules about the programs of a call, in file order', () => {
    const whens = Array.from({ length: 1_000 }, (_, index): Rule['when'] => ({
      command: [`tool-${index}`, 'shared'],
    }));
    const many = engineOf([...whens, {}, { command: 'tool-7' }]);
    const orders = (command: string) =>
      many.index.candidates(factsOf(call(command))).map((linked) => linked.rule.order);
    expect(orders('other x')).toEqual([1_000]);
    expect(orders('tool-7 x')).toEqual([7, 1_000, 1_001]);
    expect(orders('tool-9 x; tool-7 y; tool-9 z')).toEqual([7, 9, 1_000, 1_001]);
    expect(orders('shared')).toHaveLength(1_001);
    expect(orders('$TOOL x')).toHaveLength(1_002);
  });
});
