import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { ANALYSES } from '../../src/language/keys/analyses.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import { compileWhen, holds } from '../../src/language/keys/when.ts';
import { conjunctsOf, whenImplies } from '../../src/language/keys/when-implies.ts';
import { givenTokens, requiredTokens } from '../../src/language/keys/when-tokens.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import type { Event } from '../../src/model/event.ts';
import type { Facts } from '../../src/model/facts.ts';
import { NO_HISTORY } from '../../src/model/history.ts';
import { NO_SURROUNDINGS } from '../../src/model/surroundings.ts';
import type { Truth } from '../../src/model/truth.ts';

function implies(narrow: JsonObject, wide: JsonObject, lenient = false): boolean {
  return whenImplies(conjunctsOf(narrow), conjunctsOf(wide), lenient, ANALYSES);
}

function factsOf(event: Event, model: string | undefined): Facts {
  return { event, model, newTexts: event.texts, surroundings: NO_SURROUNDINGS, history: NO_HISTORY };
}

/** Whether a search by tokens would find the wide keys for the narrow ones. */
function sharesToken(narrow: JsonObject, wide: JsonObject): boolean {
  const given = givenTokens(conjunctsOf(narrow), ANALYSES);
  return requiredTokens(conjunctsOf(wide), ANALYSES)?.some((token) => given.includes(token)) ?? true;
}

const WEIGHT = (truth: Truth): number => (truth === true ? 2 : truth === 'unknown' ? 1 : 0);

const words = fc.constantFrom('git', 'push', 'rm', 'ls', 'cat', 'status');
const flags = fc.constantFrom('-f', '--force', '-r', '-n');
const paths = fc.constantFrom('.env', '/etc/passwd', '~/.ssh/id', 'src/**', '*.pem', '**');
const someOf = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { minLength: 1, maxLength: 3 });
const oneOrSome = (item: fc.Arbitrary<string>): fc.Arbitrary<Json> =>
  fc.oneof<fc.Arbitrary<Json>[]>(item, someOf(item));

