import { fillPlaceholders } from '../../reading/placeholders.ts';
import { knownChars, knownText, outsideVariable, type Word } from '../../reading/word.ts';
import { fitting, resultOf } from './call-results.ts';
import { setCallback, setParameters } from './callbacks.ts';
import {
  afterComma,
  bracketPartners,
  type CallListener,
  type Code,
  type Evaluated,
  type FoundCall,
  isDot,
  isSign,
  nameAt,
  plainWord,
  statementEnd,
} from './code.ts';
import { holeExpression } from './interpolation.ts';
import type { Language } from './language.ts';
import { changedText, formatted } from './text-calls.ts';
import { tokenize } from './tokens.ts';
import {
  concatenated,
  eitherOf,
  elementOf,
  joinedPath,
  listOf,
  listValue,
  MORE,
  textValue,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';

const MAX_DEPTH = 8;
const MAX_ARGUMENTS = 64;
const MAX_STEPS = 64;
const SKIPPED = new Set(
  'await async new my our local const let var return not print puts echo typeof void yield \\ & ! - + @ *'.split(
    ' ',
  ),
);
/** Calls without parentheses whose value matters. */
const BARE_RESULTS = new Set('glob join sprintf readdir sort reverse lc uc pack decode_base64'.split(' '));

/** The value of the expression that starts at a token. */
export function evaluateAt(code: Code, at: number, depth = 0): Evaluated {
  if (depth > MAX_DEPTH || --code.work.left < 0) return { value: UNKNOWN_VALUE, end: at + 1 };
  let { value, end } = primary(code, at, depth);
  spend(code, value);
  for (let step = 0; step < MAX_STEPS; step++) {
    const operator = code.tokens[end]?.text ?? '';
    const isOperator = code.tokens[end]?.type === 'sign' && isConcatenation(operator, code.language);
    if (!isOperator) break;
    const right = primary(code, end + 1, depth);
    if (operator === '/') value = joinedPath([value, right.value]);
    else if (operator === '%') value = percent(value, right.value);
    else if (operator === '*') value = UNKNOWN_VALUE;
    else value = concatenated(value, right.value);
    spend(code, value);
    end = right.end;
    // What comes behind so many parts may make anything of them.
    if (step === MAX_STEPS - 1) value = UNKNOWN_VALUE;
  }
  return withAlternatives(code, { value, end }, depth);
}

/** `a or b`, `a if c else b`, `a || b`, `a ?? b`, `c ? a : b`: one of several. */
function withAlternatives(code: Code, first: Evaluated, depth: number): Evaluated {
  const { value, end } = first;
  const either = (from: number): Evaluated => {
    const other = evaluateAt(code, from, depth + 1);
    return { value: eitherOf(value, other.value), end: other.end };
  };
  if (code.language === 'python') {
    const otherwise = nameAt(code, end) === 'if' ? elseAt(code, end + 1) : undefined;
    return nameAt(code, end) === 'or'
      ? either(end + 1)
      : otherwise === undefined
        ? first
        : either(otherwise + 1);
  }
  if (code.language !== 'javascript') return first;
  if (isSign(code, end, '||')) return either(end + 1);
  if (!isSign(code, end, '?')) return first;
  if (isSign(code, end + 1, '?')) return either(end + 2);
  const yes = evaluateAt(code, end + 1, depth + 1);
  if (!isSign(code, yes.end, ':')) return { value: UNKNOWN_VALUE, end: yes.end };
  const no = evaluateAt(code, yes.end + 1, depth + 1);
  return { value: eitherOf(yes.value, no.value), end: no.end };
}

/** How far the `else` of a condition is looked for. */
const MAX_CONDITION = 32;

/** Where the `else` of `a if c else b` stands; undefined if the `if` is a statement or one of a comprehension. */
function elseAt({ tokens, partners }: Code, from: number): number | undefined {
  for (let at = from; at < from + MAX_CONDITION; at++) {
    const { type, text } = tokens[at] ?? { type: 'sign', text: ';' };
    if (type === 'name' && text === 'else') return at;
    if (type === 'sign' && /^[,:;)\]}]$/.test(text)) return undefined;
    if (type === 'sign') at = partners[at] ?? at;
  }
  return undefined;
}

