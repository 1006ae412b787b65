import { compileNameGlob } from '../lib/glob.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../lib/json.ts';
import { checkTime } from '../lib/time-limit.ts';
import type { Surroundings } from '../model/surroundings.ts';
import { and, anyTruth, not, or, type Truth } from '../model/truth.ts';
import {
  GAP_REASONS,
  type NetworkEffect,
  type PathUse,
  type ReadCommand,
  type Reading,
} from '../reading/reading.ts';
import { type Word, wordEquals } from '../reading/word.ts';
import { commandUrls, goesAnywhere } from './call-urls.ts';
import { ENVIRONMENT_SCHEMA, environmentProblems, environmentTest } from './command-environment.ts';
import { FLAGS_SCHEMA, flagProblems, flagTest } from './command-flags.ts';
import { USES_OF_KEY } from './command-needs.ts';
import { OPERANDS_SCHEMA, operandProblems, operandTest } from './command-operands.ts';
import type { SpecProblem } from './matcher.ts';
import { compilePathTest, PATH_TEST_DEFINITION, PATH_TEST_SCHEMA, pathTestProblems } from './path-spec.ts';
import { prefixed } from './spec-path.ts';
import { compileUrlTest, URL_TEST_DEFINITIONS, URL_TEST_SCHEMA, urlTestProblems } from './url-spec.ts';

/** Judges one command of a reading. */
export type CommandTest = (command: ReadCommand, reading: Reading, surroundings: Surroundings) => Truth;

const name = { type: 'string', minLength: 1 } as const;
const names = { anyOf: [name, { type: 'array', minItems: 1, items: name }] } as const;
const yes = { type: 'boolean' } as const;
const namesOrTest = { anyOf: [...names.anyOf, { $ref: '#/$defs/command_end' }] } as const;

/** The keys of a command test, for exceptions too. */
const COMMAND_KEYS: JsonObject = {
  run: { ...names, description: 'The program, without its folder; * stands for any characters' },
  subcommand: {
    type: 'array',
    minItems: 2,
    items: names,
    description:
      'The program and the first words after it that are no flags: [git, push]; a list means any of these',
  },
  flags: FLAGS_SCHEMA,
  args: OPERANDS_SCHEMA,
  reads: { ...PATH_TEST_SCHEMA, description: 'It reads or runs a path that fits' },
  writes: { ...PATH_TEST_SCHEMA, description: 'It writes a path that fits' },
  deletes: { ...PATH_TEST_SCHEMA, description: 'It deletes a path that fits' },
  pipes_to: {
    ...namesOrTest,
    description:
      'Its output goes to one of these programs, or to a command that fits, directly or through others',
  },
  pipes_from: {
    ...namesOrTest,
    description:
      'Its input comes from one of these programs, or from a command that fits, directly or through others',
  },
  downloads_and_runs: { ...yes, description: 'It runs code that is fetched or decoded in the same script' },
  network: {
    anyOf: [yes, URL_TEST_SCHEMA],
    description: 'It talks to the network, or to a URL that fits',
  },
  uploads: { ...yes, description: 'It sends local data to the network' },
  privileged: { ...yes, description: 'It runs under sudo, doas, su or the like' },
  wrapped_by: { ...names, description: 'One of these programs runs it: xargs, sudo, ssh, find' },
  elsewhere: { ...yes, description: 'It runs on another machine or in a container' },
  environment: ENVIRONMENT_SCHEMA,
};

const gap = { type: 'string', enum: GAP_REASONS } as const;

/** The keys of a test of the command at the other end of a pipe. */
const END_KEYS: JsonObject = {
  ...COMMAND_KEYS,
  except: {
    anyOf: [
      name,
      { type: 'array', minItems: 1, items: { anyOf: [...names.anyOf, { $ref: '#/$defs/command_test' }] } },
      { $ref: '#/$defs/command_test' },
    ],
    description: 'Commands that do not count; each single command is excused only by itself',
  },
};

/** The keys of a policy's own command test. */
const RULE_KEYS: JsonObject = {
  ...END_KEYS,
  unreadable: {
    anyOf: [gap, { type: 'array', minItems: 1, items: gap }],
    description: 'Alone: a part of the script cannot be read, for one of these reasons',
  },
};

function objectOf(properties: JsonObject): JsonObject {
  return { type: 'object', minProperties: 1, additionalProperties: false, properties };
}

/** JSON Schema of `command`: a program, a test, or a list of these. */
export const COMMAND_SCHEMA: JsonObject = {
  anyOf: [
    name,
    { type: 'array', minItems: 1, items: { anyOf: [name, { $ref: '#/$defs/command_rule' }] } },
    { $ref: '#/$defs/command_rule' },
  ],
};

