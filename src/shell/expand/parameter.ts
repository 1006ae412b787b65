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
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { choose } from '../scope/choices.ts';
import { setVariable, single } from '../scope/scope.ts';
import { followSum } from './arithmetic.ts';
import { expandAgain } from './expand-again.ts';
import type { Expansion } from './expansion.ts';
import { isWorkable, removePrefix, removeSuffix } from './pattern.ts';
import { elementsOf, type Lookup, lookUp } from './variable-value.ts';

/** The value of `${…}`. */
export function parameterValue(part: ParameterExpansionPart, expansion: Expansion): Lookup {
  const found = parameter(part, expansion);
  if (part.prefix === '#') return { type: 'set', word: lengthOf(found, part.text) };
  const { operation } = part;
  return operation === undefined ? found : operate(operation, found, part, expansion);
}

function parameter(part: ParameterExpansionPart, expansion: Expansion): Lookup {
  const index = part.index === undefined ? undefined : expansion.whole(part.index, expansion);
  if (part.prefix === '!') return indirect(part, expansion);
  if (index === undefined) return lookUp(part.parameter, expansion, part.text);
  const elements = elementsOf(part.parameter, expansion);
  if (elements === undefined) {
    if (!isAll(index)) followSum(index, expansion);
    return { type: 'outside', word: unknownWord(part.text) };
  }
  if (isAll(index)) return { type: 'list', words: elements, complete: true };
  // What a sum comes to is not followed through loops and branches: only a number that stands there counts.
  followSum(index, expansion);
  const at = integer(index);
  const isOpen = elements.some((word) => word.some((each) => each.type === 'unknown' && each.splits));
  const element = at !== undefined && at >= 0 && !isOpen ? elements[at] : unknownWord(part.text);
  return element === undefined ? { type: 'unset' } : { type: 'set', word: element };
}

function isAll(index: Word): boolean {
  const text = knownText(index);
  return text === '@' || text === '*';
}

/** `${!name}`: the variable that the value names. */
function indirect(part: ParameterExpansionPart, expansion: Expansion): Lookup {
  const pointer = lookUp(part.parameter, expansion, part.text);
  const name = pointer.type === 'set' ? knownText(pointer.word) : undefined;
  const isName = name !== undefined && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
  if (!isName && pointer.type === 'set') again(pointer.word, expansion);
  return isName ? lookUp(name, expansion, part.text) : { type: 'outside', word: unknownWord(part.text) };
}

function lengthOf(found: Lookup, source: string): Word {
  if (found.type === 'list')
    return found.complete ? textWord(String(found.words.length)) : unknownWord(source);
  const known = found.type === 'unset' ? '' : knownText(found.word);
  return known === undefined ? unknownWord(source) : textWord(String(known.length));
}

function operate(
  operation: ParameterOperation,
  found: Lookup,
  part: ParameterExpansionPart,
  expansion: Expansion,
): Lookup {
  if (operation.type === 'Default')
    return orDefault(operation, found, part, expansion.whole(operation.operand, expansion), expansion);
  if (operation.type === 'Remove' && operation.operator.startsWith('%') && isOutside(found)) {
    // What a variable from outside ends in is not known anyway: without a final slash it is the same folder.
    if (knownText(patternOf(operation.operand, expansion)) === '/') return found;
  }
  const change = changeOf(operation, expansion);
  const apply = (word: Word): Word => {
    // `${x@P}` is the value as a prompt.
    if (operation.type === 'Transform') again(word, expansion);
    const known = knownText(word);
    const affordable = takeChars(expansion.walker.budget, (known?.length ?? 0) << 5);
    const changed = known === undefined || !affordable ? undefined : change(known);
    return changed === undefined ? unknownWord(part.text, originsOf(word)) : textWord(changed);
  };
  switch (found.type) {
    case 'unset':
      return { type: 'set', word: apply(EMPTY_WORD) };
    case 'set':
    case 'outside':
      return { type: 'set', word: apply(found.word) };
    case 'list': {
      if (operation.type !== 'Slice') return { ...found, words: found.words.map(apply) };
      return sliceList(found, operation.offset, operation.length, expansion, part.text);
    }
  }
}

function again(word: Word, { walker, place, source }: Expansion): void {
  expandAgain({ word, span: source.span, at: undefined }, place, walker);
}

