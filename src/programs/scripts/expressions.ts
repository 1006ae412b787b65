import { fillPlaceholders } from '../../reading/placeholders.ts';
import { knownChars, knownText, outsideVariable, type Word } from '../../reading/word.ts';
import {
  afterComma,
  type CallListener,
  type Code,
  type Evaluated,
  type FoundCall,
  innerCode,
  isDot,
  isSign,
  nameAt,
  plainWord,
  statementEnd,
} from './code.ts';
import {
  type Chain,
  goesOn,
  isFollowed,
  nameFunction,
  otherAt,
  spreadSigns,
  symbolAt,
} from './expression-parts.ts';
import { holeExpression } from './interpolation.ts';
import { SYNTAX } from './language.ts';
import { blockAt, functionAt, setNames, type WrittenFunction } from './parameters.ts';
import { fitting, resultOf } from './results.ts';
import { type CodeRow, callRow } from './rows.ts';
import { percent } from './text-calls.ts';
import { tokenize } from './tokens.ts';
import {
  concatenated,
  ENVIRONMENTS,
  eitherOf,
  elementOf,
  itemOf,
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
  'await async new my our local const let var return print puts echo yield \\ & @ *'.split(' '),
);

/** The value of the expression that starts at a token. */
export function evaluateAt(code: Code, at: number, depth = 0): Evaluated {
  if (depth > MAX_DEPTH || --code.work.left < 0) return { value: UNKNOWN_VALUE, end: at + 1 };
  let { value, end } = primary(code, at, depth);
  spend(code, value);
  for (let step = 0; step < MAX_STEPS; step++) {
    const { type, text: operator } = code.tokens[end] ?? { type: 'name', text: '' };
    if (type !== 'sign' || !SYNTAX[code.language].operators.split(' ').includes(operator)) break;
    const right = primary(code, end + 1, depth);
    if (operator === '/') value = joinedPath([value, right.value]);
    else if (operator === '%') value = percent(value, right.value);
    else if (operator === '*') value = UNKNOWN_VALUE;
    else value = concatenated(value, right.value);
    spend(code, value);
    end = right.end;
  }
  return orOther(code, { value, end }, depth);
}

/** `a or b`, `a if c else b`, `a || b`, `a ?? b`, `c ? a : b`: one of two. */
function orOther(code: Code, { value, end }: Evaluated, depth: number): Evaluated {
  const start = otherAt(code, end, value);
  if (start !== undefined) {
    const other = evaluateAt(code, start, depth + 1);
    return { value: eitherOf(value, other.value), end: other.end };
  }
  if (!isSign(code, end, '?')) return { value: goesOn(code, end) ? UNKNOWN_VALUE : value, end };
  const yes = evaluateAt(code, end + 1, depth + 1);
  if (!isSign(code, yes.end, ':')) return { value: UNKNOWN_VALUE, end: yes.end };
  const no = evaluateAt(code, yes.end + 1, depth + 1);
  return { value: eitherOf(yes.value, no.value), end: no.end };
}

function spend({ work }: Code, value: Value): void {
  const chars = value.type === 'text' ? knownChars(value.word) >> 8 : 0;
  work.left -= value.type === 'any' ? value.values.length : 1 + chars;
}

function primary(code: Code, at: number, depth: number): Evaluated {
  const token = code.tokens[at];
  const text = token?.text ?? '';
  if (token?.type === 'string') return strings(code, at, depth);
  const written = functionAt(code, at);
  if (written !== undefined)
    return { value: UNKNOWN_VALUE, end: written.body ?? (code.partners[at] ?? at) + 1 };
  if (token?.type === 'number') return { value: textValue(token.word), end: at + 1 };
  if (token?.type === 'name') {
    const isPrefix = code.language === 'python' && /^[rbuf]{1,2}$/i.test(text);
    if (isPrefix && code.tokens[at + 1]?.type === 'string') return strings(code, at + 1, depth);
    if (SKIPPED.has(text)) return evaluateAt(code, at + 1, depth + 1);
    return bareResult(code, at, depth) ?? chainAt(code, at, depth, undefined);
  }
  if (token?.type !== 'sign') return { value: UNKNOWN_VALUE, end: at + 1 };
  if (text === '[' || text === '(') return group(code, at, depth);
  if (text === '{') {
    const close = code.partners[at];
    if (close === undefined) return { value: UNKNOWN_VALUE, end: at + 1 };
    const { named } = valuesBetween(code, at + 1, close, depth + 1);
    return { value: { type: 'object', entries: named }, end: close + 1 };
  }
  const symbol = symbolAt(code, at);
  if (symbol !== undefined) return symbol;
  return SKIPPED.has(text) ? evaluateAt(code, at + 1, depth + 1) : { value: UNKNOWN_VALUE, end: at + 1 };
}

