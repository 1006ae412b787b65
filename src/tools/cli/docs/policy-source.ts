import { isMap, isSeq, type Node, parseDocument } from 'yaml';
import { BUILTIN_PACKS } from '../../../language/policy/compile/packs.ts';
import { packIn } from '../../../language/policy/files/pack-names.ts';
import { closest, suggestionOr } from '../../../lib/closest.ts';
import type { Position } from '../../../model/diagnostic.ts';
import { isNamed } from '../../../model/rule-id.ts';
import { type Io, UsageError } from '../io.ts';
import { compileFor } from '../policy-place.ts';

export function packText(name: string): string {
  const text = BUILTIN_PACKS.text(name);
  if (text !== undefined) return text;
  const meant = closest(name, BUILTIN_PACKS.names);
  const hint = suggestionOr(meant && `builtin:${meant}`, `give one of ${BUILTIN_PACKS.names.join(', ')}`);
  throw new UsageError(`Cannot show "builtin:${name}": there is no such pack; ${hint}`);
}

/** One policy among those that are loaded here, else in a pack, by its id or a name that is that of no other. */
export function policySource(id: string, named: readonly string[], io: Io): string | undefined {
  const { program, texts } = compileFor(io, named);
  const packed = BUILTIN_PACKS.names.flatMap((pack) => BUILTIN_PACKS.draft(pack)?.rules ?? []);
  const known = new Map<string, Position>();
  for (const rule of [...program.rules, ...packed])
    if (!known.has(rule.id)) known.set(rule.id, rule.position);
  const sameName = known.has(id) ? [id] : [...known.keys()].filter((other) => isNamed(other, id));
  const [found, ...others] = sameName;
  const position = known.get(found ?? '');
  if (found === undefined || position === undefined || others.length > 0) {
    if (!id.includes('/') && others.length === 0) return undefined;
    const hint = suggestionOr(found ?? closest(id, known.keys()), 'an id is FILE/POLICY');
    throw new UsageError(`Cannot show "${id}": there is no such policy; ${hint}`);
  }
  const { file, line } = position;
  const text = texts.get(file) ?? BUILTIN_PACKS.text(packIn(file) ?? '') ?? '';
  return `# ${file}:${line}\n${policyLines(text, line).join('\n')}\n`;
}

/**
 * One policy or tool of a file, as it is written, with the comment above it and the file's defaults, which are part of its
 * meaning.
 *
 * @param line any line of it
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
