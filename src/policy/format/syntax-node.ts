/** A value as it is written. Offsets are UTF-16 units of the text; ends are exclusive. */
export type SyntaxNode = ScalarNode | AliasNode | CollectionNode;

interface Spanned {
  /** The anchor and tag before it, as written; empty if there is none. */
  readonly properties: string;
  /** With its quotes or brackets. For a value that is not written, where it would stand. */
  readonly start: number;
  readonly end: number;
}

export interface ScalarNode extends Spanned {
  readonly type: 'scalar';
  readonly style: 'absent' | 'plain' | 'single' | 'double' | 'block';
  /** What it says. */
  readonly text: string;
}

export interface AliasNode extends Spanned {
  readonly type: 'alias';
}

export interface CollectionNode extends Spanned {
  readonly type: 'list' | 'mapping';
  readonly style: 'flow' | 'block';
  readonly entries: readonly SyntaxEntry[];
}

/** An item, or a key and its value. */
export interface SyntaxEntry {
  /** Where its dash or key begins. */
  readonly start: number;
  /** Undefined for items. */
  readonly key: SyntaxNode | undefined;
  readonly value: SyntaxNode;
}

/** Thrown where a text is written in a way that is not taken apart: it stays as it is. */
export class UnusualSyntax extends Error {
  override readonly name = 'UnusualSyntax';
}