/** Calls of Perl without parentheses whose value matters: `glob "*.c"`, `map { "/etc/$_" } @names`. */
function bareResult(code: Code, at: number, depth: number): Evaluated | undefined {
  const name = nameAt(code, at) ?? '';
  if (code.language !== 'perl' || isSign(code, at + 1, '(') || depth > MAX_DEPTH) return undefined;
  const block = isSign(code, at + 1, '{') ? code.partners[at + 1] : undefined;
  if ((name === 'map' || name === 'grep') && block !== undefined) {
    const end = statementEnd(code, block + 1);
    const list: Value = { type: 'list', items: valuesBetween(code, block + 1, end, depth + 1).args };
    if (name === 'grep') return { value: list, end };
    code.variables.set('$_', elementOf(list));
    return { value: listOf(evaluateAt(code, at + 2, depth + 1).value), end };
  }
  const next = code.tokens[at + 1];
  const row = next?.type === 'string' || next?.type === 'name' ? callRow('perl', [name]) : undefined;
  if (row?.gives === undefined) return undefined;
  const end = statementEnd(code, at + 1);
  const { args, named } = valuesBetween(code, at + 1, end, depth + 1);
  return { value: resultOf(row, { names: [name], args, named, receiver: undefined }, 'perl'), end };
}

/** A string, those that stand next to it (Python), and what is called on it. */
function strings(code: Code, at: number, depth: number): Evaluated {
  let end = at;
  let value: Value = textValue([]);
  do value = concatenated(value, filled(code, plainWord(code, end++), depth));
  while (code.language === 'python' && code.tokens[end]?.type === 'string');
  return isFollowed(code, end) ? chainAt(code, end, depth, value) : { value, end };
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
  return evaluateAt(innerCode(code, tokenize(expression, code.language) ?? []), 0, depth + 1).value;
}

/** `[a, b]`, `(a, b)`, or an expression in parentheses. */
function group(code: Code, at: number, depth: number): Evaluated {
  const close = code.partners[at];
  if (close === undefined) return { value: UNKNOWN_VALUE, end: at + 1 };
  const value = groupValue(code, at, close, depth);
  return isFollowed(code, close + 1) ? chainAt(code, close + 1, depth, value) : { value, end: close + 1 };
}

/** The value between two brackets. */
export function groupValue(code: Code, open: number, close: number, depth: number): Value {
  const { args, isComprehension } = valuesBetween(code, open + 1, close, depth + 1);
  const isTuple = code.language === 'python' && isSign(code, close - 1, ',');
  const [one = UNKNOWN_VALUE] = args;
  if (isComprehension) return listOf(one);
  // `(a, b)` of JavaScript is b.
  if (code.language === 'javascript' && isSign(code, open, '(')) return args.at(-1) ?? UNKNOWN_VALUE;
  return isSign(code, open, '[') || args.length !== 1 || isTuple ? { type: 'list', items: args } : one;
}

interface Values {
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  /** True for `f(x) for x in y` of Python. */
  readonly isComprehension: boolean;
}

