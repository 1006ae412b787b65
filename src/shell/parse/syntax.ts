import type { ParsedScript, SyntaxNode } from 'unbash';

/** What the parser made of a text; undefined if it gave up. */
export interface Parsed {
  readonly script: ParsedScript | undefined;
  /** The first error, if any: what stands after it may have been misread. */
  readonly error: { readonly message: string; readonly pos: number } | undefined;
}

let unbash: typeof import('unbash') | undefined;

/** The parser, loaded when first needed. */
function parser(): typeof import('unbash') {
  unbash ??= require('unbash') as typeof import('unbash');
  return unbash;
}

/** Parses a shell text. Never throws. */
export function parseShell(text: string): Parsed {
  try {
    const script = parser().parse(text);
    return { script, error: script.errors?.[0] };
  } catch (error) {
    // The parser recurses on a few forms (`coproc coproc …`, `f() g() …`) and can run out of stack.
    if (!(error instanceof RangeError)) throw error;
    return { script: undefined, error: { message: 'nested too deeply', pos: 0 } };
  }
}

/** The nodes inside a node, in the order of the text. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  parser().forEachChild(node, (child) => found.push(child));
  return found;
}
