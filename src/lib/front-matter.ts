/**
 * What stands between the lines `---` that a text of Markdown begins with; to its end if no other follows. Undefined if it begins
 * with something else. Time: linear.
 */
export function frontMatter(text: string): string | undefined {
  const start = /^\uFEFF?\s*---[^\S\n]*\n/.exec(text);
  if (start === null) return undefined;
  const rest = text.slice(start[0].length);
  const end = /^---[^\S\n]*$/m.exec(rest.replaceAll('\r', ' '));
  return end === null ? rest : rest.slice(0, end.index);
}
