/**
 * What an operand or a flag's value is to a program.
 * `text`: nothing of interest; `read`, `list`, `write`, `append`, `delete`, `execute`: a path and what happens to it;
 * `move`: read, then deleted; `download`, `upload`, `connect`, `listen`: a URL or host; `from`, `to`: a path here or on
 * another host (`host:path`) that is copied from or to; `at-file`: `@file` is read, other text is not a path.
 */
export type Role =
  | 'text'
  | 'read'
  | 'list'
  | 'write'
  | 'append'
  | 'delete'
  | 'execute'
  | 'move'
  | 'download'
  | 'upload'
  | 'connect'
  | 'listen'
  | 'from'
  | 'to'
  | 'at-file';

/** What a program does with its words, as data. Lists of flags are written in one string, separated by spaces. */
export interface ProgramSpec {
  /** Flags that take a value: the rest of their word or the next one. */
  readonly values?: string;
  /** Short flags whose value, if any, is the rest of their word: `-i.bak`. */
  readonly attached?: string;
  /** Further long flags, so that abbreviations can be completed. */
  readonly long?: string;
  /**
   * `bundle` (default): `-rf` is `-r -f`; `word`: `-name` is one flag; `none`: nothing is a flag.
   */
  readonly dashes?: 'bundle' | 'word' | 'none';
  /** Words that start with a dash and are no flags: `chmod -x`. */
  readonly dashedOperand?: RegExp;
  /** True if the first operand ends the flags, as for programs that run another. */
  readonly stops?: boolean;
  /** True if `--no-x` undoes `--x` before it, and `--x` the `--no-x` before it. */
  readonly negates?: boolean;
  /** Values with which a flag that takes none says no: `--dry-run=none`. */
  readonly off?: string;
  /** Flags that are one flag in several spellings, such as `-f` and `--force`: for undoing and for looking them up. */
  readonly same?: readonly (readonly string[])[];
  readonly subcommands?: Readonly<Record<string, ProgramSpec>>;
  /** Roles of the first operands, in order. */
  readonly first?: readonly Role[];
  /** Flags that stand in for the first operands: `grep -e pattern file`. */
  readonly firstUnless?: string;
  /** Role of the other operands. */
  readonly rest?: Role;
  /** Role of the last operand, if there are two or more. */
  readonly last?: Role;
  /** Flags that name the last operand instead: `cp -t dir file`. */
  readonly lastUnless?: string;
  /** Roles of flags' values. */
  readonly flags?: Readonly<Record<string, Role>>;
  /** Always, or with one of these flags, everything below a path is meant. */
  readonly recursive?: true | string;
  /** With one of these flags what is written is kept and added to. */
  readonly appends?: string;
  /** The path that is used if none is given. */
  readonly fallback?: string;
  /** With one of these flags nothing happens. */
  readonly harmless?: string;
  /** The scheme that targets without one have. */
  readonly scheme?: string;
  /** What the program prints: its input and the files it reads, changed or not, or what it fetched (default); nothing of them (`own`). */
  readonly output?: 'own';
}

/** Programs by name, as one family of them is written down. */
export type ProgramTable = Readonly<Record<string, ProgramSpec>>;
