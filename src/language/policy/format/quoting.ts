import type { Scalar } from 'yaml';

/** A text that reads well without quotes: a word or several, as in `git push`, `README.md`, `no-force-push`. */
const WORDS = /^\p{L}(?:[\p{L}\p{N} ._/-]*[\p{L}\p{N}_/])?$/u;
/** Words that are no texts without quotes, here or for older readers of YAML. */
const NOT_TEXT = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
/** Only double quotes can write these. */
const NEEDS_ESCAPES = /[\p{C}\u2028\u2029\u00a0]/u;

/** How a value is quoted in its canonical form: needless quotes are dropped, single ones are preferred. */
export function quoting(node: Scalar): NonNullable<Scalar['type']> {
  const type = node.type ?? 'PLAIN';
  const { value } = node;
  // An explicit tag names the type, with quotes or without.
  if (
    (type !== 'QUOTE_SINGLE' && type !== 'QUOTE_DOUBLE') ||
    typeof value !== 'string' ||
    node.tag !== undefined
  )
    return type;
  // Whoever escapes a letter wants it to be seen.
  if (NEEDS_ESCAPES.test(value) || hasEscapes(node)) return 'QUOTE_DOUBLE';
  if (WORDS.test(value) && !NOT_TEXT.test(value) && !value.includes('  ')) return 'PLAIN';
  return value.includes("'") && !value.includes('"') && !value.includes('\\')
    ? 'QUOTE_DOUBLE'
    : 'QUOTE_SINGLE';
}

/** True if a value in double quotes has a letter written by its number. */
export function hasEscapes({ type, srcToken }: Scalar): boolean {
  return (
    type === 'QUOTE_DOUBLE' &&
    srcToken?.type === 'double-quoted-scalar' &&
    /^[^\n]*\\[uUxNLP_][^\n]*$/.test(srcToken.source)
  );
}
