import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { LIST, TEXT_OR_TEXTS } from '../../../lib/schema-parts.ts';
import { CONSEQUENCE_KINDS, CONSEQUENCES } from '../../../model/consequences.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import { and, anyTruth, not, or } from '../../../model/truth.ts';
import type { NetworkEffect, PathUse, ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { showWord } from '../../../reader/reading/word.ts';
import { TRAITS } from '../call/traits.ts';
import { commandUrls, mayReachAnyHost, shownUrl } from '../call/urls.ts';
import { compilePathTest, PATH_TEST_SCHEMA, pathTestProblems } from '../path/spec.ts';
import { PROGRAM_TEXT } from '../types/shapes.ts';
import { compileUrlTest, URL_TEST_SCHEMA, urlTestProblems } from '../url/spec.ts';
import { consequenceTest } from './consequences.ts';
import { ENVIRONMENT_SCHEMA, environmentProblems, environmentTest } from './environment.ts';
import { FLAGS_SCHEMA, flagProblems, flagTest, seenFlags } from './flags.ts';
import { flowTest } from './flow.ts';
import { anyName, namedOperands, nameTest, shownCommand, shownPrograms, subcommandTest } from './names.ts';
import { OPERANDS_SCHEMA, operandProblems, operandTest } from './operands.ts';
import { pushedBranches, pushTest } from './pushes.ts';
import type { CommandTest } from './test.ts';

/** The kinds of specs under a key. They decide how specs are compared and taken apart. */
export type SpecKind =
  | 'names'
  | 'words'
  | 'flags'
  | 'operands'
  | 'paths'
  | 'command'
  | 'urls'
  | 'variables'
  | 'values'
  | 'yes';

/** The whole test that a key belongs to, and a way to compile others. */
export interface WholeTest {
  readonly spec: JsonObject;
  /** True in an `except`. */
  readonly excuses: boolean;
  readonly compile: (spec: Json) => CommandTest;
}

export interface CommandKey {
  readonly key: string;
  readonly kind: SpecKind;
  readonly schema: JsonObject;
  /** The problems that the schema cannot express, given those of a test of another command. */
  readonly check?: (
    spec: Json,
    commandProblems: (spec: Json) => readonly SpecProblem[],
  ) => readonly SpecProblem[];
  /** Bits of `TRAITS` of which some command must have one; 0 where that rules nothing out. */
  readonly traits?: (spec: Json) => number;
  readonly compile: (spec: Json, whole: WholeTest) => CommandTest;
  /** The parts of a command that the key looks at, for people; empty if there are none. */
  readonly seen: (command: ReadCommand, reading: Reading, spec: Json) => readonly string[];
}

/** JSON Schema of a program's name or several. */
export const NAMES_SCHEMA = { anyOf: [PROGRAM_TEXT, { ...LIST, items: PROGRAM_TEXT }] } as const;
const yes = { type: 'boolean' } as const;

/** Every key of a command test but `except` and `unreadable`, in the order of the reference. */
export const COMMAND_KEYS: readonly CommandKey[] = [
  {
    key: 'run',
    kind: 'names',
    schema: { ...NAMES_SCHEMA, description: 'The program, without its directory; * matches any characters' },
    compile: nameTest,
    seen: (_, reading) => shownPrograms(reading),
  },
  {
    key: 'subcommand',
    kind: 'words',
    schema: {
      type: 'array',
      minItems: 2,
      prefixItems: [NAMES_SCHEMA],
      items: TEXT_OR_TEXTS,
      description:
        'The program and the first words after it that are no flags: [git, push]; a list means any of these',
    },
    compile: (spec) => subcommandTest(Array.isArray(spec) ? spec : []),
    seen: (command, reading, spec) => seenSubcommand(command, reading, Array.isArray(spec) ? spec : []),
  },
  {
    key: 'flags',
    kind: 'flags',
    schema: FLAGS_SCHEMA,
    check: flagProblems,
    compile: (spec, { spec: whole }) => flagTest(spec, namedOperands(own(whole, 'subcommand'))),
    seen: seenFlags,
  },
  {
    key: 'args',
    kind: 'operands',
    schema: OPERANDS_SCHEMA,
    check: operandProblems,
    compile: (spec, { spec: whole }) => operandTest(spec, namedOperands(own(whole, 'subcommand'))),
    seen: ({ operands, subcommands }) => operands.slice(subcommands).map(showWord),
  },
  {
    key: 'pushes_to',
    kind: 'names',
    schema: {
      ...TEXT_OR_TEXTS,
      description: 'It pushes to a branch of this name, however the push says so; * matches any characters',
    },
    compile: pushTest,
    seen: pushedBranches,
  },
  pathKey('reads', 'It reads or runs a matching path', ['read', 'execute']),
  pathKey('writes', 'It writes a matching path', ['write']),
  pathKey('deletes', 'It deletes a matching path', ['delete']),
  flowKey('pipes_to', 'Its output goes to', 'feeds'),
  flowKey('pipes_from', 'Its input comes from', 'fedBy'),
  {
    key: 'downloads_and_runs',
    kind: 'yes',
    schema: { ...yes, description: 'It runs code that the same script fetched or decoded' },
    traits: (spec) => (spec === true ? TRAITS.remote_code : 0),
    compile:
      (spec) =>
      ({ effects }) =>
        effects.some(({ type }) => type === 'remote_code') === spec,
    seen: (_command, _reading, spec) => [String(spec !== true)],
  },
  {
    key: 'network',
    kind: 'urls',
    schema: { anyOf: [yes, URL_TEST_SCHEMA], description: 'It uses the network, or a matching URL' },
    check: urlTestProblems,
    traits: (spec) => (spec === false ? 0 : TRAITS.network),
    compile: networkTest,
    seen: (command, reading) => commandUrls(command, reading).map(shownUrl),
  },
  {
    key: 'uploads',
    kind: 'yes',
    schema: { ...yes, description: 'It sends local data to the network' },
    traits: (spec) => (spec === true ? TRAITS.network : 0),
    compile: (spec) => networkUseTest(spec === true, ({ use }) => use === 'upload'),
    seen: (_command, _reading, spec) => [String(spec !== true)],
  },
  {
    key: 'privileged',
    kind: 'yes',
    schema: { ...yes, description: 'It runs under sudo, doas, su or similar' },
    traits: (spec) => (spec === true ? TRAITS.privileged : 0),
    compile:
      (spec) =>
      ({ privileged }) =>
        privileged === spec,
    seen: ({ privileged }) => [String(privileged)],
  },
  {
    key: 'wrapped_by',
    kind: 'names',
    schema: { ...NAMES_SCHEMA, description: 'One of these programs runs it: xargs, sudo, ssh, find' },
    traits: () => TRAITS.via,
    compile: (spec) => {
      const fits = anyName(spec);
      return ({ via }) => via.some((step) => fits(step.name));
    },
    seen: ({ via }) => via.map(({ name }) => name),
  },
  {
    key: 'remote',
    kind: 'yes',
    schema: { ...yes, description: 'It runs on another machine or in a container' },
    traits: (spec) => (spec === true ? TRAITS.remote : 0),
    compile:
      (spec) =>
      ({ remote }) =>
        remote === spec,
    seen: ({ remote }) => [String(remote)],
  },
  {
    key: 'environment',
    kind: 'variables',
    schema: ENVIRONMENT_SCHEMA,
    check: environmentProblems,
    traits: () => TRAITS.assignment,
    compile: (spec, { excuses }) => environmentTest(spec, excuses),
    seen: ({ assignments }) => assignments.map(({ name, value }) => `${name}=${showWord(value)}`),
  },
  ...CONSEQUENCE_KINDS.map((kind): CommandKey => {
    const { summary, values } = CONSEQUENCES[kind];
    const value: JsonObject = { type: 'string', enum: Object.keys(values) };
    return {
      key: kind,
      kind: 'values',
      schema: { anyOf: [value, { ...LIST, uniqueItems: true, items: value }], description: summary },
      traits: () => TRAITS[kind],
      compile: (spec, whole) => consequenceTest(kind, spec, whole),
      seen: (command) => [shownCommand(command)],
    };
  }),
];

function pathKey(key: string, description: string, uses: readonly PathUse[]): CommandKey {
  return {
    key,
    kind: 'paths',
    schema: { ...PATH_TEST_SCHEMA, description },
    check: pathTestProblems,
    traits: () => uses.reduce((bits, use) => bits | TRAITS[use], 0),
    compile: (spec) => pathEffectTest(uses, spec),
    seen: ({ effects }) =>
      effects.flatMap((effect) =>
        effect.type === 'path' && uses.includes(effect.use) ? [showWord(effect.path)] : [],
      ),
  };
}

function flowKey(key: string, where: string, direction: 'feeds' | 'fedBy'): CommandKey {
  return {
    key,
    kind: 'command',
    schema: {
      anyOf: [...NAMES_SCHEMA.anyOf, { $ref: '#/$defs/command_end' }],
      description: `${where} one of these programs, ${where.startsWith('Its output') ? 'or to' : 'or from'} a command that fits, directly or through others`,
    },
    check: (spec, commandProblems) => (isJsonObject(spec) ? commandProblems(spec) : []),
    compile: (spec, { compile }) => flowTest(direction, isJsonObject(spec) ? compile(spec) : nameTest(spec)),
    seen: (command, { commands }) =>
      command[direction].flatMap((index) => commands[index] ?? []).map(shownCommand),
  };
}

/** The programs, or for the program that is meant the words instead of subcommands. */
function seenSubcommand(
  command: ReadCommand,
  reading: Reading,
  [program = '', ...words]: readonly Json[],
): readonly string[] {
  if (nameTest(program)(command) === false) return shownPrograms(reading);
  const { name = '', operands } = command;
  return [[name, ...operands.slice(0, words.length).map(showWord)].join(' ')];
}

function pathEffectTest(uses: readonly PathUse[], spec: Json): CommandTest {
  const test = compilePathTest(spec);
  return ({ name, effects }, _, surroundings) =>
    anyTruth(effects, (effect) => {
      if (effect.type !== 'path') return false;
      if (uses.includes(effect.use)) return test(effect, surroundings);
      // An unknown program may use its operands in any way.
      return name === undefined && effect.use === 'mention'
        ? and('unknown', test(effect, surroundings))
        : false;
    });
}

function networkTest(spec: Json): CommandTest {
  if (typeof spec === 'boolean') return networkUseTest(spec, () => true);
  const test = compileUrlTest(spec);
  return (command, reading) =>
    or(anyTruth(commandUrls(command, reading), test), mayReachAnyHost(command) ? 'unknown' : false);
}

function networkUseTest(wanted: boolean, fits: (effect: NetworkEffect) => boolean): CommandTest {
  return (command) => {
    const does = command.effects.some((effect) => effect.type === 'network' && fits(effect));
    const truth = does || (command.name !== undefined && !command.mayGoUnseen ? false : 'unknown');
    return wanted ? truth : not(truth);
  };
}
