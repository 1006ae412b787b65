import type { Function as FunctionNode, Statement } from 'unbash';
import type { Consequence } from '../../../model/consequences.ts';
import type { Budget } from '../../reading/bounds.ts';
import type {
  Assignment,
  Effect,
  Flag,
  GapReason,
  PathUse,
  ReadCommand,
  ReadingContext,
  Redirection,
  Span,
  Via,
} from '../../reading/reading.ts';
import type { Word, WordPart } from '../../reading/word.ts';
import type { Source } from '../parse/source.ts';
import type { Choices } from './choices.ts';
import type { Flow, KnownSuccesses } from './flow.ts';
import type { RunCertainty } from './run-certainty.ts';
import type { Scope } from './scope.ts';

export interface Arg {
  readonly word: Word;
  readonly span: Span;
  /** Offset of the word's value in the outermost text; undefined if it is not there literally. */
  readonly at?: number | undefined;
}

/** The languages of shells. */
export type ShellLanguage = 'sh' | 'powershell' | 'cmd';

/** A place in a text, with the state that decides the effects of a command there. */
export interface Frame {
  readonly interpreter: Interpreter;
  /** The text that it is in. */
  readonly source: Source;
  readonly scope: Scope;
  readonly language: ShellLanguage;
  readonly choices: Choices | undefined;
  /** The content of standard input; undefined if nothing is redirected. */
  readonly input: Word | undefined;
  readonly via: readonly Via[];
  readonly parent: number | undefined;
  readonly privileged: boolean;
  readonly remote: boolean;
  /** True if the command's output is used; it is computed only then. */
  readonly captured: boolean;
  /** The number of substitutions around it, whose output does not enter the pipeline. */
  readonly substitutions: number;
  /** Variables that the commands around it set: `A=1`, `env A=1`. */
  readonly environment: readonly Assignment[];
  /** The commands that have succeeded in its shell so far. */
  readonly flow: Flow;
  /** What is certain about its runs, by its place in the script. */
  readonly runCertainty: RunCertainty;
  /** The number of scripts, groups and conditionals around it. */
  readonly depth: number;
  readonly scriptDepth: number;
  readonly calls: readonly FunctionCall[];
}

export interface FunctionCall {
  readonly name: string;
  /** The scope layer with its arguments. */
  readonly scope: Scope;
  readonly substitutions: number;
  readonly args: readonly Word[];
  /** Its initial state as text; set for a call within the function itself. */
  readonly start: string | undefined;
  /** True if it is called within itself, from its initial state. */
  repeats: boolean;
  /** The commands that have succeeded before a return, with success or without. */
  readonly left: { succeeded: KnownSuccesses; failed: KnownSuccesses };
  /** That of the shell that calls it. */
  readonly flow: Flow;
}

export type CommandBuilder = {
  -readonly [K in keyof ReadCommand]: ReadCommand[K];
} & {
  effects: Effect[];
  caused: Consequence[];
  feeds: number[];
  fedBy: number[];
  readonly substitutions: number;
  /** The flow of the inner command whose status it passes on, in its own shell or another. */
  inner: Flow | undefined;
  /** Its directory if an earlier change of directory failed; undefined if the script checks that. */
  readonly stayedIn: Word | undefined;
};

export interface Operand {
  readonly word: Word;
  readonly arg: number;
}

export interface ParsedArguments {
  readonly flags: readonly Flag[];
  readonly operands: readonly Operand[];
  readonly subcommands: number;
  /** Indexes of operands that may be the value of a flag, because the program has no row. */
  readonly uncertain: readonly number[];
  readonly openEnded: boolean;
}

/** A command, as a program's reader sees it. */
export interface Call {
  readonly interpreter: Interpreter;
  readonly command: CommandBuilder;
  readonly index: number;
  readonly args: readonly Arg[];
  readonly parsed: ParsedArguments;
  /** The frame that the command itself runs in. */
  readonly frame: Frame;
  readonly span: Span;
}

