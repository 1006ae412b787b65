import type { YamlPath } from '../yaml.ts';
import { inOrder, type Layout } from './layout.ts';
import { scalarText } from './scalar-text.ts';
import type { SyntaxEntry, SyntaxNode } from './syntax-node.ts';

/** A value in one line; undefined if it needs several. Comments inside are the caller's business. */
export function inlineText(
  node: SyntaxNode,
  text: string,
  path: YamlPath,
  layout: Layout,
): string | undefined {
  const value = bareText(node, text, path, layout);
  if (value === undefined || node.properties === '') return value;
  return value === '' ? node.properties : `${node.properties} ${value}`;
}

function bareText(node: SyntaxNode, text: string, path: YamlPath, layout: Layout): string | undefined {
  const source = text.slice(node.start, node.end);
  if (node.type === 'alias') return source;
  if (node.type === 'scalar') return scalarText(node, source);
  if (node.style === 'block') return undefined;
  const order = node.type === 'mapping' ? layout.keysAt(path) : undefined;
  const parts: string[] = [];
  for (const entry of inOrder(node.entries, keyName, order)) {
    const valueText = inlineText(entry.value, text, pathOf(entry, node.entries, path), layout);
    const keyText = entry.key === undefined ? '' : inlineText(entry.key, text, path, layout);
    if (valueText === undefined || keyText === undefined) return undefined;
    if (entry.key === undefined) parts.push(valueText);
    else parts.push(valueText === '' ? keyText : `${keyText}: ${valueText}`);
  }
  return node.type === 'list' ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}

/** The name of an entry's key; empty for items. */
export function keyName({ key }: SyntaxEntry): string {
  return key?.type === 'scalar' ? key.text : '';
}

/** The path of an entry below that of its collection. */
export function pathOf(entry: SyntaxEntry, siblings: readonly SyntaxEntry[], path: YamlPath): YamlPath {
  return [...path, entry.key === undefined ? siblings.indexOf(entry) : keyName(entry)];
}
