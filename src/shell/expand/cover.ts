import type { ParsedScript, SyntaxNode } from 'unbash';
import { isExhausted } from '../../reading/bounds.ts';
import { type Source, spanIn } from '../parse/source.ts';
import { childrenOf } from '../parse/syntax.ts';
import type { Walker } from '../scope/walker.ts';

/** What may start an expansion: every place of it must be known to the parser, or be text. */
export const OPENER = /\$[({[]|`|[<>]\(/;
const OPENERS = new RegExp(OPENER, 'g');

/** An expansion that goes on in the next line, which the parser takes for two signs. */
const CONTINUED = /[$<>(](?:\\\n)+[({[]|\$(?:\\\n)+\w/;

/** How far a node goes, and what an opener inside of it means where no node of its own stands there. */
interface Region {
  readonly pos: number;
  readonly end: number;
  readonly inside: 'literal' | 'quoted' | 'word' | 'commands';
}

/**
 * Checks that a script has been read whole, whatever the reading knows of the shell's grammar: an expansion that the
 * parser took for text, or left out, is a gap, and so is a substitution whose commands nobody has read.
 */
export function noteUncovered(script: ParsedScript, source: Source, walker: Walker): void {
  if (isExhausted(walker.budget)) return;
  const continued = CONTINUED.exec(source.text);
  if (continued !== null) note(continued.index, continued.index + continued[0].length, source, walker);
  if (!OPENER.test(source.text)) return;
  const regions: Region[] = [];
  const known = new Set<number>();
  const pending: { readonly node: SyntaxNode; readonly runs: boolean }[] = [{ node: script, runs: true }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node } = next;
    const inner = decoded(node);
    if (inner !== undefined)
      noteUncovered(inner, { ...source, text: inner.source ?? '', offset: undefined }, walker);
    if (isSum(node) && DOCUMENT_INSIDE.test(source.text.slice(node.pos, node.end)))
      note(node.pos, node.end, source, walker);
    const region = regionOf(node, walker);
    if (region !== undefined) regions.push(region);
    // The second sign of `$$` opens nothing.
    if (isExpansion(node) || node.type === 'SimpleExpansion') known.add(node.pos).add(node.end - 1);
    if (next.runs && isSubstitution(node) && !walker.seen.has(node)) note(node.pos, node.end, source, walker);
    if (region?.inside === 'literal') continue;
    // The body of a function that nobody calls does not run, nor that of a loop without rounds.
    const isOff =
      node.type === 'Function'
        ? !walker.seen.has(node)
        : node.type === 'CompoundList' && walker.seen.has(node);
    const runs = next.runs && !isOff;
    for (const child of childrenOf(node)) pending.push({ node: child, runs });
  }
  noteUnknownOpeners(regions, known, source, walker);
}

function note(start: number, end: number, source: Source, walker: Walker): void {
  const written = source.text.slice(start, Math.min(end, start + 40));
  walker.gap('syntax', spanIn(source, start, end), `Cannot tell what is run at "${written}"`);
}

type Substitution = Extract<
  SyntaxNode,
  { type: 'CommandExpansion' | 'ProcessSubstitution' | 'ArithmeticCommandExpansion' }
>;

export function isSubstitution(node: SyntaxNode): node is Substitution {
  const { type } = node;
  return (
    type === 'CommandExpansion' || type === 'ProcessSubstitution' || type === 'ArithmeticCommandExpansion'
  );
}

function isSum({ type }: SyntaxNode): boolean {
  return type === 'ArithmeticExpansion' || type === 'ArithmeticCommand';
}

/** A here-document in a substitution of a sum: bash looks for the end of the sum in the document as well. */
const DOCUMENT_INSIDE = /\$\((?!\()[^()]*<<-?[ \t]*['"\\A-Za-z_]/;

/** The commands of backquotes with backslashes: they stand in a text of their own. */
function decoded(node: SyntaxNode): ParsedScript | undefined {
  const inner = isSubstitution(node) ? node.script : undefined;
  return inner?.source === undefined ? undefined : inner;
}

/** Does the node begin with an opener, and end with what closes it? */
function isExpansion(node: SyntaxNode): boolean {
  if (isSubstitution(node)) return /^(?:`.*`|[$<>]\(.*\))$/s.test(node.text);
  if (node.type === 'ParameterExpansion') return node.text.endsWith('}');
  // `$((a); b)` is a substitution that begins with a subshell.
  if (node.type !== 'ArithmeticExpansion' || (node.expression === undefined && /\w/.test(node.text)))
    return false;
  return /^(?:\$\(\(.*\)\)|\$\[.*\])$/s.test(node.text);
}

/** Does each expansion of a word end where it has to? */
export function isWhole(word: SyntaxNode): boolean {
  if (isSubstitution(word) || word.type === 'ArithmeticExpansion') return isExpansion(word);
  if (word.type === 'ParameterExpansion' && !isExpansion(word)) return false;
  return childrenOf(word).every(isWhole);
}

function regionOf(node: SyntaxNode, walker: Walker): Region | undefined {
  const { pos, end } = node;
  switch (node.type) {
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return { pos, end, inside: 'literal' };
    case 'HereDoc': {
      // Its body stands behind the line: what lies between belongs to the commands.
      const { body, delimiter } = node;
      return { pos: body.pos, end: body.end, inside: delimiter?.quoted === true ? 'literal' : 'quoted' };
    }
    case 'DoubleQuoted':
    case 'LocaleString':
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      return { pos, end, inside: 'quoted' };
    case 'Word':
    case 'Assignment':
    case 'TestCommand':
      return { pos, end, inside: 'word' };
    case 'ParameterExpansion':
      return { pos, end, inside: walker.seen.has(node) ? 'literal' : 'word' };
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
    case 'ProcessSubstitution':
      return { pos, end, inside: decoded(node) === undefined ? 'commands' : 'literal' };
    case 'Script':
    case 'CompoundList':
      return { pos, end, inside: 'commands' };
    default:
      return undefined;
  }
}

/** Looks at each opener in the innermost region around it. Time: linear but for sorting. */
function noteUnknownOpeners(
  regions: readonly Region[],
  known: ReadonlySet<number>,
  source: Source,
  walker: Walker,
): void {
  const { text } = source;
  // Taken from the end; of those that begin at one place the outer one comes first.
  const ahead = regions.toReversed().sort((a, b) => b.pos - a.pos || a.end - b.end);
  const around: Region[] = [];
  for (const { index, 0: opener } of text.matchAll(OPENERS)) {
    for (let next = ahead.at(-1); next !== undefined && next.pos <= index; next = ahead.at(-1)) {
      ahead.pop();
      around.push(next);
    }
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= index) around.pop();
    const inside = around.at(-1)?.inside ?? 'commands';
    if (known.has(index) || inside === 'literal' || isEscaped(text, index)) continue;
    if (inside === 'quoted' && opener.endsWith('(') && !opener.startsWith('$')) continue;
    if (inside === 'commands' && isInComment(text, index)) continue;
    note(index, index + opener.length, source, walker);
  }
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}

/** Between commands only comments are text. */
function isInComment(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /(?:^|[\s;&|()])#/.test(line);
}