function spend({ work }: Code, value: Value): void {
  work.left -=
    value.type === 'any'
      ? value.values.length
      : 1 + (value.type === 'text' ? knownChars(value.word) >> 8 : 0);
}

function isConcatenation(operator: string, language: Language): boolean {
  switch (language) {
    case 'perl':
    case 'php':
      return operator === '.';
    case 'lua':
      return operator === '..';
    case 'python':
      return /^[+/%*]$/.test(operator);
    case 'ruby':
      return /^[+/%*]$/.test(operator);
    default:
      return operator === '+';
  }
}

/** `'%s/%s' % (a, b)` */
function percent(template: Value, given: Value): Value {
  if (template.type !== 'text') return UNKNOWN_VALUE;
  const args = given.type === 'list' ? given.items : [given];
  return formatted(template.word, 'percent', args, given.type === 'object' ? given.entries : new Map());
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
    return bareResult(code, at, depth) ?? chainAt(code, at, depth, undefined);
  }
  if (token.text === '[' || token.text === '(') return group(code, at, depth);
  if (token.text === '{') return object(code, at, depth);
  if (code.language === 'ruby') {
    const symbol = symbolAt(code, at);
    if (symbol !== undefined) return symbol;
  }
  if (SKIPPED.has(token.text)) return evaluateAt(code, at + 1, depth + 1);
  return { value: UNKNOWN_VALUE, end: at + 1 };
}

/** `:name`, and `&:name`, a method that is called on what it is given. */
function symbolAt(code: Code, at: number): Evaluated | undefined {
  const method = isSign(code, at, '&') && isSign(code, at + 1, ':');
  const name = nameAt(code, at + (method ? 2 : 1));
  if (name === undefined || !isSign(code, method ? at + 1 : at, ':')) return undefined;
  const value: Value = method
    ? { type: 'function', names: [name], method }
    : textValue([{ type: 'text', text: name }]);
  return { value, end: at + (method ? 3 : 2) };
}

/** `glob "*.c"`, `join " ", @words`, `map { "/etc/$_" } @names` */
function bareResult(code: Code, at: number, depth: number): Evaluated | undefined {
  const name = nameAt(code, at) ?? '';
  if (code.language !== 'perl' || isSign(code, at + 1, '(')) return undefined;
  const block = code.partners[at + 1];
  if ((name === 'map' || name === 'grep') && isSign(code, at + 1, '{') && block !== undefined) {
    const end = statementEnd(code, block + 1);
    const { args } = valuesBetween(code, block + 1, end, depth + 1);
    const list: Value = { type: 'list', items: args };
    if (name === 'grep') return { value: list, end };
    code.variables.set('$_', elementOf(list));
    return { value: listOf(evaluateAt(code, at + 2, depth + 1).value), end };
  }
  const next = code.tokens[at + 1];
  const starts = next?.type === 'string' || next?.type === 'name';
  if (!BARE_RESULTS.has(name) || !starts || depth > MAX_DEPTH) return undefined;
  const end = statementEnd(code, at + 1);
  const { args, named } = valuesBetween(code, at + 1, end, depth + 1);
  return { value: resultOf({ names: [name], args, named, receiver: undefined }, 'perl'), end };
}

/** A string, those that stand next to it (Python), and what is called on it. */
function strings(code: Code, at: number, depth: number): Evaluated {
  let end = at;
  let value: Value = textValue([]);
  while (code.tokens[end]?.type === 'string') {
    value = concatenated(value, filled(code, plainWord(code, end), depth));
    end++;
    if (code.language !== 'python') break;
  }
  return hasMember(code, end) ? chainAt(code, end, depth, value) : { value, end };
}

/** Does a dot or, in Python, a slice come next? */
function hasMember(code: Code, at: number): boolean {
  const token = code.tokens[at];
  if (token?.type !== 'sign') return false;
  if (token.text === '[') return code.language === 'python';
  return (
    isDot(token.text, code.language) &&
    (code.language === 'ruby' ? nameAt(code, at + 1) !== undefined : isSign(code, at + 2, '('))
  );
}

