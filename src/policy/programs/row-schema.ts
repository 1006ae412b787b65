import type { JsonObject } from '../../lib/json.ts';
import { COMMAND_DEFINITIONS } from '../../matchers/command-spec.ts';
import { CONSEQUENCE_KINDS, CONSEQUENCES, type ConsequenceKind } from '../../model/consequences.ts';
import { ROLES } from '../../model/program-spec.ts';

const NETWORK_USES = ['connect', 'upload', 'download'];
const WORD: JsonObject = { type: 'string', pattern: '^\\S+$', maxLength: 256 };
const WORDS: JsonObject = { type: 'array', minItems: 1, maxItems: 1_000, uniqueItems: true, items: WORD };
const YES: JsonObject = { const: true };
const YES_OR_NO: JsonObject = { type: 'boolean' };
const FLAGS = {
  description:
    'Flags, spellings joined by commas: = takes a value, == two, ? may take one in its own word; then its role',
  ...WORDS,
};
const STYLE: JsonObject = {
  description:
    'bundle: -rf is -r -f; long-dash: -name is one flag; none: nothing is a flag; bundle unless given',
  enum: ['bundle', 'long-dash', 'none'],
};

function words(description: string): JsonObject {
  return { description, ...WORDS };
}

function object(properties: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: false, properties };
}

function rows(description: string, definition: string, names = '\\S+( \\S+)*'): JsonObject {
  return {
    description,
    type: 'object',
    maxProperties: 1_000,
    propertyNames: { pattern: `^${names}$`, maxLength: 4_096 },
    additionalProperties: { $ref: `#/$defs/${definition}` },
  };
}

/** The JSON Schema 2020-12 of `programs:`. */
export function programsSchema(): JsonObject {
  return {
    ...rows('What programs do with their words, by name; `a | b` share a row', 'program', '\\S+( \\| \\S+)*'),
    minProperties: 1,
  };
}

/** Definitions that `programs:` of policy files needs, beside those of `command:`. */
export function programDefinitions(): JsonObject {
  return { program: object(programKeys()), runs: runsSchema() };
}

/** The JSON Schema of the files below `programs/`. */
export function programsFileSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Programs file',
    ...object({ version: { const: 1 }, programs: programsSchema() }),
    required: ['version', 'programs'],
    $defs: {
      ...COMMAND_DEFINITIONS,
      ...programDefinitions(),
      program: object({ ...programKeys(), ...SHIPPED_KEYS }),
    },
  };
}

/** Keys of shipped rows alone: the engine of these patterns may take very long for some. */
const SHIPPED_KEYS: JsonObject = {
  whole: {
    description: 'Regular expression of words that are one flag, though they look like a bundle: -STOP',
    type: 'string',
    minLength: 1,
  },
  dashed_operand: {
    description: 'Regular expression of words with a dash that are no flags',
    type: 'string',
    minLength: 1,
  },
  bars: {
    description:
      'It may bar the way to what lies in a folder, unless its first operand fits a regular expression',
    anyOf: [YES, { ...object({ unless: { type: 'string', minLength: 1 } }), required: ['unless'] }],
  },
};

function programKeys(): JsonObject {
  return {
    flags: FLAGS,
    style: STYLE,
    abbreviates: { description: 'Long flags may be cut short; all of them are listed', ...YES },
    negates: { description: '--no-x undoes --x before it, and the other way round', ...YES },
    worded: {
      description: 'By flag: words behind it that are its value, because nothing else is called that',
      type: 'object',
      additionalProperties: WORDS,
    },
    flags_first: {
      description: 'The first operand ends the flags; so it is for what runs another program',
      ...YES_OR_NO,
    },
    flags_anywhere: { description: 'Its flags may stand behind its subcommands too', ...YES },
    off: words('Values with which a flag that takes none says no: --dry-run=none'),
    implied: { description: 'The subcommand that is meant if -- stands in its place', ...WORD },
    ends: words('Flags behind whose value the flags of somebody else stand: python -m'),
    operands: {
      description:
        'Roles in order: the first ones, `...role` for all others, one for the last of two or more',
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: {
        anyOf: [
          { enum: [...ROLES, ...ROLES.map((role) => `...${role}`)] },
          {
            ...object({ role: { enum: [...ROLES] }, unless: words('Flags that stand in for it') }),
            required: ['role', 'unless'],
          },
        ],
      },
    },
    fallback: { description: 'The path that is used if none is given', ...WORD },
    recursive: {
      description: 'Always, or with one of these flags, everything below a path is meant',
      anyOf: [YES, WORDS],
    },
    in_place: words('Flags with which the last operand is no folder that the others are put into'),
    spreads: {
      description:
        'Always, or with one of these flags, it does not show where below the last operand things are put',
      anyOf: [YES, WORDS],
    },
    append: words('Flags with which what is written is kept and added to'),
    quiet: words('Flags with which files are looked into and nothing of them is printed'),
    speaks: words('Flags with which it prints what it finds all the same'),
    harmless: words('Flags with which nothing happens'),
    harmless_alone: { description: 'That holds only without other flags', ...YES },
    help: {
      description:
        'Flags with which only help is printed, whatever the other words are; none of them if empty',
      type: 'array',
      uniqueItems: true,
      items: WORD,
    },
    dry_run: words('Flags with which it only looks at what it would do'),
    scheme: { description: 'The scheme that targets without one have', ...WORD },
    network: {
      description:
        'What it does on the network though no word names a place; by subcommand, `.` for none, `*` for any characters',
      anyOf: [
        { type: 'string', enum: [...NETWORK_USES, 'none'] },
        object(Object.fromEntries([...NETWORK_USES, 'none'].map((use) => [use, WORDS]))),
      ],
    },
    network_with: {
      description: 'What it does on the network with one of these flags',
      ...object(Object.fromEntries(NETWORK_USES.map((use) => [use, WORDS]))),
    },
    offline: words('Flags with which it leaves the network alone'),
    remotes: { description: 'Its reader knows at which words it goes to another machine', ...YES },
    environment: {
      description: 'Variables that say where it goes, and at which port, or that hold flags of it',
      ...object({ places: WORDS, port: WORD, flags: WORD }),
    },
    sends_input: { description: 'It sends its standard input to what it connects to', ...YES },
    prints: {
      description: 'own: nothing of its input and files; made: text that it makes of them',
      enum: ['own', 'made'],
    },
    ...Object.fromEntries(CONSEQUENCE_KINDS.map((kind) => [kind, consequenceSchema(kind)])),
    runs: { $ref: '#/$defs/runs' },
    subcommands: rows('Rows of its subcommands, by their words; `a | b c` share a row', 'program'),
    examples: examplesSchema(),
  };
}

