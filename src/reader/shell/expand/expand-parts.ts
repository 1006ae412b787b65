import type { ParameterExpansionPart, SimpleExpansionPart, SyntaxNode, WordPart as SyntaxPart } from 'unbash';
import { takeChars, takeStep } from '../../reading/bounds.ts';
import { fillPlaceholders } from '../../reading/placeholders.ts';
import { joinList, splittingWord, unknownWord, type Word } from '../../reading/word.ts';
import { spanIn } from '../parse/source.ts';
import { childrenOf } from '../parse/syntax.ts';
import { followSum, runSum } from './arithmetic.ts';
import { expandTwice, isSubstitution, isWhole, OPENER } from './cover.ts';
import type { Expansion } from './expansion.ts';
import {
  addGlobText,
  addList,
  addPart,
  addSplit,
  addText,
  addWhole,
  endField,
  type Fields,
  newFields,
} from './fields.ts';
import { parameterValue } from './parameter.ts';
import { tildesIn, withTildes, wordOf } from './plain-word.ts';
import { processSubstitution, substitute } from './substitution.ts';
import { type Lookup, lookUp, separatorsOf } from './variable-value.ts';

/** The parts of a word of a command: values without quotes are split. */
export function addParts(fields: Fields, parts: readonly SyntaxPart[], expansion: Expansion): void {
  addEach(fields, parts, expansion, false, (part) => addBarePart(fields, part, expansion));
}

/** The parts of a word that stays one word. */
export function addWholeParts(
  fields: Fields,
  parts: readonly SyntaxPart[],
  expansion: Expansion,
  assignment: boolean,
): void {
  fields.started = true;
  addEach(fields, parts, expansion, assignment, (part) => {
    if (part.type !== 'Glob') addQuotedPart(fields, part, expansion);
    else if (!assignment) addPart(fields, { type: 'glob', pattern: part.text });
    // A wildcard is text there; its brackets are not looked into.
    else if (part.kind !== 'bracket' || part.parts.length === 0) addText(fields, part.text);
    else addWhole(fields, unknownWord(part.text));
  });
}

function addEach(
  fields: Fields,
  parts: readonly SyntaxPart[],
  expansion: Expansion,
  assignment: boolean,
  addOther: (part: OtherPart) => void,
): void {
  const { placeholders } = expansion.source;
  parts.forEach((part, index) => {
    if (!takeStep(fields.budget)) return;
    if (isQuotation(part)) addQuotation(fields, part, expansion);
    else if (part.type !== 'Literal') addOther(part);
    else {
      const { text, value } = part;
      const found = withTildes(text, expansion, tildesIn(parts, index, assignment));
      if (found !== undefined) addWhole(fields, found);
      else if (placeholders.length > 0 && value !== '')
        addWhole(fields, splittingWord(fillPlaceholders(value, placeholders)));
      else if (value !== '') addText(fields, value);
    }
  });
}

type OtherPart = Exclude<SyntaxPart, Quotation | { readonly type: 'Literal' }>;

type Quotation = Extract<
  SyntaxPart,
  { type: 'SingleQuoted' | 'DoubleQuoted' | 'AnsiCQuoted' | 'LocaleString' }
>;

function isQuotation(part: SyntaxPart): part is Quotation {
  const { type } = part;
  return (
    type === 'SingleQuoted' || type === 'DoubleQuoted' || type === 'AnsiCQuoted' || type === 'LocaleString'
  );
}

function addQuotation(fields: Fields, part: Quotation, expansion: Expansion): void {
  if (part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') {
    // bash takes `\x{41}` for a sign, the parser does not.
    if (part.type === 'AnsiCQuoted' && part.text.includes('\\x{')) {
      const span = spanIn(expansion.source, part.pos, part.end);
      expansion.interpreter.gap('syntax', span, `Cannot read "\\x{" in ${part.text}`);
    }
    addWhole(fields, fillPlaceholders(part.value, expansion.source.placeholders));
    return;
  }
  // `"$@"` without arguments is no word at all, every other quotation is one.
  const [only] = part.parts;
  fields.started ||= part.parts.length !== 1 || only === undefined || !isAllArguments(only);
  for (const child of part.parts) addQuotedPart(fields, child, expansion);
}

function isAllArguments(part: SyntaxPart): boolean {
  return part.type === 'SimpleExpansion'
    ? part.text === '$@'
    : part.type === 'ParameterExpansion' && /^\$\{[@]|\[@\]/.test(part.text);
}

/** A part inside double quotes: its value stays as it is. */
function addQuotedPart(fields: Fields, part: SyntaxPart, expansion: Expansion): void {
  switch (part.type) {
    case 'Literal':
      addWhole(fields, fillPlaceholders(part.value, expansion.source.placeholders));
      return;
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const found = expanded(part, expansion);
      if (found.type !== 'list') addWhole(fields, wordOf(found));
      else if (!isAllArguments(part)) addWhole(fields, joinList(found.words));
      else if (found.complete) addList(fields, found.words);
      else for (const word of found.words) addSplit(fields, word, '');
      return;
    }
    case 'CommandExpansion':
      addWhole(fields, substitute(part, expansion));
      return;
    case 'ArithmeticExpansion':
      addWhole(fields, arithmetic(part, expansion));
      return;
    case 'ProcessSubstitution':
      addWhole(fields, processSubstitution(part, expansion));
      return;
    case 'SingleQuoted':
    case 'DoubleQuoted':
    case 'AnsiCQuoted':
    case 'LocaleString':
      addQuotation(fields, part, expansion);
      return;
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      addText(fields, part.text);
      return;
    default:
      part satisfies never;
  }
}

