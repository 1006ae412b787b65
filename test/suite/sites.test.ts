import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { surroundingsOf } from '../../src/language/calls/answer-call.ts';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createFacts } from '../../src/language/engine/facts.ts';
import { WHEN } from '../../src/language/keys/analyses.ts';
import { MATCHER_TABLE, MATCHERS } from '../../src/language/keys/registry.ts';
import type { Shape } from '../../src/language/keys/shape.ts';
import { compileWhen, holds, whenProblems } from '../../src/language/keys/when.ts';
import { parseYaml } from '../../src/language/policy/yaml/yaml.ts';
import { regexAlternatives } from '../../src/language/sites/regex-alternatives.ts';
import { sitesOf, widerGlobs, widerRegexes } from '../../src/language/sites/sites-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/lib/json.ts';
import { compileRegex } from '../../src/lib/regex/regex.ts';
import { testMemory } from '../support/builders.ts';

describe('regexAlternatives', () => {
  test('finds those of the top level, else those of groups in it', () => {
    const table: readonly (readonly [string, readonly (readonly string[])[]])[] = [
      ['a|b|c', [['a', 'b', 'c']]],
      ['(?i)a|b', [['a', 'b']]],
      ['^(a|b)$', [['a', 'b']]],
      [
        'x(?:a|b)y(c|d)',
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
      ],
      ['(?P<n>a|b)', [['a', 'b']]],
      ['(a|b)|c', [['(a|b)', 'c']]],
      ['((a|b)c)', []],
      ['[|](a)', []],
      ['[^]|]x|y', [['[^]|]x', 'y']]],
      ['[[:alpha:]|]|y', [['[[:alpha:]|]', 'y']]],
      ['a\\|b', []],
      ['\\Qa|b\\E|c', [['\\Qa|b\\E', 'c']]],
      ['(a|)', [['a', '']]],
      ['plain', []],
    ];
    for (const [source, wanted] of table) {
      expect([source, regexAlternatives(source).map(({ alternatives }) => alternatives)]).toEqual([
        source,
        wanted as never,
      ]);
    }
  });

  test('together they are the whole, and each matches no more than the whole', () => {
    const atom = fc.constantFrom('a', 'b', '(a|b)', '(?:ab|c)', '[a|b]', '\\|', 'c+', '(?i)', 'a(b|)c', '.');
    const source = fc.array(fc.array(atom, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
    const text = fc.stringMatching(/^[abc|]{0,6}$/);
    fc.assert(
      fc.property(source, text, (parts, input) => {
        const whole = parts.map((part) => part.join('')).join('|');
        for (const { before, alternatives, after } of regexAlternatives(whole)) {
          expect(before + alternatives.join('|') + after).toBe(whole);
          const matches = compileRegex(whole).test(input);
          const any = alternatives.some((each) => compileRegex(before + each + after).test(input) === true);
          if (any && !whole.includes('(?i)')) expect(matches).toBe(true);
        }
      }),
    );
  });
});

describe('wider patterns', () => {
  test('lack one anchor each', () => {
    const table: readonly (readonly [string, readonly string[]])[] = [
      ['^npm ', ['npm ']],
      ['^rm$', ['rm$', '^rm']],
      ['\\bgit\\b', ['git\\b', '\\bgit']],
      ['^a|b$', ['a|b$', '^a|b']],
      ['(?i)^a', ['(?i)a']],
      ['a\\\\b', []],
      ['a\\$', []],
      ['^', []],
      ['^(a|b)$', ['(a|b)$', '^(a|b)']],
    ];
    for (const [source, wanted] of table) {
      expect([source, widerRegexes(source).map(({ pattern }) => pattern)]).toEqual([source, wanted as never]);
    }
  });

  test('cross folders where one star did not', () => {
    expect(widerGlobs('src/*/a/*').map(({ pattern }) => pattern)).toEqual(['src/**/a/*', 'src/*/a/**']);
    expect(widerGlobs('src/*.ts')).toEqual([]);
    expect(widerGlobs('src/**')).toEqual([]);
    expect(widerGlobs('a\\*')).toEqual([]);
  });
});

const POLICIES = `
- {tool: [shell, write], arguments: {command: '^(rm|mv) |push'}}
- {any: [{arguments: {command: {regex: push, not_regex: 'dry|help'}}}, {tool: read, path: '*.key'}], not: {arguments: {command: status}}}
- {command: [{subcommand: [git, [push, fetch]], flags: {any: [-f, --force], none: [--dry-run]}}, {run: [rm, rmdir], except: {args: {any: '^/tmp'}}}]}
- {all: [{tool: shell}, {arguments: {command: {one_of: [rm x, mv a b], max_length: 9}}}]}
- {path: {match: ['~/.ssh/*', '**/*.key'], uses: [read, write], except: ['**/*.pub', '**/ok.key']}}
- {url: {host: [example.com, evil.org], except: {path: '^/ok'}}}
- {url: ['example.com:443', {host: {one_of: [evil.org, good.org]}, except: ['evil.org:80', {path: '^/ok'}]}]}
- {not: {any: [{tool: read}, {arguments: {command: rm}}]}}
- {command: {run: [curl, make], environment: {HTTP_PROXY: 'evil|bad', LD_PRELOAD: '.'}}}
- {path: {match: '**/.env', sets: {unless: ['*', '!PATH', '!HOME']}}}
- {path: {match: '**/.env', sets: {any: ['LD_*', '!LD_LIB*', 'PA*']}}}
- {context: {channel: {one_of: [a, b]}}, model_prefix: [small, tiny], tool_matcher: 'exec|Bash|shell'}
`;
const CALLS = [
  { command: 'rm x' },
  { command: 'rm -rf /tmp/y' },
  { command: 'mv a b' },
  { command: 'git push -f' },
  { command: 'git push --force --dry-run' },
  { command: 'git status; git push' },
  { command: 'HTTP_PROXY=evil curl x' },
  { command: 'LD_PRELOAD=x make' },
  { command: 'cat ~/.ssh/id_rsa ok.key' },
  { command: 'curl https://example.com/ok' },
  { command: 'curl https://evil.org/bad' },
  { tool: 'read', path: 'a.key' },
  { tool: 'write', path: 'b.pub', content: 'x' },
  { tool: 'write', path: '.env', content: 'PATH=1' },
  { tool: 'write', path: '.env', content: 'NAME=1' },
  { tool: 'write', path: '.env', content: 'LD_PRELOAD=1' },
  { tool: 'write', path: '.env', content: 'LD_LIBRARY_PATH=1' },
  { tool: 'exec', command: 'ls', model: 'tiny-1', context: { channel: 'a' } },
  { tool: 'Bash', command: 'ls', model: 'big', context: { channel: 'c' } },
];

/** A schema, or those that it offers instead. */
function variantsOf(schema: Json | undefined): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const list = schema['anyOf'];
  return Array.isArray(list) ? list.flatMap(variantsOf) : [schema];
}

describe('sitesOf', () => {
  const document = parseYaml(POLICIES, 'policies.yaml').document?.value;
  const policies = (Array.isArray(document) ? document : []).filter(isJsonObject);
  const facts = CALLS.map(({ tool, model, context, ...args }: Record<string, unknown>) =>
    createFacts(
      bareEvent({
        on: 'before_tool',
        arguments: args as JsonObject,
        ...(tool === undefined ? {} : { tool: String(tool) }),
        ...(model === undefined ? {} : { model: String(model) }),
        ...(context === undefined ? {} : { context: context as JsonObject as never }),
      }),
      testMemory(),
      surroundingsOf,
    ),
  );
  const truths = (when: JsonObject) => {
    const keys = compileWhen(when, MATCHER_TABLE);
    return facts.map((each) => holds(keys, each));
  };

  test('knows every key that holds a list or mapping', () => {
    const missing: string[] = [];
    const visit = (schema: Json | undefined, shape: Shape, path: string): void => {
      for (const variant of variantsOf(schema)) {
        if (shape.type === 'either') visit(variant, shape.mapping, path);
        if (shape.type === 'choice' || shape.type === 'every' || shape.type === 'sequence') {
          visit(variant['type'] === 'array' ? variant['items'] : variant, shape.item, path);
        }
        const properties = variant['properties'];
        if (shape.type !== 'keys' || !isJsonObject(properties)) continue;
        const keys = shape.keys();
        for (const [key, property] of Object.entries(properties)) {
          const known = keys[key]?.shape ?? shape.other;
          const holdsMore = variantsOf(property).some(({ type }) => type === 'array' || type === 'object');
          if (known !== undefined) visit(property, known, `${path}.${key}`);
          else if (holdsMore) missing.push(`${path}.${key}`);
        }
      }
    };
    if (WHEN.type !== 'keys') throw new Error('no keys');
    const shapes = WHEN.keys();
    for (const { key, schema } of MATCHERS) visit(schema, shapes[key]?.shape ?? { type: 'whole' }, key);
    expect(missing).toEqual([]);
  });

  test('leaves keys that compile', () => {
    expect(policies.length).toBe(12);
    for (const when of policies) {
      const sites = sitesOf(when);
      expect(sites.length).toBeGreaterThan(2);
      for (const site of sites) {
        const made = site.type === 'alternative' ? [site.drop, site.only] : [site.drop];
        for (const keys of made) {
          expect([JSON.stringify(keys), whenProblems(keys, MATCHER_TABLE)]).toEqual([
            JSON.stringify(keys),
            [],
          ]);
          truths(keys);
        }
      }
    }
  });

  test('what is dropped makes a policy match more or less, as its side says', () => {
    let held = 0;
    for (const when of policies) {
      const before = truths(when);
      for (const site of sitesOf(when)) {
        const after = truths(site.drop);
        // An alternative less matches less, a condition less matches more, and inside an exception the reverse.
        const widens = (site.type === 'alternative') === site.negative;
        for (const [index, truth] of before.entries()) {
          const [less, more] = widens ? [truth, after[index]] : [after[index], truth];
          const place = `${JSON.stringify(when)} ${site.type} ${site.path.join('.')} ${site.label} call ${index}`;
          if (less !== true) continue;
          held += 1;
          expect([place, more]).toEqual([place, true]);
        }
      }
    }
    expect(held).toBeGreaterThan(50);
  });

  test('the only alternative left matches no more than all of them', () => {
    let matched = 0;
    for (const when of policies) {
      const before = truths(when);
      for (const site of sitesOf(when)) {
        if (site.type !== 'alternative' || site.negative) continue;
        for (const [index, truth] of truths(site.only).entries()) {
          if (truth !== true) continue;
          matched += 1;
          expect([site.path.join('.'), index, before[index]]).toEqual([site.path.join('.'), index, true]);
        }
      }
    }
    expect(matched).toBeGreaterThan(10);
  });

  test('passes over what no case of a reasonable size reaches', () => {
    const sites = sitesOf({ command: { unreadable: ['syntax', 'too_long', 'too_deep'] } });
    const labels = sites.flatMap((site) => (site.type === 'alternative' ? [site.label] : []));
    expect(labels).toEqual(['syntax', 'too_deep']);
  });

  test('restricts the alternatives around to the one that leads there', () => {
    const when = { any: [{ arguments: { command: 'a|b' } }, { tool: 'read' }] };
    const inner = sitesOf(when).find(({ label }) => label === 'a');
    expect(inner).toMatchObject({
      path: ['any', 0, 'arguments', 'command'],
      only: { any: [{ arguments: { command: 'a' } }] },
      drop: { any: [{ arguments: { command: 'b' } }, { tool: 'read' }] },
    });
  });
});
