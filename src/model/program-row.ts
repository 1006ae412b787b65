import type { Json, JsonObject } from '../lib/json.ts';
import type { ConsequenceKind } from './consequences.ts';
import { ROLES, type Role } from './roles.ts';

declare const VALUE: unique symbol;

/** The JSON Schema of a key, which carries the type of its values. */
type Key<Value> = JsonObject & { readonly [VALUE]?: Value };
type Values<Keys> = { readonly [Name in keyof Keys]?: Keys[Name] extends Key<infer Value> ? Value : never };

type Words = readonly string[];
type WordsBy<Name extends string> = Readonly<Partial<Record<Name, Words>>>;

export type NetworkUse = (typeof NETWORK_USES)[number];
export const NETWORK_USES = ['connect', 'upload', 'download'] as const;

const WORD: JsonObject = { type: 'string', pattern: '^\\S+$', maxLength: 256 };
export const WORDS: JsonObject = {
  type: 'array',
  minItems: 1,
  maxItems: 1_000,
  uniqueItems: true,
  items: WORD,
};
const PATTERN: JsonObject = { type: 'string', minLength: 1 };

/** The schema of an object without further keys. */
export function closed(properties: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: false, properties };
}

function words(description: string): Key<Words> {
  return { description, ...WORDS };
}

function word(description: string): Key<string> {
  return { description, ...WORD };
}

function flagKey(description: string): Key<true> {
  return { description, const: true };
}

function flagOrWords(description: string): Key<true | Words> {
  return { description, anyOf: [{ const: true }, WORDS] };
}

function wordsBy(names: readonly string[]): JsonObject {
  return closed(Object.fromEntries(names.map((name) => [name, WORDS])));
}

const FLAGS = words(
  'Flags, with their spellings joined by commas. = takes a value, == takes two, ? may take one in its own word; the role of the value follows',
);
const STYLE: Key<'bundle' | 'long-dash' | 'none'> = {
  description: 'bundle (the default): -rf is -r -f; long-dash: -name is one flag; none: no word is a flag',
  enum: ['bundle', 'long-dash', 'none'],
};
const OPERANDS: Key<readonly (Role | `...${Role}` | { readonly role: Role; readonly unless: Words })[]> = {
  description:
    'Roles in order: those of the first operands, `...role` for all others, then one for the last of two or more',
  type: 'array',
  minItems: 1,
  maxItems: 16,
  items: {
    anyOf: [
      { enum: [...Object.keys(ROLES), ...Object.keys(ROLES).map((role) => `...${role}`)] },
      {
        ...closed({ role: { enum: Object.keys(ROLES) }, unless: words('Flags that take its place') }),
        required: ['role', 'unless'],
      },
    ],
  },
};

/** Keys of every row, in addition to consequences, `runs`, `subcommands` and `examples`. */
export const ROW_KEYS = {
  flags: FLAGS,
  style: STYLE,
  switches: flagKey('/s, /a:h and switches that `flags` lists are flags, too, in any letter case'),
  abbreviates: flagKey('Long flags may be abbreviated, and `flags` lists all of them'),
  negates: flagKey('--no-x undoes an earlier --x, and --x an earlier --no-x'),
  worded: {
    description: 'By flag: words that are its value if they come next',
    type: 'object',
    additionalProperties: WORDS,
  } as Key<Readonly<Record<string, Words>>>,
  flags_first: {
    description: 'The first operand ends the flags; the default for programs that run another one',
    type: 'boolean',
  } as Key<boolean>,
  flags_anywhere: flagKey('Its flags may also follow its subcommands'),
  off: words('Values that switch off a flag without a value: --dry-run=none'),
  implied: word('The subcommand that -- in its place means'),
  ends: words('Flags that end the flags of the program with their value: python -m'),
  operands: OPERANDS,
  fallback: word('The path that it uses if none is given'),
  recursive: flagOrWords('It goes through everything below its paths: always, or with one of these flags'),
  in_place: words('Flags with which the last operand is never a folder that the others are put into'),
  spreads: flagOrWords(
    'Its words do not tell where below the last operand it puts things: always, or with one of these flags',
  ),
  edits: flagOrWords(
    'It writes back the files that it reads: always, or with one of these flags, unless another flag names a file',
  ),
  removes: flagOrWords('It deletes the files that it reads: always, or with one of these flags'),
  append: words('Flags with which it appends to what it would otherwise overwrite'),
  quiet: words('Flags with which it reads files and does not print them'),
  speaks: words('Flags with which it prints what it finds in spite of `quiet`'),
  harmless: words('Flags with which it does nothing'),
  harmless_alone: flagKey('`harmless` holds only if there are no other flags'),
  help: {
    description:
      'Flags with which it only prints help, whatever the other words are; an empty list if it has none',
    type: 'array',
    uniqueItems: true,
    items: WORD,
  } as Key<Words>,
  dry_run: words('Flags with which it only shows what it would do'),
  scheme: word('The scheme of URLs that are given without one'),
  network: {
    description:
      'What it does on the network even if no word names a host; or a list of subcommands for each use, with `.` for none and `*` for any characters',
    anyOf: [{ type: 'string', enum: [...NETWORK_USES, 'none'] }, wordsBy([...NETWORK_USES, 'none'])],
  } as Key<NetworkUse | 'none' | WordsBy<NetworkUse | 'none'>>,
  network_with: {
    description: 'What it does on the network with one of these flags',
    ...wordsBy(NETWORK_USES),
  } as Key<WordsBy<NetworkUse>>,
  offline: words('Flags with which it leaves the network alone'),
  environment: {
    description: 'Environment variables with the host, the port or flags',
    ...closed({ places: WORDS, port: WORD, flags: WORDS }),
  } as Key<{ readonly places?: Words; readonly port?: string; readonly flags?: Words }>,
  secret_last: words('Flags with which the last of two or more operands is a password'),
  secret_prefix: words('A word that begins so has a password behind it: -p in -pX'),
  secret_input: flagOrWords('A password comes on its standard input: always, or with one of these flags'),
  sends_input: flagKey('It sends its standard input over the connection'),
  prints: {
    description: 'own: its output has nothing of its input and files; made: its output is computed from them',
    enum: ['own', 'made'],
  } as Key<'own' | 'made'>,
  decodes: flagOrWords(
    'What it prints is decoded, decrypted or unpacked: always, or with one of these flags',
  ),
  prints_settings: flagOrWords(
    'What it prints only sets variables and functions of the shell that evaluates it: always, or with one of these first words',
  ),
} as const;

