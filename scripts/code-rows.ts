import type { JsonObject } from '../src/lib/json.ts';
import type { CallResult } from '../src/reader/programs/scripts/results.ts';
import type { CodeProgram, CodeRow, Syntax } from '../src/reader/programs/scripts/rows.ts';

const NAME: JsonObject = { type: 'string', pattern: '^\\S+$' };
const YES: JsonObject = { const: true };
const PATH: JsonObject = { const: 'path' };
const PATH_OR_TREE: JsonObject = { enum: ['path', 'tree'] };

function argument(least: number, description: string): JsonObject {
  return { description, type: 'integer', minimum: least, maximum: 9 };
}

/** The values that calls give back, in words. */
export const RESULTS: Readonly<Record<CallResult, string>> = {
  same: 'The value before its dot, or its first argument',
  own: 'The value before its dot',
  copy: 'The same list, object or environment; the result for a text is unknown',
  part: 'The value before its dot, or its first argument; with arguments, a part of it: for a text, an unknown part',
  content: 'The content of the file at its path',
  element: 'One item of a list',
  list: 'A list of its arguments',
  values: 'The values of an object; another value as it is',
  pairs: 'The items of an object or a list, each with its key or number',
  function: 'The function that is its first argument',
  concatenated: 'The value before its dot, with its arguments appended',
  mapped: 'A list of the results of the function among its arguments',
  joined: 'The items of a list as one text',
  split: 'The parts of a text',
  format: 'A text with its arguments put in',
  base64: 'The text that its Base64 encodes',
  buffer: 'Its first argument, decoded as its second says',
  path: 'Its arguments as one path',
  parent: 'The folder that a path lies in',
  expanded: 'A path with the home directory in place of `~`',
  expanded_path: 'The same, of a path and the folder that it starts from',
  home: 'The home directory',
  current: 'The folder that the code is in',
  temporary: 'The folder for temporary files',
  temporary_folder: 'A new folder in it',
  variable: 'A variable of the environment',
  glob: 'The paths that fit a pattern',
  deep_glob: 'The same, in all folders below',
  names: 'The names in a folder',
  paths: 'The paths in a folder',
  walk: 'A folder, its folders and its files, for each folder below',
};

/** The schema and meaning of each key of a row. */
export const KEYS: Readonly<Record<keyof CodeRow, JsonObject>> = {
  of: {
    description:
      'One of these names must precede its dot; `*`: any. If not given, anything or nothing may precede it',
    type: 'array',
    minItems: 1,
    items: NAME,
  },
  alone: {
    description: 'It may come without a dot and the names in `of`; if `of` is not given, it must',
    ...YES,
  },
  runs: {
    description:
      'The kind of its first argument: a `shell` script; the `words` of a program; a `program` as a list, or as one text for a shell; `code` of the same language; a `file` of it; `anything`: an unknown function',
    enum: ['shell', 'words', 'program', 'code', 'file', 'anything'],
  },
  own_name: argument(
    2,
    'The argument behind the program, which is its own name or starts with it: `execl(file, name, …)`',
  ),
  reads: { description: 'It reads its path', ...PATH },
  lists: { description: 'It shows the content at its path, or uses it without showing it', ...PATH },
  loads: { description: 'It sets the variables of its path, or of `.env`, in its environment', ...PATH },
  writes: { description: 'It writes its path, or all below', ...PATH_OR_TREE },
  deletes: { description: 'It deletes its path, or all below', ...PATH_OR_TREE },
  opens: { description: 'It opens its path to read or to write, as its mode says', ...PATH },
  bars: { description: 'It changes who may use its path', ...PATH },
  enters: { description: 'What follows happens in its path', ...PATH },
  like: {
    description: 'It has the effects of this command, given two paths',
    enum: ['mv', 'cp -r', 'cp -rT', 'ln -T', 'ln -sT'],
  },
  network: {
    description: 'The way in which it uses its URL or host',
    enum: ['connect', 'download', 'upload'],
  },
  place: argument(1, 'Which argument is the URL or host; the first unless given'),
  saves: argument(1, 'The argument with the file to save to'),
  shows: {
    description: 'It prints all variables of the environment: always, or where it is `given` them',
    enum: ['environment', 'given'],
  },
  topic: { description: 'Without arguments, its argument is the item of the loop around it', ...YES },
  each: argument(
    0,
    'It calls its function argument for each item of this argument; 0: of the value before its dot',
  ),
  names: argument(1, 'The argument that names the module or member that the call returns'),
  gives: { description: 'The value that it returns', enum: Object.keys(RESULTS) },
};

