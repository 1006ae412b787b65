import { textWord, type Word } from '../../reading/word.ts';

/** Names for others: `import os as o`, `from a import b as c`. */
export type Aliases = Map<string, readonly string[]>;

/** A piece of code: an expression, or a statement as far as it matters here. */
export type Node =
  /** `interpolations`: the expressions of the word's unknown parts, by their index. `isCommand`: it is run as a shell command. */
  | {
      readonly type: 'text';
      readonly word: Word;
      readonly interpolations: ReadonlyMap<number, Node>;
      readonly isCommand: boolean;
    }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'member'; readonly owner: Node; readonly name: string }
  | { readonly type: 'index'; readonly owner: Node; readonly items: readonly Item[] }
  | { readonly type: 'call'; readonly callee: Node; readonly items: readonly Item[] }
  | GroupNode
  | FunctionNode
  /** The result of any other operator than those of the language's syntax is unknown. */
  | { readonly type: 'operation'; readonly operator: string; readonly left: Node; readonly right: Node }
  /** One of several values, or statements that may not be run. */
  | { readonly type: 'choice'; readonly condition: Node | undefined; readonly values: readonly Node[] }
  | { readonly type: 'assignment'; readonly target: Node; readonly operator: string; readonly value: Node }
  | LoopNode
  | { readonly type: 'unknown' };

/** The items between brackets, or the statements of a block. `endsWithComma`: as in `(a,)`. */
export interface GroupNode {
  readonly type: 'group';
  readonly bracket: string;
  readonly items: readonly Item[];
  readonly endsWithComma: boolean;
}

/** `key: value`, `*value` */
export interface Item {
  readonly value: Node;
  readonly key?: string | undefined;
  readonly isSpread?: boolean;
}

/** Without a body its end is not looked for: the code behind it is read as if it was there. */
export interface FunctionNode {
  readonly type: 'function';
  /** The name that it is defined by; undefined where it has none, or none of its own. */
  readonly name?: string | undefined;
  readonly parameters: readonly Item[];
  readonly body: Node | undefined;
}

/** `target`: the variables that are set in each round. `isScoped`: they are gone behind it. */
export interface LoopNode {
  readonly type: 'loop';
  readonly target: Node;
  readonly list: Node;
  readonly body: Node;
  readonly isScoped: boolean;
}

/** The variable that a loop without one of its own sets. */
export const TOPIC: Node = { type: 'name', name: '$_' };

/** Code that is not understood. */
export const UNKNOWN: Node = { type: 'unknown' };

/** Two values with a sign or word between them; without one they are beside each other. */
export function operation(operator: string, left: Node, right: Node): Node {
  return { type: 'operation', operator, left, right };
}

export function groupOf(items: readonly Item[]): GroupNode {
  return { type: 'group', bracket: '(', items, endsWithComma: true };
}

/** A text without expressions in it. */
export function nodeOfText(text: string): Node {
  return { type: 'text', word: textWord(text), interpolations: new Map(), isCommand: false };
}

/** The names on the way to the value of an expression: `a.b(c).d`. */
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

/** The name that a parameter or a target sets; undefined for one that is taken apart further. */
export function targetName(node: Node): string | undefined {
  if (node.type === 'name') return node.name;
  if (node.type === 'assignment') return targetName(node.target);
  if (node.type !== 'operation') return undefined;
  // `string $x`, `?string $x`
  const last = node.right.type === 'group' ? node.right.items.at(-1) : undefined;
  return targetName(last?.value ?? node.right);
}

/** The only statement of a block. */
export function inBlock(body: Node): Node {
  const isBlock = body.type === 'group' && (body.bracket === '' || body.bracket === '{');
  const [only] = isBlock && body.items.length === 1 ? body.items : [];
  return only === undefined || only.key !== undefined ? body : only.value;
}
