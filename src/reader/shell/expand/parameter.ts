import type {
  ParameterDefaultOperation,
  ParameterExpansionPart,
  ParameterOperation,
  Word as SyntaxWord,
} from 'unbash';
import { takeChars } from '../../reading/bounds.ts';
import {
  EMPTY_WORD,
  joinList,
  knownText,
  originsOf,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
  withoutWildcards,
} from '../../reading/word.ts';
import { choose } from '../scope/choices.ts';
import { statusWord } from '../scope/flow.ts';
import { setVariable, single } from '../scope/scope.ts';
import { followSum } from './arithmetic.ts';
import { expandTwice } from './cover.ts';
import type { Expansion } from './expansion.ts';
import { elementsOf, type Lookup, lookUp } from './variable-value.ts';

/** The value of `${…}`. A part that is cut out of a value or changed in case is not computed, nor its length. */
export function parameterValue(part: ParameterExpansionPart, expansion: Expansion): Lookup {
  const found = parameter(part, expansion);
  const { prefix, operation } = part;
  if (prefix === undefined)
    return operation === undefined ? found : operate(operation, found, part, expansion);
  // `${!x}`: the name that is the value is expanded.
  if (prefix === '!' && found.type === 'set') again(found.word, expansion);
  return { type: 'outside', word: unknownWord(part.text) };
}

function parameter(part: ParameterExpansionPart, expansion: Expansion): Lookup {
  const index = part.index === undefined ? undefined : expansion.whole(part.index, expansion);
  if (index === undefined) return lookUp(part.parameter, expansion, part.text);
  if (!isAll(index)) followSum(index, expansion);
  const stage = part.parameter === 'PIPESTATUS' ? expansion.flow.stages[Number(knownText(index))] : undefined;
  if (stage !== undefined) return { type: 'set', word: statusWord(part.text, stage, expansion.flow) };
  const elements = elementsOf(part.parameter, expansion);
  if (elements === undefined) return { type: 'outside', word: outsideVariable(part.parameter, part.text) };
  if (isAll(index)) return { type: 'list', words: elements, complete: true };
  // Only a number that is there counts.
  const at = integer(index);
  const isOpen = elements.some((word) => word.some((each) => each.type === 'unknown' && each.splits));
  const element =
    at !== undefined && at >= 0 && !isOpen
      ? elements[at]
      : unknownWord(part.text, elements.flatMap(originsOf));
  return element === undefined ? { type: 'unset' } : { type: 'set', word: element };
}

function isAll(index: Word): boolean {
  const text = knownText(index);
  return text === '@' || text === '*';
}

function operate(
  operation: ParameterOperation,
  found: Lookup,
  part: ParameterExpansionPart,
  expansion: Expansion,
): Lookup {
  if (operation.type === 'Default')
    return orDefault(operation, found, part, expansion.whole(operation.operand, expansion), expansion);
  if (operation.type === 'Slice' && found.type === 'list')
    return sliceList(found, operation, part, expansion);
  const change = changeOf(operation, expansion);
  // The end of a variable from outside is unknown anyway: without a final slash it is the same folder.
  const isTrimmed =
    operation.type === 'Remove' && operation.operator.startsWith('%') && found.type === 'outside';
  if (isTrimmed && knownText(withoutWildcards(expansion.whole(operation.operand, expansion))) === '/')
    return found;
  const apply = (word: Word): Word => {
    // `${x@P}` is the value as a prompt.
    if (operation.type === 'Transform') again(word, expansion);
    const known = knownText(word);
    const affordable = takeChars(expansion.interpreter.budget, (known?.length ?? 0) << 5);
    const changed = known === undefined || !affordable ? undefined : change(known);
    return changed === undefined ? unknownWord(part.text, originsOf(word)) : textWord(changed);
  };
  if (found.type === 'list') return { ...found, words: found.words.map(apply) };
  return { type: 'set', word: apply(found.type === 'unset' ? EMPTY_WORD : found.word) };
}

function again(word: Word, expansion: Expansion): void {
  expandTwice({ word, span: expansion.source.span }, expansion);
}

