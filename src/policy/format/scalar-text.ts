import type { ScalarNode } from './syntax-node.ts';

/** What needs no quotes and reads well without: a word or several, as in `git push`, `README.md`, `no-force-push`. */
const WORDS = /^\p{L}(?:[\p{L}\p{N} ._/-]*[\p{L}\p{N}_/])?$/u;
/** An absolute path of plain names. */
const PATH = /^(?:\/[\p{L}\p{N}._-]+)+$/u;
/** What would be something other than a text, here or for older readers of YAML. */
const NOT_TEXT = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
/** What only double quotes can write. */
const NEEDS_ESCAPES = /[\p{C}\u2028\u2029\u00a0]/u;

/**
 * A text on one line in its canonical form: quotes that do nothing are dropped, single ones are preferred. Undefined if
 * it has several lines.
 */
export function scalarText(node: ScalarNode, source: string): string | undefined {
  switch (node.style) {
    case 'absent':
      return '';
    case 'block':
      return undefined;
    case 'plain':
      return source.includes('\n') ? undefined : source;
    case 'single':
    case 'double':
      if (source.includes('\n')) return undefined;
      // An explicit tag says what it is, with quotes or without.
      return node.properties === '' ? quotedText(node.text, source) : source;
    default:
      return node.style satisfies never;
  }
}

function quotedText(text: string, source: string): string {
  if (WORDS.test(text) && !NOT_TEXT.test(text) && !text.includes('  ')) return text;
  if (NEEDS_ESCAPES.test(text)) return source;
  return quoted(text);
}

/** A text without control characters in quotes. */
function quoted(text: string): string {
  const isPlainInDouble = !text.includes('"') && !text.includes('\\');
  return text.includes("'") && isPlainInDouble ? `"${text}"` : `'${text.replaceAll("'", "''")}'`;
}

/** Any text as a value of a YAML file. */
export function textAsYaml(text: string): string {
  if (NEEDS_ESCAPES.test(text)) return escaped(text);
  return (WORDS.test(text) || PATH.test(text)) && !NOT_TEXT.test(text) ? text : quoted(text);
}

/** JSON's escapes are YAML's too; what JSON writes as it is may be what a reader takes for a line break. */
function escaped(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{C}\u2028\u2029\u00a0]/gu,
    (char) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
}
