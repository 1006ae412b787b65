/** Where a test file names a sample call. */
export interface CallLine {
  readonly name: string;
  readonly offset: number;
}

/** The names under `calls:`, in a file that may be broken elsewhere. */
export function callLines(text: string): readonly CallLine[] {
  const section = /^calls:[^\n]*\n((?:[ #][^\n]*\n|\n)*)/m.exec(text);
  if (section === null) return [];
  const [whole, lines = ''] = section;
  const start = section.index + whole.length - lines.length;
  const found = [...lines.matchAll(/^( +)([^\s#:][^:\n]*):/gm)].map(
    ({ index, 1: indent = '', 2: name = '' }) => ({ indent, name, offset: start + index + indent.length }),
  );
  // Deeper ones are keys of the calls.
  return found.filter(({ indent }) => indent === found[0]?.indent);
}
