import type { Json } from '../lib/json.ts';
import type { ConsequenceKind } from './consequences.ts';

/** What an operand or a flag's value is to a program, with what that means. A URL where a file is read or run is fetched. */
export const ROLES = {
  text: 'Text that is neither a path nor a host',
  read: 'A path that is read',
  list: 'A path whose names are listed, or that is used and not shown',
  write: 'A path that is written',
  append: 'A path that is appended to',
  delete: 'A path that is deleted',
  execute: 'A path that is run',
  script: 'A shell script that is run',
  unread: 'Commands or code that are not read, so that they could do anything',
  into: 'Where the other operands go: the path that they replace, or the folder that they are put into',
  files: "Names of files that are read, with the program's own wildcards",
  move: 'A path that is read, then deleted',
  edit: 'A path that is read and shown, then written',
  download: 'A URL or host that the program downloads from',
  upload: 'A URL or host that the program uploads to',
  connect: 'A URL or host that the program connects to',
  listen: 'An address that the program listens on',
  port: 'The port of that URL, host or address',
  host: 'A host, if it looks like one; text otherwise',
  places: 'A file that lists URLs or hosts',
  url: 'A URL to connect to, if it looks like one; text otherwise',
  conninfo: 'The same, or settings such as `host=h port=1`',
  hosted: 'The name of an image or a repository, with or without its host',
  remote: 'Something on another host (`host:path`, `//host/path`); text otherwise',
  from: 'A path here or on another host that is copied from',
  to: 'A path here or on another host that is copied to',
  'at-file': 'In `@file` and `name=@file` a file that is read; other values are text',
  'named-read': 'A path that is read, or `name=path`',
  module: 'Code that is run, if its name is that of a file',
  loads: 'A file whose variables are set for what the program runs',
  secret: 'A password or token, `pass:password` too',
  login: 'A name and a password or value, as `name:password`, `name%password` or `name=password`',
  settings:
    '`name=value`, `name: value` or several of these, of which passwords, tokens and keys are secrets',
  mention: 'A path with which something unknown may happen',
} as const;

/** One of {@link ROLES}. */
export type Role = keyof typeof ROLES;

/** What a command does where it goes to another machine. */
export type NetworkUse = 'upload' | 'download' | 'connect';

/**
 * What follows from running a program: by kind and value, tests of which one must hold; `true` if it always follows. The
 * tests are those of `command:` in policies, and nobody looks at them here.
 */
export type Consequences = Readonly<
  Partial<Record<ConsequenceKind, Readonly<Record<string, true | readonly Json[]>>>>
>;

/**
 * What a program does with its words, as data. Lists of flags are written in one string, separated by spaces; in those
 * of which flags there are, the spellings of one flag are joined by commas: `-f,--force -o,--output`.
 */