/** `${X:-y}` and its kin. A variable from outside may be set or not: both are read. */
function orDefault(
  { operator, operand: written }: ParameterDefaultOperation,
  found: Lookup,
  part: ParameterExpansionPart,
  operand: Word,
  expansion: Expansion,
): Lookup {
  const kind = operator.replace(':', '');
  // `${TMPDIR:-/tmp}`: both are the same place to those who ask for it.
  const isUsual =
    /^(?:TMPDIR|TMP|TEMP)$/.test(part.parameter) && /^(?:\/var)?\/tmp$/.test(knownText(operand) ?? '');
  if (found.type === 'outside' && /^[-=]$/.test(kind) && isUsual) return found;
  const has = presence(found, operator.startsWith(':'));
  const pick = has === undefined ? choose(expansion.choices, part, 2) : Number(!has);
  if (pick === undefined) return { type: 'set', word: unknownWord(part.text, originsOf(operand)) };
  const isSet = pick === 0;
  const other: Lookup = { type: 'set', word: operand, operand: written };
  switch (kind) {
    case '+':
      return isSet ? other : { type: 'set', word: EMPTY_WORD };
    case '=': {
      if (expansion.interpreter.integers.has(part.parameter)) followSum(operand, expansion);
      if (!isSet && /^[A-Za-z_]/.test(part.parameter))
        setVariable(expansion.scope, part.parameter, single(operand));
      return isSet ? found : other;
    }
    case '?':
      return found;
    default:
      return isSet ? found : other;
  }
}

/** True if the parameter has a value (and, for the forms with a colon, one that is not empty); undefined if that is unknown. */
function presence(found: Lookup, notEmpty: boolean): boolean | undefined {
  switch (found.type) {
    case 'unset':
      return false;
    case 'outside':
      return undefined;
    case 'list':
      return found.complete ? found.words.length > 0 : undefined;
    case 'set':
      return !notEmpty || found.word.length > 0;
  }
}

/** The change that an operation makes to a known text; undefined if that is not computed. */
function changeOf(operation: ParameterOperation, expansion: Expansion): (text: string) => string | undefined {
  const known = (word: SyntaxWord) => knownText(withoutWildcards(expansion.whole(word, expansion)));
  if (operation.type === 'Remove') {
    const pattern = known(operation.operand);
    return (text) => (pattern === undefined ? undefined : withoutMatch(text, pattern, operation.operator));
  }
  if (operation.type === 'Replace') {
    const pattern = known(operation.pattern);
    const replacement = knownText(expansion.whole(operation.replacement, expansion));
    return (text) => replaceIn(text, pattern, replacement, operation.operator);
  }
  if (operation.type === 'Slice')
    for (const word of [operation.offset, operation.length]) if (word !== undefined) sum(word, expansion);
  return () => undefined;
}

/** Runs the commands in a sum; its value if it is just a number. */
function sum(word: SyntaxWord, expansion: Expansion): number | undefined {
  const value = expansion.whole(word, expansion);
  followSum(value, expansion);
  return integer(value);
}

function integer(word: Word): number | undefined {
  const text = knownText(word)?.trim() ?? '';
  return /^-?[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

function replaceIn(
  text: string,
  pattern: string | undefined,
  replacement: string | undefined,
  operator: string,
): string | undefined {
  if (pattern === undefined || replacement === undefined || /[*?[\]\\()]/.test(pattern)) return undefined;
  if (pattern === '') return text;
  switch (operator) {
    case '//':
      return text.replaceAll(pattern, () => replacement);
    case '/#':
      return text.startsWith(pattern) ? replacement + text.slice(pattern.length) : text;
    case '/%':
      return text.endsWith(pattern) ? text.slice(0, text.length - pattern.length) + replacement : text;
    default:
      return text.replace(pattern, () => replacement);
  }
}

function sliceList(
  found: Extract<Lookup, { type: 'list' }>,
  { offset, length }: Extract<ParameterOperation, { type: 'Slice' }>,
  { text }: ParameterExpansionPart,
  expansion: Expansion,
): Lookup {
  const from = sum(offset, expansion);
  const count = length === undefined ? found.words.length : sum(length, expansion);
  if (!found.complete || from === undefined || count === undefined || from < 0 || count < 0)
    return { type: 'list', words: [unknownWord(text, originsOf(joinList(found.words)))], complete: false };
  // `${@:1}` starts with the first parameter, `${a[@]:1}` with the second element.
  const start = /^\$\{[@*]/.test(text) ? Math.max(0, from - 1) : from;
  return { ...found, words: found.words.slice(start, start + count) };
}

const MAX_TEXT = 256;
const MAX_STARS = 2;

/** `${text#pattern}` and the like: removes the shortest or longest match. Undefined for long texts, brackets and many stars. */
function withoutMatch(text: string, pattern: string, operator: '#' | '##' | '%' | '%%'): string | undefined {
  const stars = pattern.split('*').length - 1;
  if (text.length > MAX_TEXT || stars > MAX_STARS || /[[\]()]/.test(pattern)) return undefined;
  const isLongest = operator.length === 2;
  const regex = pattern.replace(/\\(.)|\W/gs, (char, quoted: string | undefined) => {
    if (char === '*') return isLongest ? '[^]*' : '[^]*?';
    return char === '?' ? '[^]' : `\\u${(quoted ?? char).charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  if (operator.startsWith('#')) return text.replace(new RegExp(`^${regex}`), '');
  return new RegExp(`^([^]*${isLongest ? '?' : ''})${regex}$`).exec(text)?.[1] ?? text;
}