/** A part outside quotes that is no literal. */
function addBarePart(fields: Fields, part: Exclude<SyntaxPart, Quotation>, expansion: Expansion): void {
  switch (part.type) {
    case 'ExtendedGlob':
    case 'Glob':
      // If patterns of this kind are switched off, a line behind the first one is a command.
      if (part.text.includes('\n')) {
        const span = spanIn(expansion.source, part.pos, part.end);
        expansion.interpreter.gap('syntax', span, `Cannot read a pattern of several lines: "${part.text}"`);
      }
      addPart(fields, { type: 'glob', pattern: part.text });
      return;
    case 'BraceExpansion':
    case 'Literal':
      addGlobText(fields, part.text);
      return;
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const found = expanded(part, expansion);
      const separators = separatorsOf(expansion);
      if (found.type === 'set' && found.operand?.parts?.some(isQuotation) === true)
        addOperand(fields, found.operand.parts, expansion);
      else if (found.type !== 'list') addSplit(fields, wordOf(found), separators);
      else
        found.words.forEach((word, index) => {
          if (index > 0) endField(fields);
          addSplit(fields, word, separators);
        });
      return;
    }
    case 'CommandExpansion':
      addSplit(fields, substitute(part, expansion), separatorsOf(expansion));
      return;
    default:
      addQuotedPart(fields, part, expansion);
  }
}

/** The operand of `${x:-a 'b c'}`: text in quotes in it stays one word. */
function addOperand(fields: Fields, parts: readonly SyntaxPart[], expansion: Expansion): void {
  parts.forEach((part, index) => {
    if (part.type === 'Literal') {
      const found = withTildes(part.text, expansion, tildesIn(parts, index, true));
      const value = found ?? fillPlaceholders(part.value, expansion.source.placeholders);
      addSplit(fields, value, separatorsOf(expansion));
    } else if (isQuotation(part)) addQuotation(fields, part, expansion);
    else addBarePart(fields, part, expansion);
  });
}

const A_LONG_TEXT: Lookup = { type: 'set', word: unknownWord('a long text') };

/** The value of `$x` or `${…}`. */
function expanded(part: SimpleExpansionPart | ParameterExpansionPart, expansion: Expansion): Lookup {
  const { interpreter, source } = expansion;
  if (!takeStep(interpreter.budget) || !takeChars(interpreter.budget, part.text.length * 3))
    return A_LONG_TEXT;
  if (part.type === 'SimpleExpansion') return lookUp(part.text.slice(1), expansion, part.text);
  if (!isMisread(part)) return parameterValue(part, expansion);
  if (part.index !== undefined) followSum(expansion.whole(part.index, expansion), expansion);
  interpreter.seen.add(part);
  if (OPENER.test(part.text.slice(1)))
    interpreter.gap('syntax', spanIn(source, part.pos, part.end), `Cannot read "${part.text}"`);
  return { type: 'set', word: unknownWord(part.text) };
}

/** Slashes in a substitution cut a pattern short, and of some forms the parser says nothing. */
function isMisread({ operation }: ParameterExpansionPart): boolean {
  if (operation?.type === 'Unknown') return true;
  if (operation?.type !== 'Replace') return false;
  return [operation.pattern, operation.replacement].some((word) => /[(`{]/.test(word.text) && !isWhole(word));
}

function arithmetic(part: Extract<SyntaxPart, { type: 'ArithmeticExpansion' }>, expansion: Expansion): Word {
  expansion.interpreter.seen.add(part);
  if (!takeChars(expansion.interpreter.budget, part.text.length * 3)) return unknownWord('a number');
  runSum(part.expression, expansion);
  return unknownWord(part.text);
}

/** Expands parts as inside double quotes. */
export function expandQuoted(parts: readonly SyntaxPart[], expansion: Expansion): Word {
  const fields = newFields(expansion.interpreter.budget);
  fields.started = true;
  for (const part of parts) addQuotedPart(fields, part, expansion);
  endField(fields);
  return joinList(fields.done);
}

/** Runs the substitutions of a word that its value did not need: in patterns, subscripts and unused operands. */
export function runRest(node: SyntaxNode & { readonly text?: string }, expansion: Expansion): void {
  if (node.text !== undefined && !/[(`]/.test(node.text)) return;
  const { interpreter, source } = expansion;
  const pending = [{ node: node as SyntaxNode, quoted: node.type === 'HereDocBody' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node: each, quoted } = next;
    if (interpreter.seen.has(each)) continue;
    if (each.type === 'ProcessSubstitution') processSubstitution(each, expansion);
    else if (isSubstitution(each)) substitute(each, expansion);
    else {
      if (quoted && each.type === 'Word' && each.parts?.some(({ type }) => type === 'SingleQuoted')) {
        const text = fillPlaceholders(each.text, source.placeholders);
        expandTwice({ word: text, span: spanIn(source, each.pos, each.end) }, expansion);
      }
      if (each.type === 'ArithmeticExpansion') arithmetic(each, expansion);
      // In patterns quotes are quotes.
      const isPattern = each.type === 'Remove' || each.type === 'Replace' || each.type === 'CaseModification';
      const inner = (quoted && !isPattern) || each.type === 'DoubleQuoted' || each.type === 'LocaleString';
      for (const child of childrenOf(each)) pending.push({ node: child, quoted: inner });
    }
  }
}