/** A string's value: parts that the shell put in, and expressions in it, worked out where they can be. */
export function filled(code: Code, word: Word, depth = 0): Value {
  let value: Value = textValue([]);
  for (const part of word) {
    if (part.type === 'text')
      value = concatenated(value, textValue(fillPlaceholders(part.text, code.placeholders)));
    else {
      const found = part.type === 'unknown' ? interpolated(code, part.source, depth) : undefined;
      const isText = found?.type === 'text' || found?.type === 'any';
      value = concatenated(value, isText ? found : textValue([part]));
      spend(code, value);
    }
  }
  return value;
}

/** The value of an expression inside a string. */
function interpolated(code: Code, source: string, depth: number): Value | undefined {
  const expression = holeExpression(source, code.language);
  if (expression === undefined || depth > MAX_DEPTH || --code.work.left < 0) return undefined;
  const known = code.variables.get(expression);
  if (known !== undefined) return known;
  const tokens = tokenize(expression, code.language) ?? [];
  const inner: Code = { ...code, tokens, partners: bracketPartners(tokens) };
  return evaluateAt(inner, 0, depth + 1).value;
}

/** `[a, b]`, `(a, b)`, or an expression in parentheses. */
function group(code: Code, at: number, depth: number): Evaluated {
  const close = code.partners[at];
  if (close === undefined) return { value: UNKNOWN_VALUE, end: at + 1 };
  const { args, isComprehension } = argumentsAt(code, at, depth + 1);
  const isTuple = code.language === 'python' && isSign(code, close - 1, ',');
  const isList = isSign(code, at, '[') || args.length !== 1 || isTuple;
  const one = args[0] ?? UNKNOWN_VALUE;
  const value: Value = isComprehension ? listOf(one) : isList ? { type: 'list', items: args } : one;
  const isCalled =
    isDot(code.tokens[close + 1]?.text ?? '', code.language) ||
    (isSign(code, close + 1, '(') && code.language === 'php') ||
    (isSign(code, close + 1, '[') && code.language === 'python');
  return isCalled ? chainAt(code, close + 1, depth, value) : { value, end: close + 1 };
}

function object(code: Code, at: number, depth: number): Evaluated {
  const close = code.partners[at];
  if (close === undefined) return { value: UNKNOWN_VALUE, end: at + 1 };
  const { named } = argumentsAt(code, at, depth + 1);
  return { value: { type: 'object', entries: named }, end: close + 1 };
}

interface Values {
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  /** True for `f(x) for x in y` of Python. */
  readonly isComprehension: boolean;
}

/** The values between brackets; `name=value` and `name: value` are kept by name. */
function argumentsAt(code: Code, open: number, depth: number): Values {
  return valuesBetween(code, open + 1, code.partners[open] ?? code.tokens.length, depth);
}

/** Values separated by commas between two tokens. */
export function valuesBetween(code: Code, from: number, close: number, depth: number): Values {
  const args: Value[] = [];
  const named = new Map<string, Value>();
  let isComprehension = false;
  let at = from;
  while (at < close && args.length + named.size < MAX_ARGUMENTS) {
    const key = code.tokens[at];
    const sign = code.tokens[at + 1]?.text;
    const isNamed =
      key?.type !== 'sign' &&
      (sign === '=' || sign === ':' || sign === '=>') &&
      code.tokens[at + 1]?.type === 'sign' &&
      !(sign === '=>' && code.language === 'javascript');
    const spread = spreadSigns(code, at);
    const { value, end } = evaluateAt(code, at + (isNamed ? 2 : spread), depth);
    const isFlat = value.type === 'list' && (spread > 0 || code.language === 'perl');
    if (isNamed && key !== undefined) named.set(key.text, value);
    else if (isFlat) args.push(...value.items);
    else args.push(value);
    isComprehension ||= code.language === 'python' && nameAt(code, end) === 'for';
    at = afterComma(code, Math.min(end, close), close);
  }
  if (at < close) args.push(MORE);
  return { args, named, isComprehension };
}

/** How many signs say that a list goes in as its values: `*list`, `...list`. */
function spreadSigns(code: Code, at: number): number {
  if (isSign(code, at, '*') && !isSign(code, at + 1, '*')) return 1;
  return isSign(code, at, '..') && isSign(code, at + 1, '.') ? 2 : 0;
}

/** Calls that give a module or one of its members, and which of their arguments names it. */
const IMPORTERS: Readonly<Record<string, number>> = {
  require: 0,
  import: 0,
  __import__: 0,
  import_module: 0,
  method: 0,
  getattr: 1,
};
const ENVIRONMENTS = new Set(['env', 'environ', 'ENV', '$ENV', '$_ENV', '$_SERVER']);

