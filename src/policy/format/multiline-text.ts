import { type ScalarNode, UnusualSyntax } from './syntax-node.ts';

/**
 * The lines of a text that has several: the first without indentation, the others with the new one.
 *
 * @param indent of the key or dash that it stands under
 */
export function multilineText(node: ScalarNode, source: string, indent: string): readonly string[] {
  // A text that keeps its last line breaks ends with one.
  const [first = '', ...rest] = source.replace(/\n$/, '').split('\n');
  if (node.style !== 'block') {
    // White space around these breaks means nothing, but an escaped blank at a line's end does.
    const trim = (line: string) => (node.style === 'double' ? line.trimStart() : line.trim());
    return [first, ...rest.map(trim).map((line) => (line.trim() === '' ? '' : `${indent}  ${line}`))];
  }
  const head = first.replace(/\s*(?:#.*)?$/, '');
  const digit = /[1-9]/.exec(head)?.[0];
  if (digit !== undefined) throw new UnusualSyntax('a string says how far it is indented');
  const depth = Math.min(...rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return [
    head,
    ...rest.map((line) =>
      line.trim() === '' ? blankLine(line, depth, indent) : `${indent}  ${line.slice(depth)}`,
    ),
  ];
}

/** A line of nothing but blanks says as many as stand beyond the indentation. */
function blankLine(line: string, depth: number, indent: string): string {
  return line.length > depth ? `${indent}  ${line.slice(depth)}` : '';
}
