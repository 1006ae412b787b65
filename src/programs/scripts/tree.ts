import { textWord, type Word } from '../../reading/word.ts';

/** Names that stand for others: `import os as o`, `from a import b as c`. */
export type Aliases = Map<string, readonly string[]>;

/** A piece of code: an expression, or a statement as far as it matters here. */
export type Node =
  | TextNode
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'member'; readonly owner: Node; readonly name: string }
  | CallNode
  | { readonly type: 'index'; readonly owner: Node; readonly items: readonly Item[] }
  | GroupNode
  | FunctionNode
  /** The result of any other operator than those of the language's syntax is unknown. */
  | { readonly type: 'operation'; readonly operator: string; readonly left: Node; readonly right: Node }
  | ChoiceNode
  | AssignmentNode
  | LoopNode
  | { readonly type: 'unknown' };

/** A text; `holes` holds what the unknown parts of its word stand for, by their index. */
export interface TextNode {
  readonly type: 'text';
  readonly word: Word;
  readonly holes: ReadonlyMap<number, Node>;
  /** True if it is run as a shell command. */
  readonly isCommand: boolean;
}

export interface CallNode {
  readonly type: 'call';
  readonly callee: Node;
  readonly items: readonly Item[];
  /** True without parentheses. */
  readonly isBare: boolean;
}

/** What stands between brackets, or the statements of a block. */
export interface GroupNode {
  readonly type: 'group';
  readonly bracket: string;
  readonly items: readonly Item[];
  /** True for `(a,)`. */
  readonly endsWithComma: boolean;
}

/** `key: value`, `*value` */
export interface Item {
  readonly value: Node;
  readonly key?: string | undefined;
  readonly isSpread?: boolean;
}

export interface FunctionNode {
  readonly type: 'function';
  readonly parameters: readonly Item[];
  /** Undefined if its end is not looked for: what follows is read as if it stood there. */
  readonly body: Node | undefined;
}

/** One of several values, or statements that may not be run. */
export interface ChoiceNode {
  readonly type: 'choice';
  readonly condition?: Node | undefined;
  readonly values: readonly Node[];
}

export interface AssignmentNode {
  readonly type: 'assignment';
  readonly target: Node;
  readonly operator: string;
  readonly value: Node;
}

export interface LoopNode {
  readonly type: 'loop';
  readonly names: readonly string[];
  readonly list: Node;
  /** Undefined as that of a function. */
  readonly body: Node | undefined;
  /** True if its variables are gone behind it. */
  readonly isScoped: boolean;
}

export const UNKNOWN: Node = { type: 'unknown' };

export function operation(operator: string, left: Node, right: Node): Node {
  return { type: 'operation', operator, left, right };
}

export function groupOf(items: readonly Item[]): GroupNode {
  return { type: 'group', bracket: '(', items, endsWithComma: true };
}

export function textOf(text: string): TextNode {
  return { type: 'text', word: textWord(text), holes: new Map(), isCommand: false };
}

/** The names that lead to what an expression stands for: `a.b(c).d`. */
export function namesOf(node: Node, aliases: Aliases): readonly string[] {
  const names: string[] = [];
  for (let at = node; ; ) {
    if (at.type === 'name') return [...(aliases.get(at.name) ?? [at.name]), ...names.reverse()];
    if (at.type === 'member') names.push(at.name);
    if (at.type === 'call') at = at.callee;
    else if (at.type === 'member' || at.type === 'index') at = at.owner;
    else return names.reverse();
  }
}

/** The names that parameters or a target set; undefined for one that is taken apart further. */
export function targetName(node: Node): string | undefined {
  if (node.type === 'name') return node.name;
  if (node.type === 'assignment') return targetName(node.target);
  // `string $x`
  return node.type === 'operation' ? targetName(node.right) : undefined;
}
