import { isMap, isSeq, type Node, parseDocument } from 'yaml';

/**
 * One policy or tool of a file, as it is written, with the comment above it and the file's defaults, which are part of what
 * it does.
 *
 * @param line where it stands: any line of it
 */
export function policyLines(text: string, line: number): readonly string[] {
  const lines = text.split('\n');
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const { contents } = parseDocument(text);
  const parts = isMap(contents) ? contents.items : [];
  const partOf = (name: string) => parts.find(({ key }) => String(key) === name)?.value as Node | undefined;
  const item = ['policies', 'tools']
    .map(partOf)
    .flatMap((list) => (isSeq(list) ? (list.items as Node[]) : []))
    .find(({ range }) => range && lineOf(range[0]) <= line && line <= lineOf(range[1] - 1));
  if (!item?.range) return [lines[line - 1] ?? ''];
  const end = lineOf(item.range[1] - 1);
  let start = lineOf(item.range[0]);
  while (/^\s*#/.test(lines[start - 2] ?? '')) start -= 1;
  const [margin = ''] = /^\s*/.exec(lines[start - 1] ?? '') ?? [];
  const shown = lines
    .slice(start - 1, end)
    .map((each) => (each.startsWith(margin) ? each.slice(margin.length) : each));
  const defaults = partOf('defaults')?.range;
  if (!defaults) return shown;
  const said = text.slice(defaults[0], defaults[1]).trimEnd().split('\n');
  return [...said.map((each, at) => (at === 0 ? `# defaults: ${each}` : `# ${each}`)), ...shown];
}