/** The schemas that `COMMAND_SCHEMA` refers to. */
export const COMMAND_DEFINITIONS: Readonly<Record<string, JsonObject>> = {
  ...URL_TEST_DEFINITIONS,
  ...PATH_TEST_DEFINITION,
  command_test: objectOf(COMMAND_KEYS),
  command_end: objectOf(END_KEYS),
  command_rule: objectOf(RULE_KEYS),
};

/** The problems in a command test that its schema cannot express. */
export function commandTestProblems(spec: Json): readonly SpecProblem[] {
  if (Array.isArray(spec)) return spec.flatMap((each, index) => prefixed(index, commandTestProblems(each)));
  if (!isJsonObject(spec)) return [];
  const [other] = Object.keys(spec).filter((key) => key !== 'unreadable');
  if (Object.hasOwn(spec, 'unreadable') && other !== undefined)
    return [{ code: 'bad-value', path: [other], message: ALONE, hint: 'write a policy of its own for it' }];
  const paths = ['reads', 'writes', 'deletes'].flatMap((key) =>
    prefixed(key, pathTestProblems(spec[key] ?? null)),
  );
  return [
    ...paths,
    ...prefixed('flags', flagProblems(spec['flags'] ?? null)),
    ...prefixed('args', operandProblems(spec['args'] ?? null)),
    ...prefixed('network', urlTestProblems(spec['network'] ?? null)),
    ...prefixed('pipes_to', flowProblems(spec['pipes_to'] ?? null)),
    ...prefixed('pipes_from', flowProblems(spec['pipes_from'] ?? null)),
    ...prefixed('environment', environmentProblems(spec['environment'] ?? null)),
    ...prefixed('except', commandTestProblems(spec['except'] ?? null)),
  ];
}

function flowProblems(spec: Json): readonly SpecProblem[] {
  return isJsonObject(spec) ? commandTestProblems(spec) : [];
}

const ALONE = 'Cannot test a command and "unreadable" at once: what cannot be read is no command yet';

/** Compiles a command test. */
export function compileCommandTest(spec: Json): CommandTest {
  const whole = isJsonObject(spec) ? spec : { run: spec };
  const tests = Object.entries(whole)
    .filter(([key]) => key !== 'except')
    .map(([key, value]) => compileKey(key, value, whole));
  const except = own(whole, 'except');
  if (except !== undefined) {
    const excepted = testsIn(except).map(compileCommandTest);
    tests.push((command, reading, surroundings) =>
      not(excepted.reduce<Truth>((any, test) => or(any, test(command, reading, surroundings)), false)),
    );
  }
  return (command, reading, surroundings) => {
    checkTime();
    const otherwise: Truth = couldBeAnything(command) ? 'unknown' : false;
    let truth: Truth = true;
    for (const test of tests) {
      truth = and(truth, test(command, reading, surroundings));
      if (truth === false) return otherwise;
    }
    return truth;
  };
}

/** A program that is an unquoted expansion may bring words of its own along: `$CMD file`. */
function couldBeAnything({ name, program }: ReadCommand): boolean {
  return name === undefined && program.some((part) => part.type === 'unknown' && part.splits);
}

/** A list of plain names is one test, a list with objects several. */
export function testsIn(spec: Json): readonly Json[] {
  return Array.isArray(spec) && spec.some(isJsonObject) ? spec : [spec];
}

function compileKey(key: string, value: Json, whole: JsonObject): CommandTest {
  switch (key) {
    case 'run':
      return nameTest(value);
    case 'subcommand':
      return subcommandTest(Array.isArray(value) ? value : []);
    case 'flags':
      return flagTest(value);
    case 'args':
      return operandTest(value, namedSubcommands(whole));
    case 'reads':
    case 'writes':
    case 'deletes':
      return pathEffectTest(USES_OF_KEY[key], value);
    case 'pipes_to':
      return flowTest('feeds', value);
    case 'pipes_from':
      return flowTest('fedBy', value);
    case 'downloads_and_runs':
      return ({ effects }) => effects.some(({ type }) => type === 'remote_code') === value;
    case 'network':
      return networkTest(value);
    case 'uploads':
      return networkUseTest(value === true, ({ use }) => use === 'upload');
    case 'privileged':
      return ({ privileged }) => privileged === value;
    case 'wrapped_by': {
      const fits = anyName(value);
      return ({ via }) => via.some((step) => fits(step.name));
    }
    case 'elsewhere':
      return ({ elsewhere }) => elsewhere === value;
    case 'environment':
      return environmentTest(value);
    default:
      throw new Error(`Cannot compile command test "${key}": unknown`);
  }
}

function namedSubcommands(spec: JsonObject): number {
  const subcommand = own(spec, 'subcommand');
  return Array.isArray(subcommand) ? subcommand.length - 1 : 0;
}