const TEXT: JsonObject = { type: 'string', minLength: 1 };
const TEXTS: JsonObject = { type: 'array', items: TEXT };

function closed(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', additionalProperties: false, required: [...required], properties };
}

/** A program that runs code of a language. */
const PROGRAM: JsonObject = closed(
  {
    inline: { description: 'Flags whose value is code', ...TEXTS },
    in_place: { description: 'Flags that make it edit the files it is given', ...TEXTS },
    loops: { description: 'Flags that wrap the code in a loop over the files it is given', ...TEXTS },
    file_behind: { description: 'The subcommand that a file follows', ...TEXT },
  },
  ['inline'],
);

/** The schema of a language's syntax. All patterns are linear in time. */
const SYNTAX: JsonObject = closed(
  {
    name: { description: 'The pattern of a name', ...TEXT },
    comment: { description: 'The pattern of text that is not code', ...TEXT },
    operators: {
      description:
        'Operators that join texts, and others that are evaluated; an empty one: texts side by side are joined',
      type: 'array',
      items: { type: 'string' },
    },
    operator_words: { description: 'Names of operators between two values', ...TEXTS },
    bare_calls: { description: 'A call needs no parentheses: `system "ls"`', ...YES },
    lines: { description: 'A statement ends with its line', ...YES },
    patterns: { description: 'A slash may start a pattern', ...YES },
    dynamic: {
      description: 'The pattern of code that reaches functions or their arguments without their names',
      ...TEXT,
    },
    given: {
      description: 'The list of words that code is started with, and how many others come first in it',
      ...closed({ name: TEXT, owners: TEXTS, before: { type: 'integer' } }, ['name', 'before']),
    },
    texts: {
      type: 'array',
      items: closed(
        {
          starts: {
            description:
              'The pattern of its start; its group is closed by the same signs, brackets turned round',
            ...TEXT,
          },
          raw: { description: 'Only its closing sign and the backslash are escaped', ...YES },
          interpolates: { description: 'How expressions are put into it', enum: ['{', '#{', '${', '$'] },
          runs: { description: 'It is run as a shell command', ...YES },
          words: { description: 'It is a list of words, between these brackets', enum: ['()', '[]'] },
          call: { description: 'It is the argument of this call', ...TEXT },
          replaces: { description: 'It is a pattern; `true`: its replacement follows', type: 'boolean' },
        },
        ['starts'],
      ),
    },
  },
  ['name', 'comment', 'operators', 'texts'],
);

/** The JSON Schema of the files below `programs/code/`. */
export function codeFileSchema(): JsonObject {
  const row = { type: 'object', additionalProperties: false, minProperties: 1, properties: { ...KEYS } };
  return {
    type: 'object',
    additionalProperties: false,
    required: ['version', 'language', 'syntax', 'calls', 'examples'],
    properties: {
      version: { const: 1 },
      language: { enum: ['python', 'javascript', 'ruby', 'perl', 'php', 'lua', 'r'] },
      programs: { type: 'object', additionalProperties: PROGRAM },
      syntax: SYNTAX,
      calls: {
        description:
          'Calls by the last part of their names; `a | b` share a row, and of a list of rows the first that fits counts',
        type: 'object',
        propertyNames: { pattern: '^\\S+( \\| \\S+)*$' },
        additionalProperties: { anyOf: [row, { type: 'array', minItems: 1, items: row }] },
      },
      examples: {
        description:
          'Code, and its result: an effect as `policy explain` lists it, or a command that it runs',
        type: 'object',
        minProperties: 1,
        additionalProperties: { type: 'string' },
      },
    },
  };
}

/** A file below `programs/code/`. */
export interface CodeFile {
  readonly language: string;
  readonly programs?: Readonly<Record<string, CodeProgram>>;
  readonly syntax: Syntax<string>;
  readonly calls: Readonly<Record<string, CodeRow | readonly CodeRow[]>>;
  readonly examples: Readonly<Record<string, string>>;
}

/** The rows of a file by the last part of each call's name. Throws for a name that has two. */
export function rowsByName({ language, calls }: CodeFile): Readonly<Record<string, readonly CodeRow[]>> {
  const rows: Record<string, readonly CodeRow[]> = {};
  for (const [names, row] of Object.entries(calls))
    for (const name of names.split(' | ')) {
      if (Object.hasOwn(rows, name))
        throw new Error(`Cannot use call "${name}" of ${language}: it has two rows; put them into one list`);
      rows[name] = Array.isArray(row) ? row : [row as CodeRow];
    }
  return rows;
}
