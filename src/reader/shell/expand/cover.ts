import type { ParsedScript, SyntaxNode } from 'unbash';
import { isExhausted } from '../../reading/bounds.ts';
import { withPlaceholders } from '../../reading/placeholders.ts';
import { joinAll, textWord, withoutWildcards } from '../../reading/word.ts';
import { type Source, spanIn } from '../parse/source.ts';
import { childrenOf } from '../parse/syntax.ts';
import type { Arg, Frame, Interpreter } from '../scope/interpreter.ts';

/** The signs that may start an expansion; the parser must know each of them as one, or as text. */
export const OPENER = /\$[({[]|`|[<>]\(/;
const OPENERS = new RegExp(OPENER, 'g');

/** An expansion with a line break inside its first sign or its name, which the parser misreads. */
const CONTINUED = /[$<>(](?:\\\n)+[({[]|\$\w*(?:\\\n)+\w|\$\{[!#]?[\w@*[\]]*\\\n/;

/** Kinds of openers without a node of their own, by the innermost node around them. */
const COMMANDS = 0;
const WORD = 1;
const QUOTED = 2;
const LITERAL = 3;
const KINDS: Readonly<Partial<Record<SyntaxNode['type'], number>>> = {
  CompoundList: COMMANDS,
  CommandExpansion: COMMANDS,
  ArithmeticCommandExpansion: COMMANDS,
  ProcessSubstitution: COMMANDS,
  Word: WORD,
  Assignment: WORD,
  TestCommand: WORD,
  ParameterExpansion: WORD,
  HereDoc: QUOTED,
  DoubleQuoted: QUOTED,
  LocaleString: QUOTED,
  ArithmeticExpansion: QUOTED,
  ArithmeticCommand: QUOTED,
  ArithmeticFor: QUOTED,
  SingleQuoted: LITERAL,
  AnsiCQuoted: LITERAL,
};

/** Checks that a script was read whole: an expansion that the parser missed, or a substitution that was not read, is a gap. */
export function noteUncovered(script: ParsedScript, source: Source, interpreter: Interpreter): void {
  if (isExhausted(interpreter.budget)) return;
  const continued = source.text.includes('\\\n') ? CONTINUED.exec(source.text) : null;
  if (continued !== null) note(continued.index, continued.index + continued[0].length, source, interpreter);
  if (!OPENER.test(source.text)) return;
  const kinds = new Uint8Array(source.text.length);
  const known = new Set<number>();
  const pending: { readonly node: SyntaxNode; readonly runs: boolean }[] = [{ node: script, runs: true }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node } = next;
    const inner = decoded(node);
    if (inner !== undefined)
      noteUncovered(inner, { ...source, text: inner.source ?? '', offset: undefined }, interpreter);
    if (isSum(node) && DOCUMENT_INSIDE.test(source.text.slice(node.pos, node.end)))
      note(node.pos, node.end, source, interpreter);
    const kind = kindOf(node, interpreter);
    // The body of a here-document comes after the line; the text between belongs to the commands.
    const { pos, end } = node.type === 'HereDoc' ? node.body : node;
    if (kind !== undefined) kinds.fill(kind, pos, end);
    // The second sign of `$$` starts nothing.
    if (isExpansion(node) || node.type === 'SimpleExpansion') known.add(node.pos).add(node.end - 1);
    if (next.runs && isSubstitution(node) && !interpreter.seen.has(node))
      note(node.pos, node.end, source, interpreter);
    if (kind === LITERAL) continue;
    // Bodies of functions without a call and of loops without rounds do not run.
    const isOff =
      node.type === 'Function'
        ? !interpreter.seen.has(node)
        : node.type === 'CompoundList' && interpreter.seen.has(node);
    const runs = next.runs && !isOff;
    for (const child of childrenOf(node)) pending.push({ node: child, runs });
  }
  noteUnknownOpeners(kinds, known, source, interpreter);
}

function note(start: number, end: number, source: Source, interpreter: Interpreter): void {
  const written = source.text.slice(start, Math.min(end, start + 40));
  interpreter.gap('syntax', spanIn(source, start, end), `Cannot tell what is run at "${written}"`);
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

/** A here-document in a substitution of a sum: bash looks for the end of the sum in the document, too. */
const DOCUMENT_INSIDE = /\$\((?!\()[^()]*<<-?[ \t]*['"\\A-Za-z_]/;

/** The commands of backquotes with backslashes, which are a text of their own. */
function decoded(node: SyntaxNode): ParsedScript | undefined {
  const inner = isSubstitution(node) ? node.script : undefined;
  return inner?.source === undefined ? undefined : inner;
}

/** True if the node begins with an opener and ends with its closing sign. */
function isExpansion(node: SyntaxNode): boolean {
  if (isSubstitution(node)) return /^(?:`.*`|[$<>]\(.*\))$/s.test(node.text);
  if (node.type === 'ParameterExpansion') return node.text.endsWith('}');
  // `$((a); b)` is a substitution that begins with a subshell.
  if (node.type !== 'ArithmeticExpansion' || (node.expression === undefined && /\w/.test(node.text)))
    return false;
  return /^(?:\$\(\(.*\)\)|\$\[.*\])$/s.test(node.text);
}

/** True if each expansion of a word ends at the right place. */
export function isWhole(word: SyntaxNode): boolean {
  if (isSubstitution(word) || word.type === 'ArithmeticExpansion') return isExpansion(word);
  if (word.type === 'ParameterExpansion' && !isExpansion(word)) return false;
  return childrenOf(word).every(isWhole);
}

function kindOf(node: SyntaxNode, interpreter: Interpreter): number | undefined {
  const isLiteral =
    (node.type === 'HereDoc' && node.delimiter?.quoted === true) ||
    (node.type === 'ParameterExpansion' && interpreter.seen.has(node)) ||
    decoded(node) !== undefined;
  return isLiteral ? LITERAL : KINDS[node.type];
}

/** Checks each opener against the nodes around it. */
function noteUnknownOpeners(
  kinds: Uint8Array,
  known: ReadonlySet<number>,
  source: Source,
  interpreter: Interpreter,
): void {
  const { text } = source;
  for (const { index, 0: opener } of text.matchAll(OPENERS)) {
    const kind = kinds[index];
    if (known.has(index) || kind === LITERAL || isEscaped(text, index)) continue;
    if (kind === QUOTED && opener.endsWith('(') && !opener.startsWith('$')) continue;
    if (kind === COMMANDS && isInComment(text, index)) continue;
    note(index, index + opener.length, source, interpreter);
  }
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}

/** True within a comment, the only text between commands. */
function isInComment(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /(?:^|[\s;&|()])#/.test(line);
}

/** A line that no text contains. */
const DELIMITER = '\u{F8FF}';

/** Runs the substitutions in a text that the shell expands twice: a prompt, or the name in `${!x}`. */
export function expandTwice({ word, span }: Arg, frame: Frame): void {
  const { interpreter } = frame;
  const text = withoutWildcards(word);
  const { text: written } = withPlaceholders(text);
  if (!OPENER.test(written)) return;
  if (written.includes(DELIMITER))
    interpreter.gap('syntax', span, 'Cannot read a text that the shell expands twice');
  const script = joinAll([textWord(`: <<${DELIMITER}\n`), text, textWord(`\n${DELIMITER}\n`)]);
  interpreter.runScript({ word: script, span }, { ...frame, captured: false });
}