function consequenceSchema(kind: ConsequenceKind): JsonObject {
  const values = Object.keys(CONSEQUENCES[kind].values);
  const test: JsonObject = { $ref: '#/$defs/command_condition' };
  const tests: JsonObject = { anyOf: [test, { type: 'array', minItems: 1, items: test }] };
  return {
    description: 'What follows from running it: always, or by value, where the command fits a test',
    anyOf: [
      ...valueOrValues(values),
      { ...object(Object.fromEntries(values.map((value) => [value, tests]))), minProperties: 1 },
    ],
  };
}

function valueOrValues(values: readonly string[]): readonly JsonObject[] {
  const value: JsonObject = { type: 'string', enum: values };
  return [value, { type: 'array', minItems: 1, uniqueItems: true, items: value }];
}

/** What examples may say beside what follows: effects of the commands that are run. */
const EFFECT_KEYS = ['reads', 'writes', 'deletes', 'executes'] as const;

function examplesSchema(): JsonObject {
  const effects = EFFECT_KEYS.map((key) => [key, words('Paths, as they are written')] as const);
  return {
    description:
      'Commands with what comes out of them, run whenever the file is checked; what follows is all of it',
    type: 'object',
    minProperties: 1,
    additionalProperties: object({
      ...Object.fromEntries(
        CONSEQUENCE_KINDS.map((kind) => [
          kind,
          { anyOf: valueOrValues(Object.keys(CONSEQUENCES[kind].values)) },
        ]),
      ),
      network: { enum: [...NETWORK_USES, 'none'] },
      ...Object.fromEntries(effects),
      runs: words('Programs that it runs'),
    }),
  };
}

function runsSchema(): JsonObject {
  return {
    description: 'Its operands are, or contain, another command',
    ...object({
      flags: {
        ...FLAGS,
        minItems: 0,
        description: 'Its flags in front of the command, where they are others than those of the row',
      },
      style: STYLE,
      skip: { description: 'Operands in front of the command', type: 'integer', minimum: 1, maximum: 99 },
      assignments: { description: 'NAME=value may stand in front of the command', ...YES },
      privileged: { description: 'The command has other rights', ...YES },
      remote: { description: 'The command runs on another machine or in a container', ...YES },
      script: words('Flags whose value is a shell script, run instead of a command'),
      joined: { description: 'The words of the command are joined and given to a shell', ...YES },
      scripts: { description: 'Every operand is a shell script', ...YES },
      after: { description: 'The command stands behind this only', const: '--' },
      behind: words('Flags, anywhere, behind which the command begins'),
      writes: words('Flags that name a file that is written'),
      flags_after: { description: 'Its own flags may stand behind the operands to skip too', ...YES },
      directory: words('Flags that name the directory the command runs in'),
      becomes: {
        description: 'By flag: the program that it is with it',
        type: 'object',
        additionalProperties: WORD,
      },
      harmless: words('Flags with which it runs nothing'),
      harmless_alone: { description: 'They must be words of their own', ...YES },
      same_shell: { description: 'The command runs in the shell itself', ...YES },
      shell: { description: 'It runs a shell when no command is given', ...YES },
      input: words('Flags that name a file that is read first'),
      subcommands: rows('Subcommands that run something', 'runs'),
    }),
  };
}