/** A name with what follows while it is read. */
interface Chain {
  readonly code: Code;
  readonly depth: number;
  readonly found: CallListener | undefined;
  names: string[];
  value: Value | undefined;
  /** What stands before the last dot. */
  owner: Value | undefined;
  end: number;
  /** True while it is no call, so that what it names may be called. */
  isName: boolean;
}

/**
 * A name with what follows: `a.b(c)[d].e(f)`. `receiver`: the value it starts with, if it starts with a dot. Every call
 * on the way is given to `found`.
 */
export function chainAt(
  code: Code,
  at: number,
  depth: number,
  receiver: Value | undefined,
  found?: CallListener,
): Evaluated {
  const first = nameAt(code, at) ?? '';
  const chain: Chain = {
    code,
    depth,
    found,
    names: receiver === undefined ? [...(code.aliases.get(first) ?? [first])] : [],
    value: receiver ?? variable(code, at, first),
    owner: undefined,
    end: receiver === undefined ? at + 1 : at,
    isName: receiver === undefined,
  };
  nameFunction(chain);
  for (let step = 0; step < MAX_STEPS; step++) {
    if (!(member(chain) || called(chain) || indexed(chain) || tagged(chain) || block(chain))) break;
  }
  const { names, isName, end, owner } = chain;
  const unknown: Value = isName ? { type: 'function', names, method: false } : UNKNOWN_VALUE;
  return { value: chain.value ?? unknown, end, owner };
}

function variable(code: Code, at: number, name: string): Value | undefined {
  // `$a[0]` is one of `@a`.
  const isElement = code.language === 'perl' && name.startsWith('$') && isSign(code, at + 1, '[');
  return code.variables.get(isElement ? `@${name.slice(1)}` : name);
}

/** A variable that holds a function, or its name (PHP), stands for it. */
function nameFunction(chain: Chain): void {
  const { code, value, end } = chain;
  if (value?.type === 'function') {
    chain.names = [...value.names];
    chain.value = undefined;
  }
  const isNamed = code.language === 'php' && isSign(code, end, '(') && value?.type === 'text';
  if (isNamed) {
    chain.names = [knownText(value.word) ?? ''];
    chain.value = undefined;
  }
}

function member(chain: Chain): boolean {
  const { code, end, names } = chain;
  const name = nameAt(code, end + 1);
  const sign = code.tokens[end];
  if (sign?.type !== 'sign' || !isDot(sign.text, code.language) || name === undefined) return false;
  names.push(name);
  chain.owner = chain.value;
  chain.end += 2;
  if (isSign(code, chain.end, '(')) return true;
  const qualified = code.variables.get(`${names.at(-2)}.${name}`);
  if (qualified !== undefined) chain.value = qualified;
  else if (ENVIRONMENTS.has(names.at(-2) ?? '')) chain.value = textValue(outsideVariable(name));
  else if (code.language === 'ruby' && chain.value !== undefined)
    chain.value = resultOf({ names, args: [], named: new Map(), receiver: chain.value }, 'ruby');
  else if (code.language === 'ruby' && (name === 'home' || name === 'pwd' || name === 'tmpdir'))
    chain.value = resultOf({ names, args: [], named: new Map(), receiver: undefined }, 'ruby');
  else if (name === 'parent') chain.value = UNKNOWN_VALUE;
  else if (name !== 'path' && name !== 'name') chain.value = undefined;
  else if (name === 'name' && chain.value?.type === 'text')
    chain.value = textValue(chain.value.word.slice(-1));
  return true;
}

function called(chain: Chain): boolean {
  const { code, end: open, depth, names } = chain;
  const close = code.partners[open];
  if (!isSign(code, open, '(') || close === undefined || depth > MAX_DEPTH) return false;
  const mapped = setCallback(chain, open);
  const { args, named } = argumentsAt(code, open, depth + 1);
  const receiver = chain.value;
  const call: FoundCall = { names: [...names], args, named, receiver };
  chain.end = close + 1;
  chain.found?.(call, chain.end);
  const last = names.at(-1) ?? '';
  const importer = Object.hasOwn(IMPORTERS, last) ? IMPORTERS[last] : undefined;
  const module = importer === undefined ? undefined : knownText(wordOf(args[importer]));
  if (module !== undefined) {
    chain.names = [...names, module];
    chain.value = undefined;
  } else {
    chain.isName = false;
    const isMethod = names.length > 1 || receiver !== undefined;
    chain.value =
      mapped === undefined
        ? resultOf({ ...call, receiver: isMethod ? receiver : undefined }, code.language)
        : listOf(evaluateAt(code, mapped, depth + 1).value);
    spend(code, chain.value);
  }
  return true;
}

