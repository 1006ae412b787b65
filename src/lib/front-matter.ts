/**
 * What is between the lines `---` that a text of Markdown begins with; to its end if no other follows. Undefined if it begins
 * with something else. Some hosts take more behind the first `---`, as the name of a language. Time: linear.
 */
export function frontMatter(text: string): string | undefined {
  const lines = text.replace(/\r\n?/g, '\n');
  const start = /^\uFEFF?\s*---(?!-)[^\n]*\n/.exec(lines);
  if (start === null) return undefined;
  const rest = lines.slice(start[0].length);
  const end = /^---[^\S\n]*$/m.exec(rest);
  return end === null ? rest : rest.slice(0, end.index);
}
