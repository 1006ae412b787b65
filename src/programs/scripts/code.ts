import type { Word, WordPart } from '../../reading/word.ts';
import type { Language } from './language.ts';
import type { Token } from './tokens.ts';
import type { Value } from './values.ts';

/** Code while it is read. */
export interface Code {
  readonly language: Language;
  readonly tokens: readonly Token[];
  /** For each opening bracket the index of its partner, for others undefined. */
  readonly partners: readonly (number | undefined)[];
  /** For each token whether it stands in parentheses; in Python, in any brackets. */
  readonly enclosed: readonly boolean[];
  /** For each token how many blocks it stands in; in Python, how far its line is indented. */
  readonly depths: readonly number[];
  readonly placeholders: readonly WordPart[];
  /** Variables with values that are known in part. */
  readonly variables: Map<string, Value>;
  /** The same where they stand for nothing else in between, as parameters of a function do. */
  readonly outer: Map<string, Value>;
  /** In how many blocks the variables were set. */
  readonly setAt: Map<string, number>;
  /** Names that stand for others: `import os as o`, `run = subprocess.run`. */
  readonly aliases: Map<string, readonly string[]>;
  readonly helpers: Map<string, Helper>;
  /** Where functions start whose parameters are known by what they are given to, and their values. */
  readonly bound: Map<number, ReadonlyMap<string, Value>>;
  /** How many expressions may still be worked out, each value of one that is one of several for itself. */
  readonly work: { left: number };
}

/** A function that code defines, of which each call can be seen. */
export interface Helper {
  readonly parameters: readonly string[];
  /** What it is called with, one after the other. */
  readonly calls: (readonly Value[])[];
}

const MAX_WORK = 100_000;

/** A value and the index of the token after it. */
export interface Evaluated {
  readonly value: Value;
  readonly end: number;
  /** What stands before its last dot. */
  readonly owner?: Value | undefined;
}

/** A call, with the parts of its name. */
export interface FoundCall {
  readonly names: readonly string[];
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly receiver: Value | undefined;
}

/** Given every call on the way. */
export type CallListener = (call: FoundCall) => void;

export function newCode(
  language: Language,
  tokens: readonly Token[],
  placeholders: readonly WordPart[],
): Code {
  return {
    language,
    tokens,
    ...brackets(tokens, language),
    placeholders,
    variables: new Map(),
    outer: new Map(),
    setAt: new Map(),
    aliases: new Map(),
    helpers: new Map(),
    bound: new Map(),
    work: { left: MAX_WORK },
  };
}

/** Code that stands within other code, and shares what is known of its names. */
export function innerCode(code: Code, tokens: readonly Token[]): Code {
  return { ...code, tokens, ...brackets(tokens, code.language), bound: new Map() };
}

const OPENERS = new Set(['(', '[', '{']);
const DOTS = new Set(['.', '->', '::', '?.']);

/** Stands between an object and its method. */
export function isDot(code: Code, at: number): boolean {
  const { type, text } = code.tokens[at] ?? { type: 'name', text: '' };
  // Perl and PHP put texts together with it.
  if (text === '.' && (code.language === 'perl' || code.language === 'php')) return false;
  return type === 'sign' && (DOTS.has(text) || (text === ':' && code.language === 'lua'));
}

function brackets(
  tokens: readonly Token[],
  language: Language,
): Pick<Code, 'partners' | 'enclosed' | 'depths'> {
  const partners: (number | undefined)[] = new Array(tokens.length).fill(undefined);
  const open: number[] = [];
  const depths: number[] = [];
  let blocks = 0;
  const enclosed = tokens.map(({ type, text, indent = 0 }, index) => {
    if (type === 'sign' && (text === '{' || text === '}')) blocks += text === '{' ? 1 : -1;
    depths.push(language === 'python' ? indent : blocks);
    const isEnclosed = open.length > 0 && (language === 'python' || tokens[open.at(-1) ?? -1]?.text === '(');
    if (type === 'sign' && OPENERS.has(text)) open.push(index);
    else if (type === 'sign' && /^[)\]}]$/.test(text)) {
      const start = open.pop();
      if (start !== undefined) partners[start] = index;
    }
    return isEnclosed;
  });
  return { partners, enclosed, depths };
}

/** The index after the next comma, brackets skipped. */
export function afterComma(code: Code, from: number, close: number): number {
  for (let at = from; at < close; at = (code.partners[at] ?? at) + 1)
    if (isSign(code, at, ',')) return at + 1;
  return close;
}

/** How many tokens of a statement without parentheses are looked at. */
const MAX_STATEMENT = 32;
const ENDS = new Set([';', '}', ')', ']', '||', '&&']);
const MODIFIERS = new Set(['or', 'and', 'if', 'unless', 'do', 'for', 'foreach', 'while', 'until']);

/** Where a statement without parentheses ends, brackets skipped. */
export function statementEnd({ tokens, partners }: Code, from: number): number {
  for (let at = from, seen = 0; at < tokens.length && seen < MAX_STATEMENT; at++, seen++) {
    const { type, text } = tokens[at] ?? { type: 'sign', text: ';' };
    if (type === 'sign' && ENDS.has(text)) return at;
    if (type === 'name' && MODIFIERS.has(text)) return at;
    at = partners[at] ?? at;
  }
  return Math.min(tokens.length, from + MAX_STATEMENT);
}

/** A sign of the code, not a text that looks like one. */
export function isSign(code: Code, at: number, text: string): boolean {
  const token = code.tokens[at];
  return token?.type === 'sign' && token.text === text;
}

/** The name that stands there, if one does. */
export function nameAt(code: Code, at: number): string | undefined {
  const token = code.tokens[at];
  return token?.type === 'name' ? token.text : undefined;
}

/** Text that the code holds at a token, without what is put into it. */
export function plainWord(code: Code, at: number): Word {
  return code.tokens[at]?.word ?? [];
}
