/** An expression of PowerShell, or a word of a command. */
export type Expression =
  | { readonly type: 'text'; readonly text: string; readonly bare?: boolean }
  /** A string or a word with values in it. */
  | { readonly type: 'joined'; readonly parts: readonly Expression[]; readonly bare?: boolean }
  /** In small letters, without its scope: `env:path`, `home`, `_`. */
  | { readonly type: 'variable'; readonly name: string }
  /** `@name` among the words of a command. */
  | { readonly type: 'splat'; readonly name: string }
  | { readonly type: 'list'; readonly items: readonly Expression[] }
  /** `( )`, `$( )` and `@( )`. */
  | { readonly type: 'statements'; readonly body: readonly Statement[] }
  | { readonly type: 'block'; readonly block: Block; readonly text: string }
  | { readonly type: 'table'; readonly entries: readonly (readonly [Expression, Statement])[] }
  | { readonly type: 'type'; readonly name: string }
  | { readonly type: 'cast'; readonly to: string; readonly value: Expression }
  /** Operators in small letters, without the `c` or `i` for letter case. */
  | {
      readonly type: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly type: 'unary'; readonly operator: string; readonly value: Expression }
  | {
      readonly type: 'choice';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    }
  | {
      readonly type: 'member';
      readonly of: Expression;
      /** In small letters where it is written out. */
      readonly name: Expression;
      /** Undefined for a property. */
      readonly args: readonly Expression[] | undefined;
    }
  | { readonly type: 'index'; readonly of: Expression; readonly at: Expression };

/** `{ param( … ) … }`, a function's body, a whole script. */
export interface Block {
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

export interface Parameter {
  readonly name: string;
  readonly initial: Expression | undefined;
}

export interface CommandWord {
  readonly value: Expression;
  readonly start: number;
  readonly end: number;
  /** `-Name`, in front of a value that is joined to it by a colon. */
  readonly parameter?: string;
  /** The value behind `-Name:`. */
  readonly given?: Expression;
}

export interface FileRedirection {
  readonly append: boolean;
  /** True unless only a stream of errors, warnings and the like goes there. */
  readonly isOutput: boolean;
  readonly target: CommandWord;
}

export interface PipelineStage {
  readonly start: number;
  readonly end: number;
  /** The program and its words; undefined where the stage is an expression. */
  readonly words: readonly CommandWord[];
  readonly expression?: Expression;
  /** `&` and `.` run the value of their first word. */
  readonly calls?: '&' | '.' | undefined;
  readonly redirections: readonly FileRedirection[];
}

export type Statement =
  | { readonly type: 'pipeline'; readonly stages: readonly PipelineStage[]; readonly isBackground: boolean }
  | {
      readonly type: 'assignment';
      readonly target: Expression;
      readonly operator: string;
      readonly value: Statement;
    }
  /** `a && b || c`: each may run. */
  | {
      readonly type: 'chain';
      readonly items: readonly Statement[];
      /** Those between the items. */
      readonly operators: readonly ('&&' | '||')[];
    }
  /** One of several, or none. */
  | {
      readonly type: 'branches';
      readonly before: readonly Statement[];
      readonly branches: readonly Block[];
      readonly isComplete: boolean;
    }
  | { readonly type: 'loop'; readonly before: readonly Statement[]; readonly body: Block }
  | {
      readonly type: 'foreach';
      readonly variable: string;
      readonly items: Statement;
      readonly body: Block;
    }
  | { readonly type: 'sequence'; readonly blocks: readonly Block[] }
  | { readonly type: 'function'; readonly name: string; readonly block: Block }
  | { readonly type: 'jump'; readonly leaves: boolean; readonly value: Statement | undefined };
