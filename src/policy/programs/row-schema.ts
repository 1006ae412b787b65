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
    'Flags, with their spellings joined by commas. = takes a value, == takes two, ? may take one in its own word; the role of the value follows',
  ...WORDS,
};
const STYLE: JsonObject = {
  description: 'bundle (the default): -rf is -r -f; long-dash: -name is one flag; none: no word is a flag',
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
    ...rows(
      'What programs do with their arguments, by name; `a | b` shares one row',
      'program',
      '\\S+( \\| \\S+)*',
    ),
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
    description: 'Regular expression of words that are one flag though they look like several: -STOP',
    type: 'string',
    minLength: 1,
  },
  dashed_operand: {
    description: 'Regular expression of words that begin with a dash and are operands',
    type: 'string',
    minLength: 1,
  },
  bars: {
    description: 'It may take away access to a folder, unless its first operand fits a regular expression',
    anyOf: [YES, { ...object({ unless: { type: 'string', minLength: 1 } }), required: ['unless'] }],
  },
};

function programKeys(): JsonObject {
  const roles = Object.keys(ROLES);
  return {
    flags: FLAGS,
    style: STYLE,
    abbreviates: { description: 'Long flags may be abbreviated, and `flags` lists all of them', ...YES },
    negates: { description: '--no-x undoes an earlier --x, and --x an earlier --no-x', ...YES },
    worded: {
      description: 'By flag: the words that are its value if one of them is the next word',
      type: 'object',
      additionalProperties: WORDS,
    },
    flags_first: {
      description: 'The first operand ends the flags; the default for programs that run another one',
      ...YES_OR_NO,
    },
    flags_anywhere: { description: 'Its flags may also follow its subcommands', ...YES },
    off: words('Values that switch off a flag without a value: --dry-run=none'),
    implied: { description: 'The subcommand that -- in its place means', ...WORD },
    ends: words('Flags that end the flags of the program with their value: python -m'),
    operands: {
      description:
        'Roles in order: those of the first operands, `...role` for all others, then one for the last of two or more',
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: {
        anyOf: [
          { enum: [...roles, ...roles.map((role) => `...${role}`)] },
          {
            ...object({ role: { enum: roles }, unless: words('Flags that take its place') }),
            required: ['role', 'unless'],
          },
        ],
      },
    },
    fallback: { description: 'The path that it uses if none is given', ...WORD },
    recursive: {
      description: 'It goes through everything below its paths: always, or with one of these flags',
      anyOf: [YES, WORDS],
    },
    in_place: words('Flags with which the last operand is never a folder that the others are put into'),
    spreads: {
      description:
        'Its words do not tell where below the last operand it puts things: always, or with one of these flags',
      anyOf: [YES, WORDS],
    },
    edits: {
      description: 'It writes back the files that it reads: always, or with one of these flags',
      anyOf: [YES, WORDS],
    },
    append: words('Flags with which it appends to what it would otherwise overwrite'),
    quiet: words('Flags with which it reads files and prints nothing of them'),
    speaks: words('Flags with which it prints what it finds in spite of `quiet`'),
    harmless: words('Flags with which it does nothing'),
    harmless_alone: { description: '`harmless` holds only if there are no other flags', ...YES },
    help: {
      description:
        'Flags with which it only prints help, whatever the other words are; an empty list if it has none',
      type: 'array',
      uniqueItems: true,
      items: WORD,
    },
    dry_run: words('Flags with which it only shows what it would do'),
    scheme: { description: 'The scheme of URLs that are given without one', ...WORD },
    network: {
      description:
        'What it does on the network even if no word names a host; or a list of subcommands for each use, with `.` for none and `*` for any characters',
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
    environment: {
      description: 'Environment variables with the host, the port or flags',
      ...object({ places: WORDS, port: WORD, flags: WORD }),
    },
    secret_last: words('Flags with which the last of two or more operands is a password'),
    secret_prefix: words('A word that begins so has a password behind it: -p in -pX'),
    secret_input: {
      description: 'A password comes on its standard input: always, or with one of these flags',
      anyOf: [YES, WORDS],
    },
    sends_input: { description: 'It sends its standard input over the connection', ...YES },
    prints: {
      description:
        'own: its output has nothing of its input and files; made: its output is computed from them',
      enum: ['own', 'made'],
    },
    prints_settings: {
      description:
        'What it prints only sets variables and functions of the shell that evaluates it: always, or with one of these first words',
      anyOf: [YES, WORDS],
    },
    ...Object.fromEntries(CONSEQUENCE_KINDS.map((kind) => [kind, consequenceSchema(kind)])),
    runs: { description: 'Where in its words another command is, which it runs', $ref: '#/$defs/runs' },
    subcommands: rows('Rows of its subcommands, by their words; in `a | b c`, two share a row', 'program'),
    examples: examplesSchema(),
  };
}

function consequenceSchema(kind: ConsequenceKind): JsonObject {
  const values = Object.keys(CONSEQUENCES[kind].values);
  const test: JsonObject = { $ref: '#/$defs/command_condition' };
  const tests: JsonObject = { anyOf: [test, { type: 'array', minItems: 1, items: test }] };
  return {
    description: 'A consequence of running it: always, or by value if the command fits a test',
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
    description: 'Commands with all their consequences; `policy check` runs them',
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
    description: 'It runs a command that is among its words',
    ...object({
      flags: {
        ...FLAGS,
        minItems: 0,
        description: 'Its flags before the command, if they differ from those of the row',
      },
      style: STYLE,
      skip: {
        description:
          'How many operands precede the command. With subcommands: the first word also runs if it is a known program and none of them',
        type: 'integer',
        minimum: 0,
        maximum: 99,
      },
      assignments: { description: 'NAME=value may precede the command', ...YES },
      privileged: { description: 'The command runs as another user', ...YES },
      remote: { description: 'The command runs on another machine or in a container', ...YES },
      script: words('Flags whose value is a shell script, run instead of a command'),
      joined: { description: 'A shell runs the words of the command, joined by spaces', ...YES },
      scripts: { description: 'Every operand is a shell script', ...YES },
      after: { description: 'The command follows this word only', const: '--' },
      behind: words('Flags that the command follows, wherever they are'),
      writes: words('Flags that name a file that it writes'),
      flags_after: { description: 'Its own flags may also follow the operands that `skip` counts', ...YES },
      directory: words('Flags that name the directory the command runs in'),
      becomes: {
        description: 'By flag or first operand, `*.py` by its end: the program that it acts as',
        type: 'object',
        additionalProperties: WORD,
      },
      harmless: words('Flags with which it runs nothing'),
      same_shell: { description: 'The command runs in the shell itself', ...YES },
      shell: { description: 'It runs a shell when no command is given', ...YES },
      input: words('Flags that name a file that it reads first'),
      subcommands: rows('Rows of the subcommands that run a command', 'runs'),
    }),
  };
}
