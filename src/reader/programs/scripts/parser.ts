import { noteAliases } from './aliases.ts';
import { callRow, type Language, type Syntax, syntaxOf } from './rows.ts';
import { type Token, tokenize } from './tokens.ts';
import { type Aliases, type Node, namesOf } from './tree.ts';

/** Code, and how far it has been read. */
export interface Parser {
  readonly language: Language;
  readonly syntax: Syntax;
  readonly tokens: readonly Token[];
  readonly partners: ReadonlyMap<number, number>;
  readonly aliases: Aliases;
  at: number;
  /** The end of the brackets around it. */
  end: number;
  /** The brackets around it; empty outside of all. */
  bracket: string;
  depth: number;
  /** True once brackets are nested deeper than is followed. */
  isTooDeep: boolean;
  /** Reads a statement: there are some in blocks, and so in expressions. */
  readonly readStatement: (p: Parser) => Node;
}

/** Undefined if it is too long. */
export function newParser(
  code: string,
  language: Language,
  aliases: Aliases,
  depth: number,
  readStatement: Parser['readStatement'],
): Parser | undefined {
  const tokens = tokenize(code, language);
  if (tokens === undefined) return undefined;
  noteAliases(tokens, language, aliases);
  const partners = partnersOf(tokens);
  const state = { at: 0, end: tokens.length, bracket: '', depth, isTooDeep: false };
  return { language, syntax: syntaxOf(language), tokens, partners, aliases, readStatement, ...state };
}

function partnersOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach(({ type, text }, index) => {
    if (type !== 'sign') return;
    if (/^[([{]$/.test(text)) open.push(index);
    const start = /^[)\]}]$/.test(text) ? open.pop() : undefined;
    if (start !== undefined) partners.set(start, index);
  });
  return partners;
}

/** The token there, if it is within the same brackets. */
export function tokenAt(p: Parser, at = p.at): Token | undefined {
  return at < p.end ? p.tokens[at] : undefined;
}

/** A sign of the code, not a text that looks like one. */
export function isSign(p: Parser, text: string, at = p.at): boolean {
  const token = tokenAt(p, at);
  return token?.type === 'sign' && token.text === text;
}

/** The name that is there, if one does. */
export function nameAt(p: Parser, at = p.at): string | undefined {
  const token = tokenAt(p, at);
  return token?.type === 'name' ? token.text : undefined;
}

/** Goes on behind a sign or name, if it is there. */
export function takes(p: Parser, text: string): boolean {
  const isThere = tokenAt(p)?.text === text && tokenAt(p)?.type !== 'string';
  if (isThere) p.at++;
  return isThere;
}

/** True among statements, and false in a list. */
export function isBlock({ bracket, language }: Parser): boolean {
  return bracket === '' || (bracket === '{' && language !== 'python');
}

/** True if a statement ends before the next token. */
export function isEnd(p: Parser): boolean {
  const token = tokenAt(p);
  if (token === undefined || isSign(p, ';')) return true;
  // `.each` at the start of a line goes on with the one before.
  const isLine = token.first === true && isBlock(p) && p.syntax.lines === true;
  return isLine && !(p.language === 'ruby' && /^&?\.$/.test(token.text));
}

/** Reads the text between brackets, or up to some other end; goes on behind it. */
export function readBetween<T>(p: Parser, end: number, bracket: string, read: () => T): T {
  const before = { end: p.end, bracket: p.bracket };
  Object.assign(p, { end, bracket });
  const found = read();
  Object.assign(p, { ...before, at: end });
  return found;
}

/** How deep brackets and statements are in each other at most. */
const MAX_DEPTH = 300;

/** Reads a part that may have others like it in it. */
export function nested(p: Parser, read: (p: Parser) => Node): Node {
  if (++p.depth > MAX_DEPTH) {
    p.isTooDeep = true;
    p.at = p.end;
  }
  const node = read(p);
  p.depth--;
  return node;
}

/** True if a call of this has a row. */
export function isKnown(p: Parser, callee: Node): boolean {
  return callRow(p.language, namesOf(callee, p.aliases)) !== undefined;
}

const DOTS = new Set(['.', '->', '::', '?.', '&.']);

/** Stands between an object and its method. */
export function isDot(p: Parser, at = p.at): boolean {
  // Perl and PHP put texts together with it.
  if (isSign(p, '.', at) && (p.language === 'perl' || p.language === 'php')) return false;
  const { type, text } = tokenAt(p, at) ?? { type: 'name', text: '' };
  return type === 'sign' && (DOTS.has(text) || (text === ':' && p.language === 'lua'));
}