/** Values separated by commas between two tokens; `name=value` and `name: value` are kept by name. */
export function valuesBetween(code: Code, from: number, close: number, depth: number): Values {
  const args: Value[] = [];
  const named = new Map<string, Value>();
  let isComprehension = false;
  let at = from;
  while (at < close && args.length + named.size < MAX_ARGUMENTS) {
    const key = code.tokens[at];
    const { type, text: sign } = code.tokens[at + 1] ?? { type: 'name', text: '' };
    const isArrow = sign === '=>' && code.language !== 'javascript';
    const isNamed = key?.type !== 'sign' && type === 'sign' && (sign === '=' || sign === ':' || isArrow);
    const spread = spreadSigns(code, at);
    const { value, end } = evaluateAt(code, at + (isNamed ? 2 : spread), depth);
    if (isNamed && key !== undefined) named.set(key.text, value);
    else if (value.type === 'list' && (spread > 0 || code.language === 'perl')) args.push(...value.items);
    else args.push(value);
    isComprehension ||= code.language === 'python' && nameAt(code, end) === 'for';
    at = afterComma(code, Math.min(end, close), close);
  }
  if (at < close) args.push(MORE);
  return { args, named, isComprehension };
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
  // `$a[0]` of Perl is one of `@a`.
  const isElement = code.language === 'perl' && first.startsWith('$') && isSign(code, at + 1, '[');
  const isNamed = receiver === undefined;
  const chain: Chain = {
    code,
    depth,
    found,
    names: isNamed ? (code.aliases.get(first) ?? [first]) : [],
    value: receiver ?? code.variables.get(isElement ? `@${first.slice(1)}` : first),
    owner: undefined,
    end: isNamed ? at + 1 : at,
    isName: isNamed,
  };
  nameFunction(chain);
  for (let step = 0; step < MAX_STEPS; step++)
    if (!(member(chain) || called(chain) || indexed(chain) || tagged(chain) || block(chain))) break;
  const { names, isName, end, owner } = chain;
  return {
    value: chain.value ?? (isName ? { type: 'function', names, method: false } : UNKNOWN_VALUE),
    end,
    owner,
  };
}

function member(chain: Chain): boolean {
  const { code, end, value } = chain;
  const name = nameAt(code, end + 1);
  if (!isDot(code, end) || name === undefined) return false;
  const owner = chain.names.at(-1) ?? '';
  chain.names = [...chain.names, name];
  chain.owner = value;
  chain.end += 2;
  if (isSign(code, chain.end, '(')) return true;
  const row = code.language === 'ruby' ? callRow('ruby', chain.names) : undefined;
  const qualified = code.variables.get(`${owner}.${name}`);
  if (qualified !== undefined) chain.value = qualified;
  else if (ENVIRONMENTS.has(owner)) chain.value = textValue(outsideVariable(name));
  // A call without parentheses. What is left alone is a module, or a value that nobody has seen.
  else if (row?.gives !== undefined && (value !== undefined || /^(?:home|pwd|tmpdir)$/.test(name)))
    chain.value = resultOf(row, { names: chain.names, args: [], named: new Map(), receiver: value }, 'ruby');
  else if (code.language === 'ruby' && value !== undefined) chain.value = UNKNOWN_VALUE;
  // Of what a folder holds: `entry.path`, `entry.name`.
  else if (name === 'parent') chain.value = UNKNOWN_VALUE;
  else if (name === 'name' && value?.type === 'text') chain.value = textValue(value.word.slice(-1));
  else if (name !== 'path' && name !== 'name') chain.value = value === undefined ? undefined : UNKNOWN_VALUE;
  return true;
}

function called(chain: Chain): boolean {
  const { code, end: open, depth, names, value: receiver } = chain;
  const close = code.partners[open];
  if (!isSign(code, open, '(') || close === undefined || depth > MAX_DEPTH) return false;
  const row = callRow(code.language, names);
  const { args, named } = valuesBetween(code, open + 1, close, depth + 1);
  const call: FoundCall = { names, args, named, receiver };
  const written = row === undefined ? undefined : setParameters(chain, row, call, open, close);
  chain.end = close + 1;
  chain.found?.(call);
  const module = row?.names === undefined ? undefined : knownText(wordOf(args[row.names - 1]));
  if (module !== undefined) {
    chain.names = [...names, module];
    chain.value = undefined;
    return true;
  }
  chain.isName = false;
  if (row?.gives === 'mapped' && written?.body !== undefined) chain.value = mapped(chain, written.body);
  else chain.value = row === undefined ? UNKNOWN_VALUE : resultOf(row, call, code.language);
  spend(code, chain.value);
  return true;
}

/** A list of what a function gives for each item of another. */
function mapped({ code, depth, value: list }: Chain, body: number): Value {
  const { value } = evaluateAt(code, body, depth + 1);
  const count = value.type === 'any' ? value.values.length : 1;
  // With values that are one of several it cannot be told which belongs to which item.
  if (list?.type === 'list' && list.items.length !== count) return UNKNOWN_VALUE;
  return listOf(value);
}

