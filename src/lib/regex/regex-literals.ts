import { isAscii } from '../characters.ts';
import { parseRegex, type RegexNode } from './regex-syntax.ts';

/** Strings of which a text must contain at least one to match a regular expression. */
export interface RequiredLiterals {
  readonly anyOf: readonly string[];
  /**
   * True if case does not matter: literals are then in lower case, for a search in the lower-cased text. A text with non-ASCII
   * characters counts as containing them, because these may fold into ASCII.
   */
  readonly fold: boolean;
}

/** Shorter literals are found nearly everywhere and rule nothing out. */
const MIN_LENGTH = 3;
const MAX_LITERALS = 64;

/**
 * Strings of at least 3 characters, of which every match contains one; undefined if there are none. Sound: a text without any
 * of them cannot match.
 */
export function requiredLiterals(source: string): RequiredLiterals | undefined {
  const tree = parseRegex(source);
  return 'type' in tree ? usable(literalsOf(tree)) : undefined;
}

function literalsOf(node: RegexNode): RequiredLiterals | undefined {
  switch (node.type) {
    case 'char':
      return literalOf(node.text, node.fold);
    case 'any':
    case 'empty':
      return undefined;
    case 'group':
      return literalsOf(node.body);
    case 'repeat':
      return node.min === 0 ? undefined : literalsOf(node.body);
    case 'concat':
      return bestOf(piecesOf(node.items));
    case 'alternate':
      return unionOf(node.branches.map(literalsOf));
    default:
      return node satisfies never;
  }
}

/** Neighbouring characters become one literal; parts of no width do not separate them. */
function piecesOf(items: readonly RegexNode[]): readonly (RequiredLiterals | undefined)[] {
  const pieces: (RequiredLiterals | undefined)[] = [];
  let run = '';
  let runFold = false;
  for (const item of items) {
    if (item.type === 'empty') continue;
    if (item.type !== 'char' || item.fold !== runFold) {
      pieces.push(literalOf(run, runFold));
      run = '';
    }
    if (item.type === 'char') {
      runFold = item.fold;
      if (isFoldable(item)) {
        run += item.text;
      } else {
        pieces.push(literalOf(run, runFold));
        run = '';
      }
    } else {
      pieces.push(literalsOf(item));
    }
  }
  pieces.push(literalOf(run, runFold));
  return pieces;
}

function literalOf(text: string, fold: boolean): RequiredLiterals | undefined {
  if (text === '' || !isFoldable({ text, fold })) return undefined;
  return { anyOf: [fold ? text.toLowerCase() : text], fold };
}

/** Characters outside ASCII may fold into it (the Kelvin sign is a k), so a folded literal must not hold them. */
function isFoldable(char: { readonly text: string; readonly fold: boolean }): boolean {
  return !char.fold || isAscii(char.text);
}

function bestOf(pieces: readonly (RequiredLiterals | undefined)[]): RequiredLiterals | undefined {
  let best: RequiredLiterals | undefined;
  for (const piece of pieces) {
    if (piece === undefined) continue;
    if (best === undefined || shortest(piece) > shortest(best)) best = piece;
  }
  return best;
}

function unionOf(branches: readonly (RequiredLiterals | undefined)[]): RequiredLiterals | undefined {
  const known = branches.filter((branch) => branch !== undefined);
  if (known.length < branches.length) return undefined;
  const fold = known.some((branch) => branch.fold);
  const anyOf = new Set(known.flatMap((branch) => branch.anyOf));
  return { anyOf: fold ? [...new Set([...anyOf].map((text) => text.toLowerCase()))] : [...anyOf], fold };
}

function usable(literals: RequiredLiterals | undefined): RequiredLiterals | undefined {
  if (literals === undefined || shortest(literals) < MIN_LENGTH) return undefined;
  return literals.anyOf.length <= MAX_LITERALS ? literals : undefined;
}

function shortest(literals: RequiredLiterals): number {
  return Math.min(...literals.anyOf.map((text) => text.length));
}
