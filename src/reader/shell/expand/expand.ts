import type { HereDocBody, SyntaxNode, WordPart as SyntaxPart, Word as SyntaxWord } from 'unbash';
import { LIMITS, takeChars, takeStep } from '../../reading/bounds.ts';
import { expandBraces } from '../../reading/braces.ts';
import { fillPlaceholders, hasPlaceholder } from '../../reading/placeholders.ts';
import { joinList, knownText, unknownWord, type Word } from '../../reading/word.ts';
import { offsetIn, spanIn } from '../parse/source.ts';
import { forEachCombination, newChoices } from '../scope/choices.ts';
import type { Arg, Frame } from '../scope/interpreter.ts';
import { addParts, addWholeParts, expandQuoted, runRest } from './expand-parts.ts';
import type { Expansion } from './expansion.ts';
import { endField, newFields } from './fields.ts';
import { assignedText, plainWord } from './plain-word.ts';

/** Does something once for each combination of the values that the words of a command at a place may have. */
export function forEachExpansion(frame: Frame, run: (expansion: Expansion) => void): void {
  const expansion = {
    ...frame,
    choices: newChoices(),
    printed: new Map(),
    whole: expandToOneWord,
    quoted: expandQuoted,
  };
  forEachCombination(expansion.choices, frame.interpreter.budget, () => run(expansion));
}

/** The cost of a character of a long word, against one that is read: its parts have to be found, and the text in those. */
const LONG_WORD = 2;

/** Takes the cost of a word that is too long for its value to be followed; false if the budget does not suffice. */
function takeLong({ text }: SyntaxWord, { interpreter }: Expansion): boolean {
  if (text.length <= LIMITS.wordChars || text.indexOf("'", 1) === text.length - 1) return true;
  return takeChars(interpreter.budget, text.length * LONG_WORD);
}

/** Expands one word of a command: it becomes none, one or several. */
export function expandArgument(word: SyntaxWord, expansion: Expansion, args: Arg[]): void {
  const { source, interpreter } = expansion;
  if (!takeStep(interpreter.budget)) return;
  const span = spanIn(source, word.pos, word.end);
  if (!takeLong(word, expansion)) return;
  const parts = word.parts;
  if (parts === undefined) {
    const found = plainWord(word, expansion);
    args.push({ word: found, span, at: writtenAt(word, found, expansion) });
    return;
  }
  if (parts.some((part) => part.type === 'BraceExpansion')) {
    for (const found of expandBraceWord(word, parts, expansion)) args.push({ word: found, span });
    return;
  }
  const fields = newFields(interpreter.budget);
  addParts(fields, parts, expansion);
  endField(fields);
  runRest(word, expansion);
  const [first] = fields.done;
  const at = first !== undefined && fields.done.length === 1 ? writtenAt(word, first, expansion) : undefined;
  for (const found of fields.done) args.push({ word: found, span, at });
}

/** Expands a word that stays one word: the right side of an assignment, the target of a redirection. */
export function expandToOneWord(word: SyntaxWord, expansion: Expansion, assignment = false): Word {
  if (!takeStep(expansion.interpreter.budget) || !takeLong(word, expansion)) return unknownWord(word.text);
  if (word.parts === undefined)
    return assignment ? assignedText(word, expansion) : plainWord(word, expansion);
  const fields = newFields(expansion.interpreter.budget);
  addWholeParts(fields, word.parts, expansion, assignment);
  endField(fields);
  runRest(word, expansion);
  return joinList(fields.done);
}

/** Expands the body of a here-document without quotes around its delimiter. */
export function expandHereDocument(body: HereDocBody, expansion: Expansion): Word {
  if (body.parts === undefined) return fillPlaceholders(body.text, expansion.source.placeholders);
  // Lines are joined before the comment in a substitution is looked for: the parser ends it with the first of them.
  if (body.text.split('\\\n').slice(0, -1).some(endsInComment)) {
    const span = spanIn(expansion.source, body.pos, body.end);
    expansion.interpreter.gap('syntax', span, 'Cannot read a comment that goes on in the next line');
  }
  const expanded = expandQuoted(body.parts, expansion);
  runRest(body, expansion);
  return expanded;
}

/** True if the last line has a `#` behind the start of a substitution. */
function endsInComment(lines: string): boolean {
  const line = lines.slice(lines.lastIndexOf('\n') + 1);
  const start = line.indexOf('$(');
  return start >= 0 && line.includes('#', start);
}

/** The place of the word's value in the outermost text, if it is there as it is: bare, or inside one pair of quotes. */
export function writtenAt(word: SyntaxWord, found: Word, { source }: Expansion): number | undefined {
  if (source.offset === undefined || hasPlaceholder(word.text, source.placeholders)) return undefined;
  const only = word.parts?.length === 1 ? word.parts[0] : undefined;
  if (only?.type === 'Glob') return offsetIn(source, word.pos);
  // The value of a variable or a tilde is not written there.
  const known = knownText(found);
  if (known === undefined) return undefined;
  if (word.parts === undefined) return word.text === known ? offsetIn(source, word.pos) : undefined;
  const quoted = only?.type === 'SingleQuoted' || only?.type === 'DoubleQuoted';
  return quoted && word.text.slice(1, -1) === known ? offsetIn(source, word.pos + 1) : undefined;
}

/** Stand for the parts of a word that are no text while its braces are expanded. */
const FIRST_STAND = 0xe000;
const STANDS = /[\ue000-\uf8ff]/;
const MAX_STANDS = 0x1000;

/** Expands braces, then each resulting word on its own. */
function expandBraceWord(
  word: SyntaxWord,
  parts: readonly SyntaxPart[],
  expansion: Expansion,
): readonly Word[] {
  const { budget } = expansion.interpreter;
  const others: SyntaxPart[] = [];
  let written = '';
  for (const part of parts.flatMap(withoutBraces)) {
    if (part.type === 'Literal') written += part.text;
    else written += String.fromCharCode(FIRST_STAND + others.push(part) - 1);
  }
  const texts = STANDS.test(word.text) || others.length > MAX_STANDS ? undefined : expandBraces(written);
  const fields = newFields(budget);
  for (const text of texts ?? []) {
    if (!takeStep(budget) || !takeChars(budget, text.length)) break;
    addParts(fields, partsOf(text, others, word), expansion);
    endField(fields);
  }
  runRest(word, expansion);
  return texts === undefined ? [unknownWord(word.text)] : fields.done;
}

/** The parts of braces between the characters that make them; text alone has no parts. */
function withoutBraces(part: SyntaxPart): readonly SyntaxPart[] {
  if (part.type !== 'BraceExpansion') return [part];
  const { parts, text } = part;
  return parts === undefined ? [literal(text, part)] : [literal('{', part), ...parts, literal('}', part)];
}

function literal(text: string, { pos, end }: SyntaxNode): SyntaxPart {
  return { type: 'Literal', pos, end, text, value: text.replace(/\\(.)/gs, '$1') };
}

/** A text without braces as parts of a word. */
function partsOf(text: string, others: readonly SyntaxPart[], word: SyntaxWord): readonly SyntaxPart[] {
  return text
    .split(/([\ue000-\uf8ff])/)
    .filter((piece) => piece !== '')
    .map((piece) => others[piece.charCodeAt(0) - FIRST_STAND] ?? literal(piece, word));
}