export interface ProgramSpec {
  /** Flags that take a value: the rest of their word or the next one. */
  readonly values?: string;
  /** Long flags that take two words, of which the second counts as the value: `--bind from to`. */
  readonly pairs?: string;
  /** Short flags whose value, if any, is the rest of their word: `-i.bak`. */
  readonly attached?: string;
  /** Words behind such a flag that are taken for its value all the same, because nothing else is called that. */
  readonly worded?: Readonly<Record<string, string>>;
  /** Further long flags, so that abbreviations can be completed. */
  readonly long?: string;
  /**
   * `bundle` (default): `-rf` is `-r -f`; `word`: `-name` is one flag; `none`: nothing is a flag.
   */
  readonly dashes?: 'bundle' | 'word' | 'none';
  /** Regular expression of words that are one flag, though they look like a bundle: `pkill -STOP`. */
  readonly whole?: string;
  /** Regular expression of words that start with a dash and are no flags: `chmod -x`. */
  readonly dashedOperand?: string;
  /** True if the first operand ends the flags, as for programs that run another. */
  readonly stops?: boolean;
  /** True if `--no-x` undoes `--x` before it, and `--x` the `--no-x` before it. */
  readonly negates?: boolean;
  /** Values with which a flag that takes none says no: `--dry-run=none`. */
  readonly off?: string;
  /** Further flags that have several spellings, such as `-f,--force`: for undoing and for looking them up. */
  readonly same?: string;
  readonly subcommands?: Readonly<Record<string, ProgramSpec>>;
  /** The subcommand that is meant if `--` stands in its place. */
  readonly implied?: string;
  /** Flags behind whose value the flags of somebody else stand: `python -m module --flag`. */
  readonly ends?: string;
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
  /** With one of these flags the last operand is never a folder that the others are put into. */
  readonly inPlace?: string;
  /** Always, or with one of these flags, it does not show where below the last operand things are put. */
  readonly spreads?: true | string;
  /** True if it may bar the way to what lies in a folder, unless its first operand fits a regular expression. */
  readonly bars?: true | { readonly unless: string };
  /** Roles of flags' values; a role of one spelling is one of the others too. */
  readonly flags?: Readonly<Record<string, Role>>;
  /** With one of these flags the files are looked into, and nothing of them is printed: `grep -q`. */
  readonly printsNothing?: string;
  /** Flags with which it prints what it finds all the same. */
  readonly speaks?: string;
  /** Always, or with one of these flags, everything below a path is meant. */
  readonly recursive?: true | string;
  /** Always, or with one of these flags, it writes back the files that it reads. */
  readonly edits?: true | string;
  /** With one of these flags what is written is kept and added to. */
  readonly appends?: string;
  /** The path that is used if none is given. */
  readonly fallback?: string;
  /** With one of these flags nothing happens. */
  readonly harmless?: string;
  /** True if that holds only where there are no other flags: of several things to do, any may be done. */
  readonly harmlessAlone?: true;
  /**
   * With one of these flags only help is printed, whatever the other words are: they count for nothing. If there is no
   * such list, `--help` and `--version` in front of the operands keep it from touching files; if it is empty, nothing does.
   */
  readonly help?: string;
  /** With one of these flags it only looks at what it would do, on the other host too. */
  readonly looks?: string;
  /** The scheme that targets without one have. */
  readonly scheme?: string;
  /**
   * What it does on the network even if no word names a place: then it goes where it is set up to go. A string counts
   * for every call, an object lists the words by which it is told: subcommands, in which `*` stands for any characters;
   * `.` is no word at all. What a subcommand's own table says counts more.
   */
  readonly network?: NetworkUse | 'none' | Readonly<Partial<Record<NetworkUse | 'none', string>>>;
  /** What it does on the network with one of these flags. */
  readonly networkWith?: Readonly<Partial<Record<NetworkUse, string>>>;
  /** Variables that say where it goes, and at which port. */
  readonly placeVariables?: string;
  readonly portVariable?: string;
  /** The variable with flags that it takes as well as those on its line. */
  readonly flagsVariable?: string;
  /** With one of these flags the last of two or more operands is a password. */
  readonly secretLast?: string;
  /** A word with one of these beginnings has a password behind it: `-p`, `/p:`. */
  readonly secretPrefix?: string;
  /** Always, or with one of these flags, a password comes on its standard input. */
  readonly secretInput?: true | string;
  /** True if it sends its standard input to what it connects to. */
  readonly sendsInput?: true;
  /** With one of these flags it leaves the network alone. */
  readonly offline?: string;
  /**
   * What the program prints: its input and the files it reads, changed or not, or what it fetched (default); nothing of
   * them (`own`); text that it makes of them, so that it is no longer any file's (`made`).
   */
  readonly output?: 'own' | 'made';
  /** Always, or with one of these as its first word, it prints settings for the shell that evaluates them: nothing runs. */
  readonly printsSettings?: true | string;
  /** What follows from running it, with any of its subcommands. */
  readonly consequences?: Consequences;
}
