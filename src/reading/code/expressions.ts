import { fillHoles } from '../holes.ts';
import { joinWords, knownText, outsideVariable, type Word, type WordPart } from '../word.ts';
import type { Language, Token } from './tokens.ts';
import {
  concatenated,
  joinedPath,
  resultOf,
  textValue,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';

/** Code while it is read. */
export interface Code {
  readonly language: Language;
  readonly tokens: readonly Token[];
  /** For each opening bracket the index of its partner, for others undefined. */
  readonly partners: readonly (number | undefined)[];
  readonly holes: readonly WordPart[];
  /** Variables with values that are known in part. */
  readonly variables: Map<string, Value>;
  /** Names that stand for others: `import os as o`, `run = subprocess.run`. */
  readonly aliases: Map<string, readonly string[]>;
}

/** A value and the index of the token after it. */
export interface Evaluated {
  readonly value: Value;
  readonly end: number;
}

/** A call, with the parts of its name. */
export interface FoundCall {
  readonly names: readonly string[];
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly receiver: Value | undefined;
}

const MAX_DEPTH = 8;
const MAX_ARGUMENTS = 64;
const MAX_STEPS = 64;
const DOTS = new Set(['.', '->', '::', '?.', ':']);
const OPENERS = new Set(['(', '[', '{']);
const SKIPPED = new Set([
  'await',
  'new',
  'my',
  'our',
  'local',
  'const',
  'let',
  'var',
  'return',
  'not',
  'print',
  'puts',
  'echo',
  'typeof',
  'void',
  'yield',
  '\\',
  '&',
  '!',
  '-',
  '+',
  '@',
  '*',
]);

/** Where brackets end. */
export function bracketPartners(tokens: readonly Token[]): readonly (number | undefined)[] {
  const partners: (number | undefined)[] = new Array(tokens.length).fill(undefined);
  const open: number[] = [];
  tokens.forEach((token, index) => {
    if (token.type !== 'sign') return;
    if (OPENERS.has(token.text)) open.push(index);
    else if (token.text === ')' || token.text === ']' || token.text === '}') {
      const start = open.pop();
      if (start !== undefined) partners[start] = index;
    }
  });
  return partners;
}

/** The value of the expression that starts at a token. */
export function evaluateAt(code: Code, at: number, depth = 0): Evaluated {
  if (depth > MAX_DEPTH) return { value: UNKNOWN_VALUE, end: at + 1 };
  let { value, end } = primary(code, at, depth);
  for (let step = 0; step < MAX_STEPS; step++) {
    const operator = code.tokens[end]?.text ?? '';
    const isSign = code.tokens[end]?.type === 'sign';
    if (!isSign || !isConcatenation(operator, code.language)) break;
    const right = primary(code, end + 1, depth);
    value = operator === '/' ? joinedPath([value, right.value]) : concatenated(value, right.value);
    end = right.end;
  }
  return { value, end };
}

function isConcatenation(operator: string, language: Language): boolean {
  switch (language) {
    case 'perl':
    case 'php':
      return operator === '.';
    case 'lua':
      return operator === '..';
    case 'python':
      return operator === '+' || operator === '/';
    default:
      return operator === '+';
  }
}

function primary(code: Code, at: number, depth: number): Evaluated {
  const token = code.tokens[at];
  if (token === undefined) return { value: UNKNOWN_VALUE, end: at + 1 };
  if (token.type === 'string') return strings(code, at, depth);
  if (token.type === 'number') return { value: textValue(token.word), end: at + 1 };
  if (token.type === 'command') return { value: UNKNOWN_VALUE, end: at + 1 };
  if (token.type === 'name') {
    const next = code.tokens[at + 1];
    if (next?.type === 'string' && /^[rbuf]{1,2}$/i.test(token.text) && code.language === 'python')
      return strings(code, at + 1, depth);
    if (SKIPPED.has(token.text)) return evaluateAt(code, at + 1, depth + 1);
    return chainAt(code, at, depth, undefined);
  }
  if (token.text === '[' || token.text === '(') return group(code, at, depth);
  if (token.text === '{') return object(code, at, depth);
  if (SKIPPED.has(token.text)) return evaluateAt(code, at + 1, depth + 1);
  return { value: UNKNOWN_VALUE, end: at + 1 };
}

/** A string, those that stand next to it (Python), and what is called on it. */
function strings(code: Code, at: number, depth: number): Evaluated {
  let end = at;
  let word: Word = [];
  while (code.tokens[end]?.type === 'string') {
    word = joinWords(word, filled(code, code.tokens[end]?.word ?? []));
    end++;
    if (code.language !== 'python') break;
  }
  return DOTS.has(code.tokens[end]?.text ?? '') && code.tokens[end + 2]?.text === '('
    ? chainAt(code, end, depth, textValue(word))
    : { value: textValue(word), end };
}

/** A string's word with the parts that the shell put in. */
export function filled(code: Code, word: Word): Word {
  if (code.holes.length === 0) return word;
  let found: Word = [];
  for (const part of word)
    found = joinWords(found, part.type === 'text' ? fillHoles(part.text, code.holes) : [part]);
  return found;
}

/** `[a, b]`, `(a, b)`, or an expression in parentheses. */
function group(code: Code, at: number, depth: number): Evaluated {
  const close = code.partners[at];
  if (close === undefined) return { value: UNKNOWN_VALUE, end: at + 1 };
  const { args } = argumentsAt(code, at, depth + 1);
  const isList = code.tokens[at]?.text === '[' || args.length !== 1;
  const value: Value = isList ? { type: 'list', items: args } : (args[0] ?? UNKNOWN_VALUE);
  const called = code.tokens[close + 1]?.text === '.';
  return called ? chainAt(code, close + 1, depth, value) : { value, end: close + 1 };
}

function object(code: Code, at: number, depth: number): Evaluated {
  const close = code.partners[at];
  if (close === undefined) return { value: UNKNOWN_VALUE, end: at + 1 };
  const { named } = argumentsAt(code, at, depth + 1);
  return { value: { type: 'object', entries: named }, end: close + 1 };
}

/** The values between brackets; `name=value` and `name: value` are kept by name. */
function argumentsAt(
  code: Code,
  open: number,
  depth: number,
): { readonly args: readonly Value[]; readonly named: ReadonlyMap<string, Value> } {
  return valuesBetween(code, open + 1, code.partners[open] ?? code.tokens.length, depth);
}

/** Values separated by commas between two tokens. */
export function valuesBetween(
  code: Code,
  from: number,
  close: number,
  depth: number,
): { readonly args: readonly Value[]; readonly named: ReadonlyMap<string, Value> } {
  const args: Value[] = [];
  const named = new Map<string, Value>();
  let at = from;
  while (at < close && args.length + named.size < MAX_ARGUMENTS) {
    const key = code.tokens[at];
    const sign = code.tokens[at + 1]?.text;
    const isNamed =
      key?.type !== 'sign' &&
      (sign === '=' || sign === ':' || sign === '=>') &&
      code.tokens[at + 1]?.type === 'sign';
    const { value, end } = evaluateAt(code, isNamed ? at + 2 : at, depth);
    if (isNamed && key !== undefined) named.set(key.text, value);
    else args.push(value);
    at = afterComma(code, Math.min(end, close), close);
  }
  return { args, named };
}

/** The index after the next comma, brackets skipped. */
function afterComma(code: Code, from: number, close: number): number {
  for (let at = from; at < close; at++) {
    const { text, type } = code.tokens[at] ?? { text: '', type: 'sign' };
    if (type === 'sign' && text === ',') return at + 1;
    if (type === 'sign' && OPENERS.has(text)) at = code.partners[at] ?? close;
  }
  return close;
}

const IMPORTERS = new Set(['require', '__import__', 'import_module', 'getattr']);
const ENVIRONMENTS = new Set(['env', 'environ', 'ENV', '$ENV', '$_ENV', '$_SERVER']);

/**
 * A name with what follows: `a.b(c)[d].e(f)`. `receiver`: the value it starts with, if it starts with a dot. Every call
 * on the way is given to `found`.
 */
export function chainAt(
  code: Code,
  at: number,
  depth: number,
  receiver: Value | undefined,
  found?: (call: FoundCall, end: number) => void,
): Evaluated {
  const first = code.tokens[at]?.text ?? '';
  let names: string[] = receiver === undefined ? [...(code.aliases.get(first) ?? [first])] : [];
  let value: Value | undefined = receiver ?? code.variables.get(first);
  let end = receiver === undefined ? at + 1 : at;
  for (let step = 0; step < MAX_STEPS; step++) {
    const token = code.tokens[end];
    const next = code.tokens[end + 1];
    if (token?.type === 'sign' && DOTS.has(token.text) && next?.type === 'name') {
      names.push(next.text);
      end += 2;
      const called = code.tokens[end]?.text === '(';
      if (!called && ENVIRONMENTS.has(names.at(-2) ?? '')) value = textValue(outsideVariable(next.text));
      else if (!called) value = next.text === 'parent' ? UNKNOWN_VALUE : undefined;
    } else if (
      token?.type === 'sign' &&
      token.text === '(' &&
      code.partners[end] !== undefined &&
      depth <= MAX_DEPTH
    ) {
      const { args, named } = argumentsAt(code, end, depth + 1);
      end = (code.partners[end] ?? end) + 1;
      found?.({ names, args, named, receiver: value }, end);
      const importer = IMPORTERS.has(names.at(-1) ?? '');
      const module = importer ? knownText(wordOf(names.at(-1) === 'getattr' ? args[1] : args[0])) : undefined;
      value = resultOf(names, args, names.length > 1 || receiver !== undefined ? value : undefined);
      if (module !== undefined) names = [...names, module];
    } else if (
      token?.type === 'sign' &&
      (token.text === '[' || token.text === '{') &&
      code.partners[end] !== undefined &&
      token.text === (names.at(-1) === '$ENV' ? '{' : '[')
    ) {
      const close = code.partners[end] ?? end;
      const key = code.tokens[end + 1];
      const index =
        knownText(wordOf(evaluateAt(code, end + 1, depth + 1).value)) ??
        (token.text === '{' ? key?.text : undefined);
      value =
        index !== undefined && ENVIRONMENTS.has(names.at(-1) ?? '')
          ? textValue(outsideVariable(index))
          : UNKNOWN_VALUE;
      if (index !== undefined) names = [...names, index];
      end = close + 1;
    } else if (code.language === 'javascript' && token?.type === 'string' && names.at(-1) === '$') {
      found?.(
        { names, args: [textValue(filled(code, token.word))], named: new Map(), receiver: undefined },
        end + 1,
      );
      value = UNKNOWN_VALUE;
      end++;
    } else break;
  }
  return { value: value ?? UNKNOWN_VALUE, end };
}