function isOutside(found: Lookup): boolean {
  return found.type === 'outside' && found.word.length === 1;
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
  // `${TMPDIR:-/tmp}`: both are the same place to whoever asks for it.
  const isUsual =
    /^(?:TMPDIR|TMP|TEMP)$/.test(part.parameter) && /^(?:\/var)?\/tmp$/.test(knownText(operand) ?? '');
  if (found.type === 'outside' && /^[-=]$/.test(kind) && isUsual) return found;
  const has = presence(found, operator.startsWith(':'));
  const pick = has === undefined ? choose(expansion.choices, part, 2, () => true) : Number(!has);
  if (pick === undefined) return { type: 'set', word: unknownWord(part.text, originsOf(operand)) };
  const isSet = pick === 0;
  const other: Lookup = { type: 'set', word: operand, operand: written };
  switch (kind) {
    case '+':
      return isSet ? other : { type: 'set', word: EMPTY_WORD };
    case '=': {
      if (expansion.walker.integers.has(part.parameter)) followSum(operand, expansion);
      if (!isSet && /^[A-Za-z_]/.test(part.parameter))
        setVariable(expansion.place.scope, part.parameter, single(operand));
      return isSet ? found : other;
    }
    case '?':
      return found;
    default:
      return isSet ? found : other;
  }
}

/** Does the parameter have a value (and, for the forms with a colon, one that is not empty)? */
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

/** What an operation does to a known text; undefined where that is not worked out. */
function changeOf(operation: ParameterOperation, expansion: Expansion): (text: string) => string | undefined {
  const known = (word: SyntaxWord | undefined) =>
    word === undefined ? '' : knownText(patternOf(word, expansion));
  switch (operation.type) {
    case 'Remove': {
      const pattern = known(operation.operand);
      const longest = operation.operator.length === 2;
      const remove = operation.operator.startsWith('#') ? removePrefix : removeSuffix;
      return (text) =>
        pattern !== undefined && isWorkable(text, pattern) ? remove(text, pattern, longest) : undefined;
    }
    case 'Replace': {
      const pattern = known(operation.pattern);
      const replacement = knownText(expansion.whole(operation.replacement, expansion));
      return (text) => replaceIn(text, pattern, replacement, operation.operator);
    }
    case 'Slice': {
      const offset = sum(operation.offset, expansion);
      const length =
        operation.length === undefined ? Number.MAX_SAFE_INTEGER : sum(operation.length, expansion);
      return (text) =>
        offset === undefined || length === undefined ? undefined : sliceOf(text, offset, length);
    }
    case 'CaseModification': {
      const { operator, operand } = operation;
      return (text) => (operand === undefined ? changeCase(text, operator) : undefined);
    }
    case 'Transform':
    case 'Default':
    case 'Names':
    case 'Unknown':
      return () => undefined;
    default:
      return operation satisfies never;
  }
}

/** A pattern's text, wildcards as written. */
function patternOf(word: SyntaxWord, expansion: Expansion): Word {
  const pattern = expansion.whole(word, expansion);
  if (!pattern.every((part) => part.type !== 'unknown')) return pattern;
  return textWord(
    pattern
      .map((part) => (part.type === 'text' ? part.text : part.type === 'glob' ? part.pattern : ''))
      .join(''),
  );
}

/** Runs what is in a sum; its value if it is a number as it stands. */
function sum(word: SyntaxWord, expansion: Expansion): number | undefined {
  const value = expansion.whole(word, expansion);
  followSum(value, expansion);
  return integer(value);
}

function integer(word: Word): number | undefined {
  const text = knownText(word)?.trim() ?? '';
  return /^-?[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

function sliceOf(text: string, offset: number, length: number): string {
  const start = offset < 0 ? Math.max(0, text.length + offset) : offset;
  return length < 0 ? text.slice(start, text.length + length) : text.slice(start, start + length);
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

function changeCase(text: string, operator: string): string {
  const first = text.slice(0, 1);
  switch (operator) {
    case '^^':
      return text.toUpperCase();
    case ',,':
      return text.toLowerCase();
    case '^':
      return first.toUpperCase() + text.slice(1);
    default:
      return first.toLowerCase() + text.slice(1);
  }
}

function sliceList(
  found: Extract<Lookup, { type: 'list' }>,
  offset: SyntaxWord,
  length: SyntaxWord | undefined,
  expansion: Expansion,
  source: string,
): Lookup {
  const from = sum(offset, expansion);
  const count = length === undefined ? found.words.length : sum(length, expansion);
  if (!found.complete || from === undefined || count === undefined || from < 0 || count < 0) {
    return { type: 'list', words: [unknownWord(source, originsOf(joinList(found.words)))], complete: false };
  }
  // `${@:1}` starts with the first parameter, `${a[@]:1}` with the second element.
  const start = /^\$\{[@*]/.test(source) ? Math.max(0, from - 1) : from;
  return { ...found, words: found.words.slice(start, start + count) };
}
