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

/** A word of a command and where it comes from. */
export interface Arg {
  readonly word: Word;
  readonly span: Span;
  /** Offset of the word's value in the outermost text, undefined if it is not there as it is. */
  readonly at?: number | undefined;
}

/** The languages of shells. */
export type Language = 'sh' | 'powershell' | 'cmd';

/** A place in a text with everything around it that decides the effects of a command there. */
export interface Frame {
  readonly interpreter: Interpreter;
  /** The text that it is in. */
  readonly source: Source;
  readonly scope: Scope;
  /** The language of a text that is run here. */
  readonly language: Language;
  readonly choices: Choices | undefined;
  /** The content of standard input; undefined if nothing is redirected. */
  readonly input: Word | undefined;
  readonly via: readonly Via[];
  readonly parent: number | undefined;
  readonly privileged: boolean;
  readonly remote: boolean;
  /** True if the command's output is used: it is computed only then. */
  readonly captured: boolean;
  /** How many substitutions it is in: their output does not go down the pipeline around them. */
  readonly substitutions: number;
  /** Variables set for it by the commands around it: `A=1`, `env A=1`. */
  readonly environment: readonly Assignment[];
  /** The commands that have succeeded in its shell so far. */
  readonly flow: Flow;
  /** The facts that are certain by its place in the script. */
  readonly runCertainty: RunCertainty;
  /** Scripts, groups and conditionals around it. */
  readonly depth: number;
  readonly scriptDepth: number;
  /** The functions around it. */
  readonly calls: readonly FunctionCall[];
}

/** A function while it is read. */
export interface FunctionCall {
  readonly name: string;
  /** The layer with its arguments. */
  readonly scope: Scope;
  /** The substitutions around it. */
  readonly substitutions: number;
  readonly args: readonly Word[];
  /** The state that it starts from, as a text; set for a call within the function itself. */
  readonly start: string | undefined;
  /** True if it is called again within itself, from where it started. */
  repeats: boolean;
  /** The commands that have succeeded if it was left by return, with success or without. */
  readonly left: { succeeded: KnownSuccesses; failed: KnownSuccesses };
  /** That of the shell that calls it. */
  readonly flow: Flow;
}

/** A command while it is put together. */
export type CommandBuilder = {
  -readonly [K in keyof ReadCommand]: ReadCommand[K];
} & {
  effects: Effect[];
  caused: Consequence[];
  feeds: number[];
  fedBy: number[];
  readonly substitutions: number;
  /** The flow of the inner command whose status it passes on; its own shell's if that runs there. */
  inner: Flow | undefined;
  /** The directory that it runs in if a change of directory before it has failed; undefined if that is checked. */
  readonly stayedIn: Word | undefined;
};

/** An operand and its index in the arguments. */
export interface Operand {
  readonly word: Word;
  readonly arg: number;
}

/** Arguments taken apart. */
export interface ParsedArguments {
  readonly flags: readonly Flag[];
  readonly operands: readonly Operand[];
  readonly subcommands: number;
  /** Indexes of operands that may be the value of a flag: the program has no row. */
  readonly uncertain: readonly number[];
  readonly openEnded: boolean;
}

/** A command that a program's reader looks at. */
export interface Call {
  readonly interpreter: Interpreter;
  readonly command: CommandBuilder;
  readonly index: number;
  /** The arguments without the program. */
  readonly args: readonly Arg[];
  readonly parsed: ParsedArguments;
  /** The frame that the command itself runs in. */
  readonly frame: Frame;
  readonly span: Span;
}

/** Facts about a simple command that come from around it. */
export interface CommandExtras {
  readonly redirections: readonly Redirection[];
  /** The span of the whole command. */
  readonly span: Span;
  /** True if functions and aliases apply: not behind a wrapper. */
  readonly direct: boolean;
}

