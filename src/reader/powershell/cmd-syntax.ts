/** A word of cmd with its carets and quotes taken off; variables are filled in later. */
export interface CmdWord {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** The file that a stream of a command goes to, or comes from. */
export interface CmdRedirection {
  readonly kind: 'read' | 'write' | 'append';
  readonly isOutput: boolean;
  readonly target: CmdWord;
}

/** A command, or several. */
export type CmdCommand = Kind & {
  /** True behind `&&`: it runs if the command before it has succeeded. */
  readonly onSuccess?: boolean;
};

type Kind =
  | { readonly type: 'pipeline'; readonly stages: readonly CmdCommand[] }
  | {
      readonly type: 'group';
      readonly body: readonly CmdCommand[];
      readonly redirections: readonly CmdRedirection[];
    }
  | { readonly type: 'if'; readonly branches: readonly (readonly CmdCommand[])[] }
  | {
      readonly type: 'for';
      readonly variable: string;
      readonly items: readonly CmdWord[];
      /** True if the items are files of which the lines are read. */
      readonly readsFiles: boolean;
      /** Those of `for /f`, in small letters. */
      readonly options: string;
      /** The commands that `for /f` runs. */
      readonly script: readonly CmdCommand[] | undefined;
      readonly body: readonly CmdCommand[];
    }
  | {
      readonly type: 'simple';
      readonly words: readonly CmdWord[];
      readonly redirections: readonly CmdRedirection[];
    };

/** A script as far as it can be read; `error` says where it cannot. */
export interface ParsedCmd {
  readonly commands: readonly CmdCommand[];
  readonly error: { readonly start: number; readonly message: string } | undefined;
}
