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
  readonly placeholders: readonly WordPart[];
  /** Variables with values that are known in part. */
  readonly variables: Map<string, Value>;
  /** Names that stand for others: `import os as o`, `run = subprocess.run`. */
  readonly aliases: Map<string, readonly string[]>;
  /** The functions that it defines itself, of which each call can be seen. */
  readonly helpers: Map<string, Helper>;
  /** How many expressions may still be worked out, each value of one that is one of several for itself. */
  readonly work: { left: number };
}

/**
 * A function of the code's own, such as `def sh(cmd): return subprocess.run(cmd, shell=True)`. Its parameters have the
 * values that it is called with, as the variable of a loop has those of a list; but only if each call can be seen. What
 * a function gives back is not followed.
 */
export interface Helper {
  readonly parameters: readonly Parameter[];
  /** The index of the bracket before its parameters. */
  readonly open: number;
  /** What it is called with, one after the other. */
  readonly calls: (readonly Value[])[];
}

/** One of the parameters of a helper. */
export interface Parameter {
  readonly name: string;
  /** True if it takes all values that are left. */
  readonly isRest: boolean;
  /** Where the value starts that it has if none is given. */
  readonly fallback: number | undefined;
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
    partners: bracketPartners(tokens),
    placeholders,
    variables: new Map(),
    aliases: new Map(),
    helpers: new Map(),
    work: { left: MAX_WORK },
  };
}

/** Code that stands within other code, and shares what is known of its names. */
export function innerCode(code: Code, tokens: readonly Token[]): Code {
  return { ...code, tokens, partners: bracketPartners(tokens) };
}

const OPENERS = new Set(['(', '[', '{']);
const DOTS = new Set(['.', '->', '::', '?.']);

/** Stands between an object and its method. */
export function isDot(code: Code, at: number): boolean {
  const { type, text } = code.tokens[at] ?? { type: 'name', text: '' };
  return type === 'sign' && (DOTS.has(text) || (text === ':' && code.language === 'lua'));
}

function bracketPartners(tokens: readonly Token[]): readonly (number | undefined)[] {
  const partners: (number | undefined)[] = new Array(tokens.length).fill(undefined);
  const open: number[] = [];
  tokens.forEach(({ type, text }, index) => {
    if (type !== 'sign') return;
    if (OPENERS.has(text)) open.push(index);
    else if (text === ')' || text === ']' || text === '}') {
      const start = open.pop();
      if (start !== undefined) partners[start] = index;
    }
  });
  return partners;
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
