import type { Consequence } from '../../model/consequences.ts';
import type { Certainty } from '../../model/history.ts';
import type { ProgramRows } from '../../model/policy.ts';
import type { NetworkUse, ProgramRow } from '../../model/program-row.ts';
import type { Word } from './word.ts';

/** Offsets into the text that was read: UTF-16 units, `end` excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Known facts about the place a command would run in. An absent fact makes words that need it unknown. */
export interface ReadingContext {
  /** The user's home directory, absolute. */
  readonly home?: string | undefined;
  /** The shell that the command is given to; one that reads like bash unless given. */
  readonly language?: 'sh' | 'powershell' | 'cmd' | undefined;
  /** The directory the command starts in, absolute. */
  readonly cwd?: string | undefined;
  /** Environment variables that are certain; one that is absent is unknown, not empty. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Rows of programs from policy files, beside the ones that are known here. */
  readonly programs?: ProgramRows | undefined;
}

/**
 * The commands that a shell command would run. Both branches of a conditional count, a loop's body counts once per known value,
 * and the body of a function counts where it is called.
 */
export interface Reading {
  /** In the order in which they are started, a wrapper before its inner command. */
  readonly commands: readonly ReadCommand[];
  /** False if something could not be read; `gaps` names the parts. Unknown words are not gaps. */
  readonly complete: boolean;
  readonly gaps: readonly Gap[];
}

/** Why a part of a text could not be read. */
export const GAP_REASONS = [
  'syntax',
  'too_long',
  'too_deep',
  'too_many_steps',
  'unknown_program',
  'unknown_script',
  'unknown_code',
] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/**
 * A part of the text that could run anything. `syntax`: it does not parse; `too_long`, `too_deep`, `too_many_steps`: a
 * bound was reached; `unknown_program`: a program's name is computed; `unknown_script`: a shell is given a text or a
 * file that cannot be seen to be harmless (`sh -c "$X"`, `echo $X | sh`); `unknown_code`: the same for an interpreter.
 */
export interface Gap {
  readonly reason: GapReason;
  readonly span: Span;
  /** One sentence without a final period. */
  readonly message: string;
}

/** One simple command that would run. */
export interface ReadCommand {
  /**
   * The program's name without its directory, without `.exe`; empty for a redirection without a command; undefined if it cannot
   * be known (`program` may still have known parts).
   */
  readonly name: string | undefined;
  /** The program as it is named after expansion: `/bin/rm`. */
  readonly program: Word;
  /** The place of the program's name in the text, if it is written there as it is: a place to rewrite. */
  readonly programSpan: Span | undefined;
  /** The same with quotes, whether it is written there as it is or not. */
  readonly programPlace: WordPlace;
  /** Everything after the program, in order. */
  readonly args: readonly Word[];
  /** The places of the arguments, by their index. */
  readonly argPlaces: readonly WordPlace[];
  /** The flags in force: bundles taken apart, abbreviations completed, those undone by a later `--no-x` left out. */
  readonly flags: readonly Flag[];
  /** The words that are neither flags nor their values, subcommands included: `git -C x push origin` has `push`, `origin`. */
  readonly operands: readonly Word[];
  /** How many of the operands name a subcommand, as far as a row knows them: `git stash drop` has 2. */
  readonly subcommands: number;
  /** The rows of the program and of the subcommands that are used, the outermost first; empty if it has no row. */
  readonly rows: readonly ProgramRow[];
  /** The consequences of running it that no row can say. */
  readonly caused: readonly Consequence[];
  /**
   * True if it only prints its help, or only says which changes it would make, or all that it would lose is the script's own or
   * has been saved by it: it has no consequences.
   */
  readonly idle: boolean;
  /** True if the row of its program comes from a project. */
  readonly added: boolean;
  /** Indexes of operands that may be the value of the flag before them: the program has no row. */
  readonly uncertain: readonly number[];
  /** True if words that cannot be seen may follow: `rm $X` unquoted, `xargs rm` with an unknown input. */
  readonly openEnded: boolean;
  /** Environment set for this command: `A=1 cmd`, `env A=1 cmd`, and the variables that the script exported before. */
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
  /**
   * The content of its standard input: the text of a here-document or of `echo text |`; an unknown word with origins for `cat
   * file |` or `< file`; undefined if nothing is redirected.
   */
  readonly input: Word | undefined;
  /** The content of the file that its standard output is redirected to; undefined if there is no file, or the content is unknown. */
  readonly output: Word | undefined;
  /** Indexes of the commands that its standard output goes to: the next stage of a pipeline, `cmd "$(this)"`. */
  readonly feeds: readonly number[];
  /** Indexes of the commands that feed it. */
  readonly fedBy: readonly number[];
  readonly span: Span;
  /** How it came to run, outermost first; empty for a command that is in the text itself. */
  readonly via: readonly Via[];
  /** Index of the command that runs it (`sudo`, `bash -c`, `find -exec`), undefined if the text does. */
  readonly parent: number | undefined;
  /** True if all it does is run others that are listed: `sudo`, `env`, `bash -c`, `xargs`. */
  readonly wrapper: boolean;
  /** True under sudo, doas, su and the like. */
  readonly privileged: boolean;
  /** True if it runs on another machine or in a container: its paths are not paths here. */
  readonly remote: boolean;
  /** True if it may go to another machine though no effect says so: the subcommand that decides is not known. */
  readonly mayGoUnseen: boolean;
  /** The directory it runs in: normalised, relative to the start if that is not known. */
  readonly cwd: Word;
  readonly effects: readonly Effect[];
  /** Tells if it certainly runs, and if the status of the script is its own. */
  readonly certainty: Pick<Certainty, 'ran' | 'own' | 'hiddenBy'>;
  /** Indexes of the commands that must have succeeded for it to run. */
  readonly behind: readonly number[];
}