/** Keys of shipped rows only, because their patterns run on an engine without a time bound. */
export const SHIPPED_KEYS = {
  whole: {
    description: 'Regular expression of words that are one flag though they look like several: -STOP',
    ...PATTERN,
  } as Key<string>,
  dashed_operand: {
    description: 'Regular expression of words that begin with a dash and are operands',
    ...PATTERN,
  } as Key<string>,
  leaves_out: {
    description:
      'Regular expression of words, or of all operands, with which it may leave its work out, or has another program do it; --help and the like go without saying',
    ...PATTERN,
  } as Key<string>,
  tests: {
    description:
      'It runs tests. Regular expressions: of the operands with which it does, always if not given; of flags with which it runs all of them, beside those that every such program has; `with`: flags of which it needs one to run them; of further operands, by default folders that hold all tests. With any other word it may leave some out',
    ...closed({ by: PATTERN, with: WORDS, flags: PATTERN, names: { type: 'string' } }),
  } as Key<{ readonly by?: string; readonly with?: Words; readonly flags?: string; readonly names?: string }>,
  manifest: {
    description:
      'The file that lists what a project uses, and a regular expression of the operands with which it writes that; lock files are its own',
    ...closed({ file: WORD, by: PATTERN, unless: WORDS, folder: WORDS }),
    required: ['file', 'by'],
  } as Key<{
    readonly file: string;
    readonly by: string;
    readonly unless?: Words;
    readonly folder?: Words;
  }>,
  bars: {
    description: 'It may take away access to a folder, unless its first operand fits a regular expression',
    anyOf: [{ const: true }, { ...closed({ unless: PATTERN }), required: ['unless'] }],
  } as Key<true | { readonly unless: string }>,
} as const;

/** Keys of `runs`, in addition to `subcommands`. */
export const RUNS_KEYS = {
  flags: {
    ...FLAGS,
    minItems: 0,
    description: 'Its flags before the command, if they differ from those of the row',
  } as Key<Words>,
  style: STYLE,
  skip: {
    description:
      'How many operands precede the command. With subcommands: the first word also runs if it is a known program and none of them',
    type: 'integer',
    minimum: 0,
    maximum: 99,
  } as Key<number>,
  assignments: flagKey('NAME=value may precede the command'),
  privileged: flagKey('The command runs as another user'),
  remote: flagKey('The command runs on another machine or in a container'),
  keeps_variables: {
    description:
      'Variables set for it reach the command: always, never, or with these flags, whose value lists names. Otherwise they do, unless the command runs as another user or elsewhere',
    anyOf: [{ type: 'boolean' }, WORDS],
  } as Key<boolean | Words>,
  sets_variables: words('Flags that set variables of the command, NAME=value, or hand them on, NAME'),
  script: words('Flags whose value is a shell script, run instead of a command'),
  joined: flagKey('A shell runs the words of the command, joined by spaces'),
  scripts: flagKey('Every operand is a shell script'),
  after: { description: 'The command follows this word only', const: '--' } as Key<'--'>,
  drops_dashes: flagKey('The first -- among the words of the command is none of them'),
  behind: words('Flags that the command follows, wherever they are'),
  writes: words('Flags that name a file that it writes'),
  flags_after: flagKey('Its own flags may also follow the operands that `skip` counts'),
  directory: words('Flags that name the directory the command runs in'),
  becomes: {
    description: 'By flag or first operand, `*.py` by its end: the program that it acts as',
    type: 'object',
    additionalProperties: WORD,
  } as Key<Readonly<Record<string, string>>>,
  harmless: words('Flags with which it runs nothing'),
  same_shell: flagKey('The command runs in the shell itself'),
  keeps_status: flagKey('Its exit status is that of the command'),
  hides_status: words('Flags with which it is not'),
  shell: flagKey('It runs a shell when no command is given'),
  input: words('Flags that name a file that it reads first'),
} as const;

/** How a program runs a command among its words. */
export interface Runs extends Values<typeof RUNS_KEYS> {
  readonly subcommands?: Readonly<Record<string, Runs>>;
}

/** By value: tests as in `command:` of policies, one of which must hold; `true` if it always follows. */
export type Consequences = Readonly<Record<string, true | readonly Json[]>>;

/**
 * A row of `programs/*.yaml` or of a policy file: how a program uses its words. Each name has its own row, `server delete` is
 * the `delete` of `server`, and consequences have their tests by value. Plain JSON.
 */
export interface ProgramRow
  extends Values<typeof ROW_KEYS>,
    Values<typeof SHIPPED_KEYS>,
    Readonly<Partial<Record<ConsequenceKind, Consequences>>> {
  readonly runs?: Runs;
  readonly subcommands?: Readonly<Record<string, ProgramRow>>;
}
