import { countCharacters } from '../characters.ts';
import { parseRegex, type RegexNode } from './regex-syntax.ts';

/** A lower bound of the characters that a match needs: 0 for an invalid source, infinite if nothing matches. */
export function leastMatchLength(source: string): number {
  const tree = parseRegex(source);
  return 'type' in tree ? leastLength(tree) : 0;
}

function leastLength(node: RegexNode): number {
  switch (node.type) {
    case 'char':
      return countCharacters(node.text);
    case 'any':
      return 1;
    case 'empty':
      return 0;
    case 'group':
      return leastLength(node.body);
    case 'repeat':
      return node.min === 0 ? 0 : node.min * leastLength(node.body);
    case 'concat':
      return isBeyondText(node.items)
        ? Number.POSITIVE_INFINITY
        : node.items.reduce((sum, item) => sum + leastLength(item), 0);
    case 'alternate':
      return Math.min(...node.branches.map(leastLength));
    default:
      return node satisfies never;
  }
}

/** Characters in front of the start, or behind the end. */
function isBeyondText(items: readonly RegexNode[]): boolean {
  const isAnchor = (item: RegexNode, place: 'start' | 'end') =>
    item.type === 'empty' && item.anchor === place;
  const hasLength = (item: RegexNode) => leastLength(item) > 0;
  const start = items.findLastIndex((item) => isAnchor(item, 'start'));
  const end = items.findIndex((item) => isAnchor(item, 'end'));
  return (
    (start > 0 && items.slice(0, start).some(hasLength)) || (end >= 0 && items.slice(end).some(hasLength))
  );
}