/** The place that one word of a command comes from. */
export interface WordPlace {
  /** The word with its quotes, or the text that it came out of: several words may have one span. */
  readonly span: Span;
  /** Offset of the word's value, undefined if it is not written there as it is. */
  readonly at?: number | undefined;
}

/** One flag in force. */
export interface Flag {
  /** `-f`, `--force`, without its value; the full name where a row knows that the word abbreviates it. */
  readonly name: string;
  /** The word it came from, without a value: `-rf` for `-r`, `--forc` for `--force`. */
  readonly written: string;
  /** `--flag=value`, or the next word where a row knows that the flag takes one. */
  readonly value: Word | undefined;
  /** Index of the word in `args`. */
  readonly arg: number;
}

/** A variable set for a command. */
export interface Assignment {
  /** Empty where it cannot be known: `env "$X" cmd`. */
  readonly name: string;
  readonly value: Word;
  /** It is set to its own value: `HOME=$HOME cmd`. */
  readonly same?: true;
}

/** A redirection of a command. */
export interface Redirection {
  readonly kind: 'read' | 'write' | 'append' | 'read_write' | 'duplicate' | 'here_document' | 'here_string';
  /** The descriptor it is for; undefined for `{name}>` and `&>`. */
  readonly descriptor: number | undefined;
  /** The file as it is named after expansion; for here-documents and here-strings the text. */
  readonly target: Word;
  readonly span: Span;
}

/** One step of how a command came to run. */
export interface Via {
  readonly kind:
    | 'wrapper'
    | 'shell'
    | 'eval'
    | 'source'
    | 'substitution'
    | 'process_substitution'
    | 'function'
    | 'alias'
    | 'trap'
    | 'find'
    | 'xargs'
    | 'interpreter'
    | 'configuration'
    | 'decoder'
    | 'remote';
  /** The program, function, alias, signal or variable: `sudo`, `bash`, `find`, `GIT_SSH_COMMAND`. */
  readonly name: string;
}

/** Something a command does to the world, as the rows of programs know it. */
export type Effect = PathEffect | NetworkEffect | RemoteCodeEffect;

/**
 * The use of a path. `empty`: beside being written, it is left with nothing in it (`> file`, `truncate -s 0`); `list`: names or
 * attributes are looked at, not contents; `execute`: its content is run; `mention`: the program is not described by a row, so its
 * use of this operand is not known.
 */
export type PathUse = 'read' | 'write' | 'empty' | 'delete' | 'list' | 'execute' | 'mention';

/** A command uses a path. */
export interface PathEffect {
  readonly type: 'path';
  readonly use: PathUse;
  /** As it is named after expansion. */
  readonly written: Word;
  /**
   * Normalised by `resolvePath`: absolute where cwd and home are known; else it starts with `~` (home not known), is
   * relative to the start directory, or starts with an unknown part.
   */
  readonly path: Word;
  /** True if everything below it is meant too. */
  readonly recursive: boolean;
  /** The name that it gets if the path is a folder already: `cp a/x d` writes `d`, or `d/x`. */
  readonly name: Word | undefined;
  /** True if it may bar the way to the files below, because it changes the rights of a folder. */
  readonly bars: boolean;
  /** True for `>>` and the like: the old content stays. */
  readonly append: boolean;
  /** Only those below the path whose name matches, where the command says so (`find d -name X -delete`). */
  readonly only: Word | undefined;
  /** True if only some of the files below are meant, because a test chooses: a name, a kind, an age. */
  readonly chosen: boolean;
  readonly span: Span;
}

/** A command talks to the network. */
export interface NetworkEffect {
  readonly type: 'network';
  /** `upload`: local data is sent; `download`: remote data is fetched; `connect`: both, or it is unknown. */
  readonly use: NetworkUse | 'listen';
  /**
   * The URL, host or `user@host:path` as it is named after expansion; the empty word where the command names none and
   * goes where it is set up to go: `git push`, `npm install`.
   */
  readonly target: Word;
  /** The scheme that the program takes where the target names none: `http` for curl, `ssh` for scp. */
  readonly scheme: string;
  /** The port where it is in a word of its own: `ssh -p 22`, `nc host 80`. */
  readonly port: Word | undefined;
  readonly span: Span;
}

/** A command runs code that comes from the network or out of a decoder in this very script. */
export interface RemoteCodeEffect {
  readonly type: 'remote_code';
  /** `network`: fetched; `decoder`: base64, xxd, openssl, gunzip and the like. */
  readonly origin: 'network' | 'decoder';
  /** The address that it is fetched from; undefined for decoders and if it is unknown. */
  readonly source: Word | undefined;
  readonly span: Span;
}
