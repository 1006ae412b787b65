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

/** Known facts about the place of a command. Words that need an absent fact are unknown. */
export interface ReadingContext {
  /** The user's home directory, absolute. */
  readonly home?: string | undefined;
  /** The shell that reads the command; by default one like bash. */
  readonly language?: 'sh' | 'powershell' | 'cmd' | undefined;
  /** The directory the command starts in, absolute. */
  readonly cwd?: string | undefined;
  /** Environment variables with known values; an absent one is unknown, not empty. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Rows of programs from policy files, in addition to the shipped ones. */
  readonly programs?: ProgramRows | undefined;
}

/** The commands that a shell command would run: of both branches, of loops once per known value, of functions where called. */
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
 * A part of the text that could run anything. `syntax`: it does not parse; `too_long`, `too_deep`, `too_many_steps`: it exceeds
 * a limit; `unknown_program`: a program's name is computed; `unknown_script`: a shell runs an unknown text or file (`sh -c
 * "$X"`, `echo $X | sh`); `unknown_code`: the same for an interpreter.
 */
export interface Gap {
  readonly reason: GapReason;
  readonly span: Span;
  /** One sentence without a final period. */
  readonly message: string;
}

/** One simple command that would run. */
export interface ReadCommand {
  /** The program's name without directory and `.exe`; empty for a redirection alone; undefined if unknown. */
  readonly name: string | undefined;
  /** The program as it is named after expansion: `/bin/rm`. */
  readonly program: Word;
  /** The place of the program's name in the text, if it is written there literally; a rewrite may change it. */
  readonly programSpan: Span | undefined;
  /** The same with quotes, even if it is not written there literally. */
  readonly programPlace: WordPlace;
  /** Everything after the program, in order. */
  readonly args: readonly Word[];
  /** The places of the arguments, by their index. */
  readonly argPlaces: readonly WordPlace[];
  /** The flags in force: bundles split, abbreviations completed, those that a later `--no-x` reverts left out. */
  readonly flags: readonly Flag[];
  /** The words that are neither flags nor their values, subcommands included: `git -C x push origin` has `push`, `origin`. */
  readonly operands: readonly Word[];
  /** How many of the operands name a subcommand, as far as a row knows them: `git stash drop` has 2. */
  readonly subcommands: number;
  /** The rows of the program and of its subcommands, outermost first; empty if it has none. */
  readonly rows: readonly ProgramRow[];
  /** Consequences that come from no row. */
  readonly caused: readonly Consequence[];
  /** True if it has no consequences: it prints help, only previews changes, or loses only what the script made or saved. */
  readonly idle: boolean;
  /** True if the row of its program comes from a project. */
  readonly added: boolean;
  /** Indexes of operands that may be the value of the flag before them, because the program has no row. */
  readonly uncertain: readonly number[];
  /** True if unknown words may follow: `rm $X` unquoted, `xargs rm` with an unknown input. */
  readonly openEnded: boolean;
  /** Environment set for this command: `A=1 cmd`, `env A=1 cmd`, and the variables that the script exported before. */
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
  /**
   * The content of its standard input: the text of a here-document or of `echo text |`; an unknown word with origins for `cat
   * file |` or `< file`; undefined if nothing is redirected.
   */
  readonly input: Word | undefined;
  /** The content of the file that its standard output goes to; undefined if there is no file or the content is unknown. */
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
  /** True if it only runs other commands that are listed: `sudo`, `env`, `bash -c`, `xargs`. */
  readonly wrapper: boolean;
  /** True under sudo, doas, su and the like. */
  readonly privileged: boolean;
  /** True if it runs on another machine or in a container: its paths are not paths here. */
  readonly remote: boolean;
  /** True if an unknown subcommand may use the network though no effect says so. */
  readonly mayGoUnseen: boolean;
  /** The directory it runs in: normalised, and relative to the start if that is unknown. */
  readonly cwd: Word;
  readonly effects: readonly Effect[];
  /** Whether it certainly runs, and whether the status of the script is its own. */
  readonly certainty: Pick<Certainty, 'ran' | 'own' | 'hiddenBy'>;
  /** Indexes of the commands that must have succeeded for it to run. */
  readonly behind: readonly number[];
}

/** The place that one word of a command comes from. */
export interface WordPlace {
  /** The word with its quotes, or the text that it came from; several words may share a span. */
  readonly span: Span;
  /** Offset of the word's value; undefined if it is not written there literally. */
  readonly at?: number | undefined;
}

export interface Flag {
  /** `-f`, `--force`, without its value; the full name if a row says that the word abbreviates it. */
  readonly name: string;
  /** The word it came from, without a value: `-rf` for `-r`, `--forc` for `--force`. */
  readonly written: string;
  /** From `--flag=value`, or the next word if a row says that the flag takes one. */
  readonly value: Word | undefined;
  /** Index of the word in `args`. */
  readonly arg: number;
}

/** A variable set for a command. */
export interface Assignment {
  /** Empty if unknown: `env "$X" cmd`. */
  readonly name: string;
  readonly value: Word;
  /** All values that it may have where that depends on the way that the script takes. */
  readonly ways?: readonly Word[];
  /** It is set to its own value: `HOME=$HOME cmd`. */
  readonly same?: true;
  /** It may not reach the command: ssh, `docker exec` and sudo hand on few. */
  readonly maybe?: boolean | undefined;
}

export interface Redirection {
  readonly kind: 'read' | 'write' | 'append' | 'read_write' | 'duplicate' | 'here_document' | 'here_string';
  /** The descriptor it is for; undefined for `{name}>` and `&>`. */
  readonly descriptor: number | undefined;
  /** The file after expansion; for here-documents and here-strings the text. */
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

/** An effect of a command, as the rows of programs describe them. */
export type Effect = PathEffect | NetworkEffect | RemoteCodeEffect;

/**
 * The use of a path. `empty`: in addition to a write, nothing is left in it (`> file`, `truncate -s 0`); `list`: names or
 * attributes are read, not contents; `execute`: its content runs; `mention`: no row describes the program, so its use of this
 * operand is unknown.
 */
export type PathUse = 'read' | 'write' | 'empty' | 'delete' | 'list' | 'execute' | 'mention';

export interface PathEffect {
  readonly type: 'path';
  readonly use: PathUse;
  /** The path after expansion. */
  readonly written: Word;
  /** Normalised: absolute if possible; else it starts with `~`, an unknown part, or at the start directory. */
  readonly path: Word;
  /** True if it includes everything below. */
  readonly recursive: boolean;
  /** The name that it gets if the path is an existing folder: `cp a/x d` writes `d`, or `d/x`. */
  readonly name: Word | undefined;
  /** True if it may make the files below unreachable, because it changes the rights of a folder. */
  readonly bars: boolean;
  /** True for `>>` and the like: the old content stays. */
  readonly append: boolean;
  /** Only those below the path whose name matches, where the command says so (`find d -name X -delete`). */
  readonly only: Word | undefined;
  /** True if a test selects some of the files below, by name, kind or age. */
  readonly chosen: boolean;
  readonly span: Span;
}

export interface NetworkEffect {
  readonly type: 'network';
  /** `upload`: local data is sent; `download`: remote data is fetched; `connect`: both, or it is unknown. */
  readonly use: NetworkUse | 'listen';
  /**
   * The URL, host or `user@host:path` after expansion; the empty word if the command names none and uses its configured one:
   * `git push`, `npm install`.
   */
  readonly target: Word;
  /** The default scheme of the program: `http` for curl, `ssh` for scp. */
  readonly scheme: string;
  /** The port if it is a word of its own: `ssh -p 22`, `nc host 80`. */
  readonly port: Word | undefined;
  readonly span: Span;
}

/** A command runs code that this very script fetched or decoded. */
export interface RemoteCodeEffect {
  readonly type: 'remote_code';
  /** `network`: fetched; `decoder`: base64, xxd, openssl, gunzip and the like. */
  readonly origin: 'network' | 'decoder';
  /** The address that it is fetched from; undefined for decoders and if it is unknown. */
  readonly source: Word | undefined;
  readonly span: Span;
}
