import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { CLOSED, LIST } from '../../../lib/schema-parts.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import type { Miss } from '../../../model/miss.ts';
import { and, not, or, type Truth } from '../../../model/truth.ts';
import { GAP_REASONS, type ReadCommand } from '../../../reader/reading/reading.ts';
import { askPart } from '../miss.ts';
import { PATH_TEST_DEFINITION } from '../path/spec.ts';
import { prefixed } from '../spec-path.ts';
import { URL_TEST_DEFINITIONS } from '../url/spec.ts';
import { COMMAND_KEYS, NAMES_SCHEMA } from './keys.ts';
import { shownCommand } from './names.ts';
import type { CommandTest } from './test.ts';

const [name] = NAMES_SCHEMA.anyOf;
const gap = { type: 'string', enum: GAP_REASONS } as const;

const TEST_KEYS: JsonObject = Object.fromEntries(COMMAND_KEYS.map(({ key, schema }) => [key, schema]));

/** The keys of a test of the command at the other end of a pipe. */
const END_KEYS: JsonObject = {
  ...TEST_KEYS,
  except: {
    anyOf: [
      name,
      {
        type: 'array',
        // None, where a parameter says so.
        minItems: 0,
        items: { anyOf: [...NAMES_SCHEMA.anyOf, { $ref: '#/$defs/command_test' }] },
      },
      { $ref: '#/$defs/command_test' },
    ],
    description: 'Commands that do not count; each command is excused only on its own',
  },
};

/** The keys of a test of a command whose program is known. */
const { run: _run, subcommand: _subcommand, ...CONDITION_KEYS } = END_KEYS;

/** The keys of a policy's own command test. */
const RULE_KEYS: JsonObject = {
  ...END_KEYS,
  unreadable: {
    anyOf: [gap, { ...LIST, items: gap }],
    description: 'Part of the script cannot be read, for one of these reasons; allows no other key',
  },
};

function objectOf(properties: JsonObject): JsonObject {
  return { ...CLOSED, minProperties: 1, properties };
}

export const COMMAND_SCHEMA: JsonObject = {
  anyOf: [
    name,
    { ...LIST, items: { anyOf: [name, { $ref: '#/$defs/command_rule' }] } },
    { $ref: '#/$defs/command_rule' },
  ],
};

/** The schemas that `COMMAND_SCHEMA` refers to. */
export const COMMAND_DEFINITIONS: Readonly<Record<string, JsonObject>> = {
  ...URL_TEST_DEFINITIONS,
  ...PATH_TEST_DEFINITION,
  command_test: objectOf(TEST_KEYS),
  command_end: objectOf(END_KEYS),
  command_condition: objectOf(CONDITION_KEYS),
  command_rule: objectOf(RULE_KEYS),
};

/** The problems in a command test that its schema cannot express. */
export function commandTestProblems(spec: Json): readonly SpecProblem[] {
  if (Array.isArray(spec)) return spec.flatMap((each, index) => prefixed(index, commandTestProblems(each)));
  if (!isJsonObject(spec)) return [];
  const [other] = Object.keys(spec).filter((key) => key !== 'unreadable');
  if (Object.hasOwn(spec, 'unreadable') && other !== undefined)
    return [{ code: 'bad-value', path: [other], message: ALONE, hint: 'write a policy of its own for it' }];
  return [
    ...COMMAND_KEYS.flatMap(({ key, check }) =>
      prefixed(key, check?.(spec[key] ?? null, commandTestProblems) ?? []),
    ),
    ...prefixed('except', commandTestProblems(spec['except'] ?? null)),
  ];
}

const ALONE = 'Cannot test a command and "unreadable" at once: an unreadable part is not a command';
const KEY_TABLE = new Map(COMMAND_KEYS.map((row) => [row.key, row]));

/** `excuses`: it says what does not count. */
export function compileCommandTest(spec: Json, excuses = false): CommandTest {
  const whole = isJsonObject(spec) ? spec : { run: spec };
  const tests = Object.entries(whole)
    .filter(([key]) => key !== 'except')
    .map(([key, value]): CommandTest => {
      const row = KEY_TABLE.get(key);
      if (row === undefined) throw new Error(`Cannot compile command test "${key}": unknown`);
      const test = row.compile(value, {
        spec: whole,
        excuses,
        compile: (inner) => compileCommandTest(inner, excuses),
      });
      const path = whole === spec ? [key] : [];
      return (command, reading, surroundings, missed) =>
        askPart(
          () => ({ path, wanted: value, seen: () => row.seen(command, reading, value) }),
          0,
          missed,
          (tell) => test(command, reading, surroundings, tell),
        );
    });
  const except = own(whole, 'except');
  if (except !== undefined) {
    const excepted = testsIn(except).map((each) => compileCommandTest(each, !excuses));
    tests.push((command, reading, surroundings, missed) =>
      askPart(
        () => ({ path: ['except'], wanted: except, excludes: true, seen: () => [shownCommand(command)] }),
        0,
        missed,
        () =>
          not(excepted.reduce<Truth>((any, test) => or(any, test(command, reading, surroundings)), false)),
      ),
    );
  }
  return (command, reading, surroundings, missed) => {
    checkTime();
    const otherwise: Truth = isOpenExpansion(command) ? 'unknown' : false;
    let truth: Truth = true;
    for (const [held, test] of tests.entries()) {
      const tell = missed && ((miss: Miss) => missed({ ...miss, held: miss.held + held }));
      truth = and(truth, test(command, reading, surroundings, tell));
      if (truth === false) return otherwise;
    }
    return truth;
  };
}

/** A program that is an unquoted expansion may bring words of its own along: `$CMD file`. */
function isOpenExpansion({ name, program }: ReadCommand): boolean {
  return name === undefined && program.some((part) => part.type === 'unknown' && part.splits);
}

/** A list of plain names is one test, a list with objects several. */
export function testsIn(spec: Json): readonly Json[] {
  return Array.isArray(spec) && spec.some(isJsonObject) ? spec : [spec];
}