/** Reads one text: its state, and the changes that the reader of a program may make to the reading. */
export interface Interpreter {
  readonly context: ReadingContext;
  readonly budget: Budget;
  /** The span of the whole text. */
  readonly whole: Span;
  readonly commands: CommandBuilder[];
  /** The content of `<( )` and here-documents, by the part that represents them. */
  readonly contents: WeakMap<WordPart, Word>;
  /** Files whose settings have been loaded into the environment of a shell, or of the inner commands of a command. */
  readonly loaded: { readonly file: Word; readonly into: Scope | CommandBuilder }[];
  /** Offsets of here-documents in the outermost text, if they are there as they are, by the part that is their text. */
  readonly places: WeakMap<WordPart, number>;
  /**
   * The parser's nodes that were read: substitutions and functions whose commands were, expansions that the parser got
   * wrong, and the bodies of loops that have no round.
   */
  readonly seen: WeakSet<object>;
  /** Names of the variables that the script makes integers: their values are sums. */
  readonly integers: Set<string>;
  /** Those whose values it has in small or in capital letters. */
  readonly cased: Map<string, 'lower' | 'upper'>;
  /** Each reads the script of a trap in the state that its shell has come to. */
  readonly traps: (() => void)[];
  /** The files whose content is being run, by their resolved paths. */
  readonly running: Set<string>;
  /** True after `set -a`: variables and functions are exported as they are set. */
  exportsAll: boolean;
  /** True after `set -e`: the commands behind one that fails do not run. */
  stopsOnErrors: boolean;
  /** The targets of the symbolic links that the script makes, by their resolved paths; before that by these in one letter case. */
  readonly links: Map<string, Map<string, Word>>;
  /** Names of aliases that the script defines. */
  readonly aliases: Set<string>;
  /** Names of the variables that the script exports. */
  readonly exported: Set<string>;
  /** Reads a text as a shell script; returns its output. */
  runScript(script: Arg, frame: Frame): Word;
  /** Reads statements of a text; returns their output. */
  runStatements(statements: readonly Statement[], frame: Frame): Word;
  /** Reads the body of a function. */
  runBody(body: FunctionNode['body'], frame: Frame): Word;
  /** Reads words as a command; returns its output. */
  runCommand(argv: readonly Arg[], frame: Frame, extras?: CommandExtras): Word;
  /** Goes one level down and reads so many characters; false, with a gap, if a bound does not let it. */
  enter(frame: Frame, span: Span, chars: number): boolean;
  gap(reason: GapReason, span: Span, message: string): void;
  /** Adds a path effect to a command; devices that are always there, such as /dev/null, are left out. */
  path(command: CommandBuilder, use: PathUse, written: Word, options?: PathOptions): void;
  /** The content that the script put into a file, if it is known. */
  fileAt(call: Call, path: Word): Word | undefined;
  /** Remembers the content that a command put into a file. */
  keepFile(call: Call, path: Word, content: Word): void;
  /** Remembers that the content of files that the script wrote, by wildcards too, is now at a path or below it. */
  copyFiles(call: Call, from: Word, to: Word): void;
  /** Remembers that a command made a symbolic link: a use of the path is a use of its target. */
  keepLink(call: Call, path: Word, target: Word): void;
  /** Remembers the content of files that a command put below a folder, whatever their names. */
  keepTree(call: Call, folder: Word, content: Word): void;
  /** A path as the command sees it. */
  resolve(path: Word, command: CommandBuilder): Word;
}

export interface PathOptions {
  readonly recursive?: boolean;
  readonly name?: Word | undefined;
  readonly bars?: boolean;
  /** Everybody may write there from now on. */
  readonly opens?: boolean;
  readonly append?: boolean;
  readonly only?: Word | undefined;
  readonly chosen?: boolean;
  readonly span?: Span;
}

/**
 * Adds the effects of one program beyond its row, and reads the commands that it would run. Returns the program's output,
 * undefined if that is not known.
 */
export type ProgramReader = (call: Call) => Word | undefined;