/** Calls of Ruby behind which a bracket starts a list. */
const TAKES_LIST = new Set('eval system exec spawn puts p print rm_rf rm_r rm_f rm delete unlink'.split(' '));

function indexed(chain: Chain): boolean {
  const { code, end: open, depth, names } = chain;
  const last = names.at(-1) ?? '';
  const close = code.partners[open];
  if (code.language === 'ruby' && TAKES_LIST.has(last)) return false;
  if (close === undefined || !isSign(code, open, last === '$ENV' ? '{' : '[')) return false;
  chain.end = close + 1;
  const slice = code.tokens
    .slice(open + 1, Math.min(close, open + 8))
    .map(({ text }) => text)
    .join('');
  if (slice === '::-1') {
    chain.value = changedText('reverse', chain.value);
    return true;
  }
  const part = code.language === 'python' ? /^([0-9]*):([0-9]*)$/.exec(slice) : null;
  if (part !== null && chain.value?.type === 'list') {
    const [, from, to] = part;
    chain.value = listValue(chain.value.items.slice(Number(from), to === '' ? undefined : Number(to)));
    return true;
  }
  if (last === 'Dir' && code.language === 'ruby') {
    chain.value = fitting(argumentsAt(code, open, depth + 1).args, 'ruby');
    chain.isName = false;
    return true;
  }
  const index =
    knownText(wordOf(evaluateAt(code, open + 1, depth + 1).value)) ??
    (last === '$ENV' ? code.tokens[open + 1]?.text : undefined);
  const isEnvironment = index !== undefined && ENVIRONMENTS.has(last);
  chain.value = isEnvironment ? textValue(outsideVariable(index)) : itemOf(chain.value, index);
  if (index === undefined) chain.isName = false;
  else chain.names = [...names, index];
  return true;
}

function itemOf(value: Value | undefined, index: string | undefined): Value | undefined {
  if (index === undefined)
    return value?.type === 'text' && !hasGlob(value.word) ? UNKNOWN_VALUE : elementOf(value);
  if (value?.type === 'object') return value.entries.get(index) ?? UNKNOWN_VALUE;
  if (value?.type === 'list') return value.items.at(Number(index)) ?? UNKNOWN_VALUE;
  // One of the paths that fit a pattern.
  if (value?.type === 'text' && hasGlob(value.word)) return value;
  return value === undefined && !/^[0-9]+$/.test(index) ? undefined : UNKNOWN_VALUE;
}

function hasGlob(word: Word): boolean {
  return word.some(({ type }) => type === 'glob');
}

/** `` $`ls` `` */
function tagged(chain: Chain): boolean {
  const { code, end, names } = chain;
  if (code.language !== 'javascript' || code.tokens[end]?.type !== 'string' || names.at(-1) !== '$')
    return false;
  const script = filled(code, plainWord(code, end));
  chain.end++;
  chain.found?.({ names, args: [script], named: new Map(), receiver: undefined }, chain.end);
  chain.value = UNKNOWN_VALUE;
  return true;
}

/** `.each { |f| … }`, `.each do |f| … end` */
function block(chain: Chain): boolean {
  const { code, end } = chain;
  const isBlock =
    code.language === 'ruby' &&
    (isSign(code, end, '{') || nameAt(code, end) === 'do') &&
    isSign(code, end + 1, '|');
  if (!isBlock) return false;
  setParameters(code, end + 2, elementOf(chain.value));
  const close = code.partners[end];
  if (close === undefined) return false;
  let body = end + 2;
  while (body < close && !isSign(code, body, '|')) body++;
  if (/^(?:flat_)?map$/.test(chain.names.at(-1) ?? ''))
    chain.value = listOf(evaluateAt(code, body + 1, chain.depth + 1).value);
  chain.end = close + 1;
  return true;
}