/** Sets the parameters of a function that is written among the arguments: `list.forEach(f => …)`. */
function setParameters(
  { code }: Chain,
  row: CodeRow,
  { names, args, receiver }: FoundCall,
  open: number,
  close: number,
): WrittenFunction | undefined {
  const { calls, each, given, gives } = row;
  let at = open + 1;
  for (let index = 1; index < (typeof calls === 'number' ? calls : args.length); index++)
    at = afterComma(code, at, close);
  const written = functionAt(code, at);
  if (written === undefined) return undefined;
  const own: Value = receiver ?? { type: 'function', names: names.slice(0, -1), method: false };
  // `readdir(path, (error, names) => …)`
  const [, second] = written.parameters;
  if (calls === undefined && gives !== undefined && second !== undefined)
    code.variables.set(second, resultOf(row, { names, args, named: new Map(), receiver }, code.language));
  // `({ exec }) => …`: its names stand for themselves.
  if (given === 0 && !isSign(code, at + 1, '{')) setNames(code, written.parameters.slice(0, 1), own);
  const list = each === 0 ? own : args[(each ?? 0) - 1];
  if (each !== undefined) setNames(code, written.parameters.slice(0, 1), elementOf(list));
  const known = written.parameters.map((name) => [name, code.variables.get(name) ?? UNKNOWN_VALUE] as const);
  code.bound.set(at, new Map(known));
  return written;
}

function indexed(chain: Chain): boolean {
  const { code, end: open, depth, names, value } = chain;
  const last = names.at(-1) ?? '';
  const close = code.partners[open];
  if (close === undefined || !isSign(code, open, last === '$ENV' ? '{' : '[')) return false;
  // A call without parentheses that is given a list.
  if (code.language === 'ruby' && chain.isName && callRow('ruby', names) !== undefined) return false;
  chain.end = close + 1;
  if (last === 'Dir' && code.language === 'ruby') {
    chain.value = fitting(valuesBetween(code, open + 1, close, depth + 1).args, 'ruby');
    chain.isName = false;
    return true;
  }
  const inside = code.tokens.slice(open + 1, Math.min(close, open + 5)).map(({ text }) => text);
  if (code.language === 'python' && inside.some((text) => text === ':' || text === '::')) {
    const from = /^([0-9]*):$/.exec(inside.join(''))?.[1];
    chain.value =
      from !== undefined && value?.type === 'list'
        ? listValue(value.items.slice(Number(from)))
        : UNKNOWN_VALUE;
    return true;
  }
  const index =
    knownText(wordOf(evaluateAt(code, open + 1, depth + 1).value)) ??
    (last === '$ENV' ? inside[0] : undefined);
  const isEnvironment = index !== undefined && ENVIRONMENTS.has(last);
  chain.value = isEnvironment ? textValue(outsideVariable(index)) : itemOf(value, index);
  if (index === undefined) chain.isName = false;
  else chain.names = [...names, index];
  return true;
}

/** `` $`ls` `` */
function tagged(chain: Chain): boolean {
  const { code, end, names } = chain;
  const isTag = code.language === 'javascript' && code.tokens[end]?.type === 'string' && names.at(-1) === '$';
  if (!isTag) return false;
  const script = filled(code, plainWord(code, end));
  chain.end++;
  chain.found?.({ names, args: [script], named: new Map(), receiver: undefined });
  chain.value = UNKNOWN_VALUE;
  return true;
}

/** `.each { |f| … }`, `.each do |f| … end` */
function block(chain: Chain): boolean {
  const { code, end, names, value } = chain;
  const opens = isSign(code, end, '{') || nameAt(code, end) === 'do';
  if (code.language !== 'ruby' || !opens || !isSign(code, end + 1, '|')) return false;
  const { parameters, body } = blockAt(code, end + 1);
  setNames(code, parameters, elementOf(value));
  const close = code.partners[end];
  if (close === undefined) return false;
  if (callRow('ruby', names)?.gives === 'mapped' && body !== undefined) chain.value = mapped(chain, body);
  chain.end = close + 1;
  return true;
}