const valueTest: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>('git', 'git|rm', 'push', '^rm', 'rm|git|ls', { regex: 'git' }, { not_regex: 'rm' }),
  fc.constantFrom<Json>(
    { equals: 'ls' },
    { one_of: ['ls', 'rm -r x'] },
    { one_of: ['ls'] },
    { exists: true },
  ),
  fc
    .record({ min_length: fc.nat(6), max_length: fc.nat(20) }, { requiredKeys: [] })
    .filter((o) => Object.keys(o).length > 0),
  fc.record({ contains: fc.constantFrom('git', 'git p') }),
  fc.record({ glob: fc.constantFrom('git*', '*') }),
);
const flagTest: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ any: oneOrSome(flags) }),
  fc.record({ all: oneOrSome(flags) }),
  fc.record({ any: oneOrSome(flags), none: oneOrSome(flags) }),
);
const pathTest: fc.Arbitrary<Json> = fc.oneof(
  oneOrSome(paths),
  fc.record(
    {
      match: oneOrSome(paths),
      uses: oneOrSome(fc.constantFrom('read', 'write', 'delete')),
      except: oneOrSome(paths),
      recursive: fc.boolean(),
    },
    { requiredKeys: ['match'] },
  ),
);
const commandTest: fc.Arbitrary<Json> = fc.oneof(
  oneOrSome(words),
  fc.record(
    {
      run: oneOrSome(fc.oneof(words, fc.constant('g*'))),
      flags: flagTest,
      except: fc.record({ flags: flagTest }),
      deletes: pathTest,
    },
    { requiredKeys: ['run'] },
  ),
  fc.record(
    { subcommand: fc.tuple(oneOrSome(words), oneOrSome(words)), flags: flagTest },
    { requiredKeys: ['subcommand'] },
  ),
  fc.array(fc.record({ run: oneOrSome(words) }), { minLength: 1, maxLength: 2 }),
);
const leafKeys = {
  tool: oneOrSome(fc.constantFrom('shell', 'read', 'write')),
  tool_matcher: fc.constantFrom('shell', 'sh*', 'shell|read', '*', 'read*|write'),
  model_prefix: oneOrSome(fc.constantFrom('gpt-', 'gpt-4', 'claude-')),
  context: fc.record({ channel: fc.constantFrom<Json>('a', { one_of: ['a', 'b'] }, { regex: 'a' }) }),
  arguments: fc.dictionary(fc.constantFrom('command', 'path', '*'), valueTest, { minKeys: 1, maxKeys: 2 }),
  command: commandTest,
  path: pathTest,
};
const leaf: fc.Arbitrary<JsonObject> = fc.record(leafKeys, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
const when: fc.Arbitrary<JsonObject> = fc
  .tuple(
    leaf,
    fc.record(
      {
        any: fc.array(leaf, { minLength: 1, maxLength: 2 }),
        not: leaf,
        all: fc.array(leaf, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([keys, composed]) => ({ ...keys, ...composed }) as JsonObject);

/** Two sets of keys that have much in common, so that one often implies the other. */
const pair = fc.tuple(when, when, fc.infiniteStream(fc.nat(9))).map(([a, b, stream]) => {
  const draws = stream[Symbol.iterator]();
  const kept = Object.entries(a).filter(() => (draws.next().value ?? 0) < 6);
  const added = Object.entries(b).filter(() => (draws.next().value ?? 0) < 3);
  return [{ ...a, ...Object.fromEntries(added) }, Object.fromEntries(kept)] as const;
});

const commandText = fc
  .array(fc.oneof(words, flags, paths, fc.constantFrom('&&', '|', '$X', '"$F"', "'")), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(' '));
const events = fc
  .tuple(
    fc.constantFrom('shell', 'read', 'write', 'something'),
    fc.record({ command: commandText, path: paths }, { requiredKeys: [] }),
    fc.option(fc.constantFrom('gpt-4o', 'gpt-3', 'claude-3'), { nil: undefined }),
    fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  )
  .map(([tool, args, model, channel]) =>
    factsOf(
      bareEvent({
        on: 'before_tool',
        tool,
        arguments: args,
        context: channel === undefined ? {} : { channel },
      }),
      model,
    ),
  );

describe('whenImplies', () => {
  test('never says so of keys that say less about some event', () => {
    let implied = 0;
    fc.assert(
      fc.property(
        pair,
        fc.boolean(),
        fc.array(events, { minLength: 12, maxLength: 12 }),
        ([a, b], turned, all) => {
          const [narrow, wide] = turned ? [b, a] : [a, b];
          const isStrict = implies(narrow, wide);
          const isLoose = implies(narrow, wide, true);
          if (!isStrict && !isLoose) return;
          implied += 1;
          expect(sharesToken(narrow, wide)).toBe(true);
          const [from, to] = [compileWhen(narrow, MATCHER_TABLE), compileWhen(wide, MATCHER_TABLE)];
          for (const facts of all) {
            const [less, more] = [holds(from, facts), holds(to, facts)];
            if (isStrict) expect(WEIGHT(more)).toBeGreaterThanOrEqual(WEIGHT(less));
            else if (less !== false) expect(more).not.toBe(false);
          }
        },
      ),
      { numRuns: 400 },
    );
    // Otherwise the test would pass whatever is said.
    expect(implied).toBeGreaterThan(30);
  });

  test.each<readonly [JsonObject, JsonObject, boolean]>([
    [{ tool: 'shell' }, {}, true],
    [{ tool: 'shell' }, { tool: ['shell', 'read'] }, true],
    [{ tool: ['shell', 'read'] }, { tool: 'shell' }, false],
    [{ tool_matcher: 'mcp_github_x' }, { tool_matcher: 'mcp_github_*' }, true],
    [{ tool_matcher: 'mcp_github_*' }, { tool_matcher: 'mcp_*|exec' }, true],
    [{ tool_matcher: 'mcp_*' }, { tool_matcher: 'mcp_github_*' }, false],
    [{ model_prefix: ['gpt-4o', 'gpt-4.1'] }, { model_prefix: 'gpt-4' }, true],
    [{ arguments: { a: 'x', b: 'y' } }, { arguments: { a: 'x' } }, true],
    [{ arguments: { a: { gt: 5 } } }, { arguments: { a: { gte: 5 } } }, false],
    [{ arguments: { a: { gt: 5 } } }, { arguments: { a: { gt: 3 } } }, true],
    [{ arguments: { a: { equals: 7 } } }, { arguments: { a: { gt: 3, lt: 9 } } }, true],
    [{ arguments: { a: 'x' } }, { arguments: { a: { exists: true } } }, false],
    [{ arguments: { a: { not_regex: 'x' } } }, { arguments: { a: { not_regex: 'x|y' } } }, false],
    [{ command: { subcommand: ['git', 'push'] } }, { command: 'git' }, true],
    [
      { command: { subcommand: ['git', 'push'] } },
      { command: { subcommand: ['git', ['push', 'pull']] } },
      true,
    ],
    [{ command: { run: 'rm', flags: { any: '-r' } } }, { command: { run: ['rm', 'del'] } }, true],
    [{ command: 'rm' }, { command: { run: 'rm', except: { flags: { any: '-i' } } } }, false],
    [{ command: [{ run: 'rm' }, { run: 'del' }] }, { command: ['rm', 'del', 'erase'] }, true],
    [{ path: { match: '.env', uses: 'read' } }, { path: ['.env', '*.pem'] }, true],
    [{ path: '.env' }, { path: { match: '.env', uses: 'read' } }, false],
    [{ path: { match: '.env', recursive: true } }, { path: '.env' }, false],
    [{ url: { host: 'a.example', scheme: 'http' } }, { url: ['a.example', 'b.example'] }, true],
    [{ url: { host: ['a.example', 'b.example'], port: 80 } }, { url: ['a.example', 'b.example:1-99'] }, true],
    [{ url: 'a.example:8080' }, { url: { host: 'a.example', port: ['8000-8999', 22] } }, true],
    [{ url: 'a.example:8000-9000' }, { url: { host: 'a.example', port: '8000-8999' } }, false],
    [{ url: 'a.example' }, { url: 'a.example:80' }, false],
    [{ url: { host: { equals: 'a.example' } } }, { url: ['a.example', 'b.example'] }, true],
    [{ url: 'a.example' }, { url: { host: { equals: 'a.example' } } }, false],
    [{ url: { except: ['a.example', 'b.example'] } }, { url: { except: 'b.example' } }, true],
    [{ url: { except: 'b.example' } }, { url: { except: ['a.example', 'b.example'] } }, false],
    [{ content: 'x' }, { content: { test: 'x' } }, true],
    [{ content: { test: 'x', role: 'user' } }, { content: { test: 'x' } }, false],
    [{ any: [{ tool: 'shell' }, { tool: 'read' }] }, { tool: ['shell', 'read', 'write'] }, true],
    [{ any: [{ tool: 'shell' }, { command: 'rm' }] }, { tool: 'shell' }, false],
    [{ tool: 'shell', command: 'rm' }, { any: [{ tool: 'read' }, { command: 'rm' }] }, true],
    [{ all: [{ tool: 'shell' }, { command: 'rm' }] }, { tool: 'shell' }, true],
    [{ suspicious_text: true }, { suspicious_text: true }, true],
    [{ a_key_of_the_future: 1 }, { a_key_of_the_future: 1 }, false],
    [{ not: { tool: ['shell', 'read'] } }, { not: { tool: 'shell' } }, true],
    [{ not: { tool: 'shell' } }, { not: { tool: ['shell', 'read'] } }, false],
  ])('of %j and %j says %p', (narrow, wide, wanted) => {
    expect(implies(narrow, wide)).toBe(wanted);
    if (wanted) expect(sharesToken(narrow, wide)).toBe(true);
  });

  test('takes alternatives of a regex for it only where "cannot be told" counts too', () => {
    const [narrow, wide] = [{ arguments: { a: 'git' } }, { arguments: { a: 'rm|git' } }];
    expect(implies(narrow, wide, true)).toBe(true);
    expect(implies(narrow, wide, false)).toBe(false);
    expect(implies(narrow, { arguments: { a: '(rm|git)' } }, true)).toBe(false);
  });
});
