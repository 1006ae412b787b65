import type { ImportSource } from './imported.ts';
import { checkDepth, unreadable } from './places.ts';

export type Literal = string | number | boolean | null | readonly Literal[];

/** A call at the top of a file. */
export interface StarlarkCall {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly named: ReadonlyMap<string, { readonly value: Literal | undefined; readonly offset: number }>;
  /** How many arguments have no name. */
  readonly unnamed: number;
}

export interface StarlarkFile {
  readonly calls: readonly StarlarkCall[];
  /** Statements that are neither a call nor a value with a name. */
  readonly others: readonly { readonly offset: number; readonly text: string }[];
}

interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'mark' | 'end';
  readonly text: string;
  readonly offset: number;
}

const TOKEN =
  /(?<space>[ \t\r\n]+|#[^\n]*|\\\r?\n)|(?<string>[rR]?(?:"""(?:\\[\s\S]|(?!""")[\s\S])*"""|'''(?:\\[\s\S]|(?!''')[\s\S])*'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|(?<name>[A-Za-z_]\w*)|(?<number>\d+)|(?<mark>[^\s])/y;

/**
 * Reads the calls of a file whose arguments are written out: strings, lists, sums of them, and names of these.
 *
 * @throws UnreadableImport if it is not made of statements
 */
export function readStarlark(source: ImportSource): StarlarkFile {
  checkDepth(source, '"\'', '#');
  return new Reader(source).read();
}

class Reader {
  readonly #source: ImportSource;
  readonly #tokens: readonly Token[];
  readonly #values = new Map<string, Literal | undefined>();
  #at = 0;

  constructor(source: ImportSource) {
    this.#source = source;
    this.#tokens = tokensOf(source);
  }

  read(): StarlarkFile {
    const calls: StarlarkCall[] = [];
    const others: { offset: number; text: string }[] = [];
    while (this.#peek().kind !== 'end') {
      const token = this.#next();
      const after = this.#peek();
      if (token.kind === 'name' && after.text === '(') calls.push(this.#call(token));
      else if (token.kind === 'name' && after.text === '=') {
        this.#next();
        this.#values.set(token.text, this.#value());
      } else {
        others.push({ offset: token.offset, text: token.text });
        this.#skipStatement(token);
      }
    }
    return { calls, others };
  }

  #call(name: Token): StarlarkCall {
    const named = new Map<string, { value: Literal | undefined; offset: number }>();
    let unnamed = 0;
    this.#next();
    while (this.#peek().text !== ')') {
      const token = this.#peek();
      if (token.kind === 'end') throw unreadable(this.#source, name.offset, `${name.text}( has no end`);
      if (token.kind === 'name' && this.#tokens[this.#at + 1]?.text === '=') {
        this.#at += 2;
        named.set(token.text, { value: this.#value(), offset: token.offset });
      } else {
        unnamed++;
        this.#value();
      }
      if (this.#peek().text === ',') this.#next();
      else if (this.#peek().text !== ')')
        throw unreadable(this.#source, this.#peek().offset, 'a comma or a bracket is missing');
    }
    const end = this.#next();
    return { name: name.text, offset: name.offset, length: end.offset + 1 - name.offset, named, unnamed };
  }

  /** A value, or undefined where it is not written out. */
  #value(): Literal | undefined {
    let value = this.#single();
    for (;;) {
      const { text, kind } = this.#peek();
      if (text === '+' && kind === 'mark') {
        this.#next();
        const other = this.#single();
        if (typeof value === 'string' && typeof other === 'string') value += other;
        else value = Array.isArray(value) && Array.isArray(other) ? [...value, ...other] : undefined;
      } else if (kind === 'mark' && !',)]}:'.includes(text)) {
        value = undefined;
        if (text === '(' || text === '[' || text === '{') this.#skipBrackets();
        else this.#next();
      } else if (['name', 'string', 'number'].includes(kind) && !this.#startsStatement()) {
        // Two strings side by side, `if` and `for`: not a written value.
        value = undefined;
        this.#next();
      } else return value;
    }
  }

  #single(): Literal | undefined {
    const token = this.#next();
    if (token.kind === 'string') return stringOf(token.text);
    if (token.kind === 'number') return Number(token.text);
    if (token.kind === 'name') {
      if (token.text === 'True' || token.text === 'False') return token.text === 'True';
      return token.text === 'None' ? null : this.#values.get(token.text);
    }
    if (token.text === '[' || token.text === '(') return this.#list(token);
    this.#at--;
    if (token.text === '{') this.#skipBrackets();
    else if (token.kind === 'end' || ')]}'.includes(token.text))
      throw unreadable(this.#source, token.offset, 'a value is missing');
    else this.#next();
    return undefined;
  }

  #list(open: Token): Literal | undefined {
    const close = open.text === '[' ? ']' : ')';
    const items: (Literal | undefined)[] = [];
    while (this.#peek().text !== close) {
      if (this.#peek().kind === 'end') throw unreadable(this.#source, open.offset, 'this bracket has no end');
      items.push(this.#value());
      if (this.#peek().text === ',') this.#next();
      else if (this.#peek().text !== close)
        throw unreadable(this.#source, this.#peek().offset, 'a comma or a bracket is missing');
    }
    this.#next();
    return items.includes(undefined) ? undefined : (items as Literal[]);
  }

  #skipBrackets(): void {
    let depth = 0;
    do {
      const { text, kind, offset } = this.#next();
      if (kind === 'end') throw unreadable(this.#source, offset, 'a bracket has no end');
      if (kind === 'mark' && '([{'.includes(text)) depth++;
      if (kind === 'mark' && ')]}'.includes(text)) depth--;
    } while (depth > 0);
  }

  /** To the next line that begins in the first column. */
  #skipStatement(from: Token): void {
    const isNewLine = ({ offset }: Token) => offset > from.offset && this.#isAtLineStart(offset);
    while (this.#peek().kind !== 'end' && !isNewLine(this.#peek())) this.#next();
  }

  #startsStatement(): boolean {
    return this.#isAtLineStart(this.#peek().offset);
  }

  #isAtLineStart(offset: number): boolean {
    return offset === 0 || this.#source.text[offset - 1] === '\n';
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', offset: this.#source.text.length };
  }

  #next(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }
}

function tokensOf(source: ImportSource): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let offset = 0; offset < source.text.length; offset = TOKEN.lastIndex) {
    TOKEN.lastIndex = offset;
    const found = TOKEN.exec(source.text);
    if (found === null) throw unreadable(source, offset, 'this is no Starlark');
    const { space, string, name, number } = found.groups ?? {};
    if (space !== undefined) continue;
    if (string === undefined && /^["']/.test(found[0]))
      throw unreadable(source, offset, 'this string has no end');
    const kind =
      string !== undefined
        ? 'string'
        : name !== undefined
          ? 'name'
          : number !== undefined
            ? 'number'
            : 'mark';
    tokens.push({ kind, text: found[0], offset });
  }
  return tokens;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };

function stringOf(written: string): string {
  const isRaw = /^[rR]/.test(written);
  const quoted = isRaw ? written.slice(1) : written;
  const width = /^(?:"""|''')/.test(quoted) ? 3 : 1;
  const inner = quoted.slice(width, -width);
  return isRaw
    ? inner
    : inner.replace(/\\([\s\S])/g, (_, unit: string) =>
        Object.hasOwn(ESCAPES, unit) ? (ESCAPES[unit] ?? '') : unit,
      );
}
