export interface NamedPlace {
  readonly name: string;
  readonly offset: number;
}

/** The names in a section of a file that may be broken elsewhere: sample calls, parameters, facts. */
export function sectionNames(text: string, section: 'calls' | 'parameters' | 'facts'): readonly NamedPlace[] {
  const found = new RegExp(`^${section}:[^\\n]*\\n((?:[ #][^\\n]*\\n|\\n)*)`, 'm').exec(text);
  if (found === null) return [];
  const [whole, lines = ''] = found;
  const start = found.index + whole.length - lines.length;
  const names = [...lines.matchAll(/^( +)([^\s#:][^:\n]*):/gm)].map(
    ({ index, 1: indent = '', 2: name = '' }) => ({ indent, name, offset: start + index + indent.length }),
  );
  // Deeper ones are keys of these.
  return names.filter(({ indent }) => indent === names[0]?.indent);
}