function listOf(spec: Json): readonly string[] {
  return (Array.isArray(spec) ? spec : [spec]).map(String);
}

function anyName(spec: Json): (name: string) => boolean {
  const names = listOf(spec);
  const plain = new Set(names.filter((name) => !name.includes('*')));
  const globs = names.filter((name) => name.includes('*')).map(compileNameGlob);
  return (found) => plain.has(found) || globs.some((fits) => fits(found));
}

function nameTest(spec: Json): CommandTest {
  const fits = anyName(spec);
  // A program's name that cannot be known could be any.
  return (command) => (command.name === undefined ? 'unknown' : fits(command.name));
}

function subcommandTest(words: readonly Json[]): CommandTest {
  const [program = '', ...rest] = words;
  const runs = nameTest(program);
  const wanted = rest.map(listOf);
  return (command, reading, surroundings) => {
    const truth = runs(command, reading, surroundings);
    if (truth === false) return false;
    const { operands, uncertain } = command;
    const plain = wordsFit(wanted, operands, command);
    if (plain !== false || uncertain.length === 0) return and(truth, plain);
    // What stands behind a flag that nobody knows may be its value.
    const without = operands.filter((_, index) => !uncertain.includes(index));
    return and(truth, and('unknown', wordsFit(wanted, without, command)));
  };
}

function wordsFit(
  wanted: readonly (readonly string[])[],
  operands: readonly Word[],
  command: ReadCommand,
): Truth {
  let truth: Truth = true;
  for (const [index, alternatives] of wanted.entries()) {
    const operand = operands[index];
    truth = and(
      truth,
      operand === undefined ? openEnd(command) : anyTruth(alternatives, (word) => wordEquals(operand, word)),
    );
    if (truth === false) return false;
  }
  return truth;
}

function openEnd(command: ReadCommand): Truth {
  return command.openEnded ? 'unknown' : false;
}

function pathEffectTest(uses: readonly PathUse[], spec: Json): CommandTest {
  const test = compilePathTest(spec);
  return ({ name, effects }, _, surroundings) =>
    anyTruth(effects, (effect) => {
      if (effect.type !== 'path') return false;
      if (uses.includes(effect.use)) return test(effect, surroundings);
      // A program that is not known may do anything to what it is given.
      return name === undefined && effect.use === 'mention'
        ? and('unknown', test(effect, surroundings))
        : false;
    });
}

function networkTest(spec: Json): CommandTest {
  if (typeof spec === 'boolean') return networkUseTest(spec, () => true);
  const test = compileUrlTest(spec);
  return (command) => or(anyTruth(commandUrls(command), test), goesAnywhere(command) ? 'unknown' : false);
}

function networkUseTest(wanted: boolean, fits: (effect: NetworkEffect) => boolean): CommandTest {
  return (command) => {
    const does = command.effects.some((effect) => effect.type === 'network' && fits(effect));
    const truth = does || (command.name !== undefined && !command.mayGoUnseen ? false : 'unknown');
    return wanted ? truth : not(truth);
  };
}

/** Follows a pipeline in one direction through all its stages: once for all commands of a reading. */
function flowTest(direction: 'feeds' | 'fedBy', spec: Json): CommandTest {
  const test = isJsonObject(spec) ? compileCommandTest(spec) : nameTest(spec);
  const known = new WeakMap<Reading, readonly [Surroundings, Flow]>();
  return (command, reading, surroundings) => {
    if (command[direction].length === 0) return false;
    const [at, before] = known.get(reading) ?? [];
    const flow = at === surroundings ? before : undefined;
    if (flow !== undefined) return flow.get(command) ?? false;
    const found = flowOf(direction === 'feeds' ? 'fedBy' : 'feeds', test, reading, surroundings);
    known.set(reading, [surroundings, found]);
    return found.get(command) ?? false;
  };
}

/** Which commands of a reading have one that passes a test among the others of their pipeline. */
type Flow = ReadonlyMap<ReadCommand, Truth>;

/** Goes from the commands that pass back to those that lead there. */
function flowOf(
  back: 'feeds' | 'fedBy',
  test: CommandTest,
  reading: Reading,
  surroundings: Surroundings,
): Flow {
  checkTime();
  const { commands } = reading;
  const truths = commands.map((command) => test(command, reading, surroundings));
  const flow = new Map<ReadCommand, Truth>();
  for (const truth of ['unknown', true] as const) {
    const open = commands.filter((_, index) => truths[index] === truth);
    for (let command = open.pop(); command !== undefined; command = open.pop()) {
      for (const index of command[back]) {
        const next = commands[index];
        if (next === undefined || flow.get(next) === truth) continue;
        flow.set(next, truth);
        open.push(next);
      }
    }
  }
  return flow;
}
