import type { ParsedScript } from 'unbash';

/** What the parser made of a text; undefined if it gave up. */
export interface Parsed {
  readonly script: ParsedScript | undefined;
  /** The first error, if any: what stands after it may have been misread. */
  readonly error: { readonly message: string; readonly pos: number } | undefined;
}

let parser: typeof import('unbash').parse | undefined;

/** Parses a shell text. Never throws; the parser is loaded when first needed. */
export function parseShell(text: string): Parsed {
  parser ??= (require('unbash') as typeof import('unbash')).parse;
  try {
    const script = parser(text);
    return { script, error: script.errors?.[0] };
  } catch (error) {
    // The parser recurses on a few forms (`coproc coproc …`, `f() g() …`) and can run out of stack.
    if (!(error instanceof RangeError)) throw error;
    return { script: undefined, error: { message: 'nested too deeply', pos: 0 } };
  }
}
