import { countCharacters } from './characters.ts';
import { parseRegex, type RegexNode } from './regex-syntax.ts';

/**
 * The fewest characters that a text can have which a regular expression matches; 0 if the source is none. Anchors
 * count nothing, so the real least can be more.
 */
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
      return node.items.reduce((sum, item) => sum + leastLength(item), 0);
    case 'alternate':
      return Math.min(...node.branches.map(leastLength));
    default:
      return node satisfies never;
  }
}