export interface CommandExtras {
  readonly redirections: readonly Redirection[];
  readonly span: Span;
  /** True if functions and aliases apply, as they do not after a wrapper. */
  readonly direct: boolean;
}

/** Reads one text: its state, and the changes that a program's reader may make. */
export interface Interpreter {
  readonly context: ReadingContext;
  readonly budget: Budget;
  readonly whole: Span;
  readonly commands: CommandBuilder[];
  /** The content of `<( )` and here-documents, by the part of a word that represents it. */
  readonly contents: WeakMap<WordPart, Word>;
  /** Files whose settings were loaded into the environment of a shell, or of a command's inner commands. */
  readonly loaded: {
    readonly file: Word;
    readonly into: Scope | CommandBuilder;
    readonly isWhole: boolean;
  }[];
  /** Offsets of here-documents in the outermost text, by the part with their text, if they are there literally. */
  readonly places: WeakMap<WordPart, number>;
  /** The nodes that were read: substitutions, functions, loops without a round, and expansions that the parser got wrong. */
  readonly seen: WeakSet<object>;
  /** The integer variables of the script: their values are sums. */
  readonly integers: Set<string>;
  /** The variables whose values are in small or in capital letters. */
  readonly cased: Map<string, 'lower' | 'upper'>;
  /** Each reads the script of a trap in the present state of its shell. */
  readonly traps: (() => void)[];
  /** The files that are being run, by their resolved paths. */
  readonly running: Set<string>;
  /** True after `set -a`: variables and functions are exported when set. */
  exportsAll: boolean;
  /** True after `set -e`: a failed command ends the shell. */
  stopsOnErrors: boolean;
  /** The targets of the script's symbolic links, by resolved path and by that path in one letter case. */
  readonly links: Map<string, Map<string, Word>>;
  /** Names of aliases that the script defines. */
  readonly aliases: Set<string>;
  /** Names of the variables that the script exports. */
  readonly exported: Set<string>;
  /** Commands in variables that did nothing when they were run. */
  readonly idleVariables: Set<string>;
  /** Reads a text as a shell script; returns its output. */
  runScript(script: Arg, frame: Frame): Word;
  /** Reads statements of a text; returns their output. */
  runStatements(statements: readonly Statement[], frame: Frame): Word;
  runBody(body: FunctionNode['body'], frame: Frame): Word;
  runCommand(argv: readonly Arg[], frame: Frame, extras?: CommandExtras): Word;
  /** Descends one level and reads some characters; false, with a gap, if that exceeds a limit. */
  enter(frame: Frame, span: Span, chars: number): boolean;
  gap(reason: GapReason, span: Span, message: string): void;
  /** Adds a path effect to a command, except for devices that always exist, such as /dev/null. */
  path(command: CommandBuilder, use: PathUse, written: Word, options?: PathOptions): void;
  /** The known content that the script wrote to a file. */
  fileAt(call: Call, path: Word): Word | undefined;
  /** Records the content that a command wrote to a file. */
  keepFile(call: Call, path: Word, content: Word): void;
  /** Records that files written by the script, or by wildcards, are now at a path or below it. */
  copyFiles(call: Call, from: Word, to: Word): void;
  /** Records a symbolic link that a command made: using the path uses its target. */
  keepLink(call: Call, path: Word, target: Word): void;
  /** Records the content of files of any name that a command put below a folder. */
  keepTree(call: Call, folder: Word, content: Word): void;
  resolve(path: Word, command: CommandBuilder): Word;
}

export interface PathOptions {
  readonly recursive?: boolean;
  readonly name?: Word | undefined;
  readonly bars?: boolean;
  /** Records that everybody may write there from now on. */
  readonly opens?: boolean;
  readonly append?: boolean;
  readonly only?: Word | undefined;
  readonly chosen?: boolean;
  readonly span?: Span;
}

/** Adds effects that no row can express, and reads inner commands. Returns the output; undefined if unknown. */
export type ProgramReader = (call: Call) => Word | undefined;
