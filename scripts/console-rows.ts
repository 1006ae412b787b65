import type { JsonObject } from '../src/lib/json.ts';
import type { ConsoleCommand, ConsoleProgram, ConsoleUse } from '../src/reader/programs/readers/consoles.ts';

/** The start of a statement of SQL, also behind an unknown text. */
const SQL_START =
  '(?:^|[;()\\uDC00-\\uDFFF]|\\*\\/|\\/\\*M?!\\d*|\\\\(?:g|\\\\)|\\$\\w*\\$|\\b(?:begin|atomic|then|else|loop|repeat|do|instead|also)\\b)\\s?';

/** Pieces that the patterns of every file may have, as `<TEXT>`. */
const PIECES: Readonly<Record<string, string>> = {
  /** A text in double quotes. */
  TEXT: '"((?:[^"\\\\\\n]|\\\\.)*)"',
  /** A text in quotes. */
  ANY_TEXT: '["\']((?:[^"\'\\\\\\n]|\\\\.)*)["\']',
  /** A list of texts in quotes. */
  LIST: '[\\[(]((?:[\\s,]*["\'][^"\'\\n]*["\'])+)',
  /** The start of a statement of SQL that deletes tables or rows. */
  SQL_DELETE:
    SQL_START +
    '(?:explain\\sanaly[sz]e\\s(?:verbose\\s)?)?(?:delete\\b(?!\\s(?:on|cascade|restrict|set|no)\\b)|truncate\\b(?!\\s?(?:(?![\\s\\S])|[;,()]|(?:on|from|as)\\b))|drop\\b(?:\\s|\\/\\*[^*]{0,200}\\*\\/){1,9}(?:(?!temporary\\s)\\w{1,20}\\s)?table\\b|alter\\stable\\b[^;]{1,200}\\b(?:drop\\scolumn|(?:drop|truncate)\\spartition|delete\\s(?:in\\spartition\\s[^;]{1,80}\\s)?where)\\b)',
  /** The start of a statement of SQL that deletes a database with all in it. */
  SQL_DROP_DATABASE: `${SQL_START}drop\\b(?:\\s|\\/\\*[^*]{0,200}\\*\\/){1,9}(?:database|schema|keyspace)\\b`,
  /** The same, wherever it is. */
  SQL_DROP_DATABASE_ANYWHERE: '\\bdrop(?:\\s|\\/\\*[^*]{0,200}\\*\\/){1,9}(?:database|schema|keyspace)\\b',
  /** SQL that runs a text as SQL, or changes where statements end. */
  SQL_RUNS_TEXT:
    "\\b(?:exec(?:ute)?|prepare|dblink\\w*|delimiter|query_to_xml|sp_executesql|run_?sql|cron\\.schedule\\w*)\\b|\\\\g(?:exec|set)|\\\\d\\s{1,9}[^\\w\\s\"']|\\\\set\\b|\\bdo\\s{1,9}(?:language\\s{1,9}\\w{1,20}\\s{1,9})?[eu&]{0,2}['$]",
  /** A part of SQL that deletes, wherever it is. */
  SQL_DELETE_ANYWHERE:
    '\\b(?:delete\\s+from\\b|truncate\\s+[\\w"`[]|(?:drop|truncate)\\s+(?:(?!temporary\\s)\\w+\\s+)?table\\b)',
};

/** The use that a command makes of the text that is the first group of its pattern. */
const USES: Readonly<Record<ConsoleUse, string>> = {
  shell: 'runs it as a shell script',
  delete: 'deletes it',
  'delete-tree': 'deletes it and everything below',
  read: 'reads it',
  write: 'writes it',
  edit: 'reads and writes it',
  execute: 'runs the file as its own code',
  commands: 'reads the file as its own commands',
  connect: 'goes to it, on the network',
  send: 'reads it and sends it to its connection',
  fetch: 'writes what it fetches to it',
  again: 'reads it as its own commands',
  type: 'types it into a terminal',
  'type-line': 'types it into a terminal, and presses Enter',
  press: 'presses a key that answers a question',
  rows: 'deletes tables, rows or documents of a database',
  database: 'deletes or empties a database',
  unknown: 'runs it as code with unknown effects',
  python: 'runs it as Python',
  javascript: 'runs it as JavaScript',
  ruby: 'runs it as Ruby',
  perl: 'runs it as Perl',
  php: 'runs it as PHP',
  lua: 'runs it as Lua',
  r: 'runs it as R',
};

/** A file below `programs/consoles/`. */
export interface ConsoleFile {
  readonly programs: Readonly<Record<string, ConsoleProgram>>;
  readonly pieces?: Readonly<Record<string, string>>;
  readonly commands: readonly ConsoleCommand[];
  readonly examples: Readonly<Record<string, string>>;
}

/** The JSON Schema of these files. */
export function consoleFileSchema(): JsonObject {
  const yes = { const: true };
  const program = {
    flags: {
      description: 'Flags whose values are commands',
      type: 'array',
      items: { type: 'string', pattern: '^-' },
    },
    from: { description: 'The first operand that holds commands', type: 'integer', minimum: 0 },
    subcommands: {
      description: 'Only operands of these subcommands hold commands',
      type: 'array',
      items: { type: 'string' },
    },
    plus: { description: 'Operands that start with a plus sign are commands', ...yes },
    input: {
      description:
        'It reads commands from the standard input if nothing else gives them; `always`: in any case',
      enum: [true, 'always'],
    },
    files: { description: 'Files that it reads hold commands', ...yes },
    variables: {
      description: 'Variables of its environment that hold commands; `*`: all',
      type: 'array',
      items: { type: 'string', pattern: '^(?:[A-Z_][A-Z0-9_]*|\\*)$' },
    },
  };
  const command = {
    does: { description: 'The way in which it uses the first group of its pattern', enum: Object.keys(USES) },
    quoted: { description: 'The text is in quotes, where a backslash escapes', ...yes },
    list: { description: 'It is a list of texts in quotes', ...yes },
    computed: {
      description: 'Texts in double quotes are joined with the unknown text between them',
      ...yes,
    },
    sql: {
      description: 'It must match outside of quotes and comments, and white space counts as one blank',
      ...yes,
    },
    needs: { description: 'The commands must also match this, anywhere', type: 'string' },
    any_case: { description: 'Upper and lower case are the same', ...yes },
    pattern: { description: 'Linear in time; `^` and `$` are those of a line', type: 'string' },
  };
  const closed = (properties: JsonObject, required: readonly string[]): JsonObject => ({
    type: 'object',
    additionalProperties: false,
    required: [...required],
    properties,
  });
  const texts = { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } };
  return closed(
    {
      version: { const: 1 },
      programs: { type: 'object', additionalProperties: closed(program, []) },
      pieces: { description: 'The replacement for `<NAME>` in a pattern', ...texts },
      commands: { type: 'array', minItems: 1, items: closed(command, ['does', 'pattern']) },
      examples: { description: 'Commands, and the effects of each', ...texts },
    },
    ['version', 'programs', 'commands', 'examples'],
  );
}

/** The commands of a file, the pieces put in. Throws for a pattern that is none. */
export function wholeCommands({ pieces, commands }: ConsoleFile): readonly ConsoleCommand[] {
  const all = { ...PIECES, ...pieces };
  return commands.map((command) => {
    const [pattern, needs] = [command.pattern, command.needs].map((text) =>
      text?.replaceAll(/<([A-Z_]+)>/g, (whole, name: string) => all[name] ?? whole),
    );
    new RegExp(pattern ?? '');
    return { ...command, pattern: pattern ?? '', ...(needs !== undefined && { needs }) };
  });
}
