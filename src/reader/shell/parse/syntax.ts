import type { ParsedScript, SyntaxNode } from 'unbash';
import { plainSyntax } from './plain-syntax.ts';

/** The parser's result for a text; undefined if it gave up. */
export interface Parsed {
  readonly script: ParsedScript | undefined;
  /** The first error, if any: the text after it may have been misread. */
  readonly error: { readonly message: string; readonly pos: number } | undefined;
}

let unbash: typeof import('unbash') | undefined;

/** The parser, loaded when first needed. */
function parser(): typeof import('unbash') {
  unbash ??= require('unbash') as typeof import('unbash');
  return unbash;
}

/** The qualifiers of zsh behind wildcards, which select files: `*.txt(N)`, `*(.om[1,3])`. None of these runs anything. */
const QUALIFIERS =
  /([*?\]][^\s'"`();&|<>$]{0,256})(\((?:[NDn./@=p^-]|[oO][nLlamcd]|[mL][kKmMhswp]?[-+]?\d+|\[\d+(?:,\d+)?\]){1,16}\))(?=[\s;&|)]|$)/g;

/** Parses a shell text, and without the parts that only zsh understands behind wildcards, if it has some. Never throws. */
export function parseShell(text: string): Parsed {
  const parsed = parseText(text);
  if (parsed.error === undefined || !text.includes('(')) return parsed;
  const without = text.replace(
    QUALIFIERS,
    (_, before: string, qualifiers: string) => before + ' '.repeat(qualifiers.length),
  );
  const again = without === text ? parsed : parseText(without);
  return again.error === undefined ? again : parsed;
}

function parseText(text: string): Parsed {
  try {
    const script = plainSyntax(text) ?? parser().parse(text);
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
