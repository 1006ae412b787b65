import type { ProgramSpec } from './program-spec.ts';

/** A program whose arguments are, or contain, another command. */
export interface WrapperSpec {
  /** Its own flags that take a value. */
  readonly values?: string;
  /** Its own long flags that take two values. */
  readonly pairs?: string;
  /** Its own short flags whose value, if any, is the rest of their word. */
  readonly attached?: string;
  readonly dashes?: 'bundle' | 'word' | 'none';
  /** Operands before the command: `timeout 5 cmd`, `chroot dir cmd`. Beside subcommands, what is none may be a command too. */
  readonly skip?: number;
  /** True if `NAME=value` words may stand before the command. */
  readonly assignments?: boolean;
  /** True if the command runs with other rights. */
  readonly privileged?: boolean;
  /** True if the command runs on another machine or in a container. */
  readonly remote?: boolean;
  /** Flags whose value is a shell script that is run instead of a command. */
  readonly script?: string;
  /** True if the words of the command are joined and given to a shell. */
  readonly joins?: boolean;
  /** Every operand is a shell script of its own. */
  readonly scripts?: boolean;
  /** True if the command stands after `--` only. */
  readonly afterDashes?: boolean;
  /** Flags, anywhere, behind which the command begins. */
  readonly from?: string;
  /** Flags that name a file which is written. */
  readonly writes?: string;
  /** True if its own flags may stand behind the operands to skip too. */
  readonly flagsAfter?: boolean;
  /** Flags that name the directory the command runs in. */
  readonly directory?: string;
  /** Flags and first operands (`-`, or `*.py` by their end) with which it is another program: `sudo -e` is sudoedit. */
  readonly becomes?: Readonly<Record<string, string>>;
  /** With one of these flags it runs nothing. */
  readonly harmless?: string;
  /** True if the command runs in the shell itself: builtins and directory changes count. */
  readonly sameShell?: boolean;
  /** True if it runs a shell when no command is given. */
  readonly shell?: boolean;
  /** Flags that name a file which is read first: if that is the standard input, nothing is left of it for a shell. */
  readonly inputFlags?: string;
  /** Subcommands that run something; anything else does not. */
  readonly subcommands?: Readonly<Record<string, WrapperSpec>>;
}

/** A wrapper's own flags in the form of a table: they end at the first operand. */
export function wrapperFlags(spec: WrapperSpec): ProgramSpec {
  return {
    stops: true,
    ...(spec.values === undefined && spec.script === undefined
      ? {}
      : { values: [spec.values, spec.script].filter((flags) => flags !== undefined).join(' ') }),
    ...(spec.pairs === undefined ? {} : { pairs: spec.pairs }),
    ...(spec.attached === undefined ? {} : { attached: spec.attached }),
    ...(spec.dashes === undefined ? {} : { dashes: spec.dashes }),
  };
}
