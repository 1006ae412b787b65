import type { Scanner } from './scanner.ts';
import type { ReadValue } from './strings.ts';
import type { Block, Expression, Statement } from './syntax.ts';

/** The greatest depth of blocks, parentheses and strings. */
const MAX_DEPTH = 100;
/** How many words, values and statements one script may have. */
const MAX_PARTS = 20_000;

/** Readers of the nested parts of a script: each file of the parser needs some of those above it. */
export interface Grammar {
  readonly statement: (p: Parser) => Statement;
  /** A statement that a word such as `if` begins; undefined if none does. */
  readonly keyword: (p: Parser) => Statement | undefined;
  /** Statements up to a closing bracket, which is passed over. */
  readonly statements: (p: Parser, close: string) => readonly Statement[];
  readonly block: (p: Parser) => Block;
  readonly expression: (p: Parser) => Expression;
  /** `${ }`, `$name`, `$( )` in a text. */
  readonly variable: (p: Parser, inText: boolean) => Expression | undefined;
}

/** The parser's place in a script, with limits on its depth and parts. */
export class Parser {
  s: Scanner;
  readonly grammar: Grammar;
  readonly value: ReadValue = (scanner) => this.within(scanner, () => this.grammar.variable(this, true));
  private depth = 0;
  private parts = 0;

  constructor(scanner: Scanner, grammar: Grammar) {
    this.s = scanner;
    this.grammar = grammar;
  }

  /** Reads on in another text, such as that of a string, and comes back. */
  private within<T>(scanner: Scanner, read: () => T): T {
    const own = this.s;
    this.s = scanner;
    try {
      return read();
    } finally {
      this.s = own;
    }
  }

  deeper<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) this.s.fail('it is nested too deeply', true);
    const found = read();
    this.depth--;
    return found;
  }

  countPart(): void {
    if (++this.parts > MAX_PARTS) this.s.fail('it has too many parts', true);
  }

  /** Items with commas between them; the first alone where there are none. */
  list(first: Expression, next: () => Expression): Expression {
    const items = [first];
    for (;;) {
      const back = this.s.at;
      this.s.skip();
      if (!this.s.takeText(',')) {
        this.s.at = back;
        return items.length === 1 ? first : { type: 'list', items };
      }
      this.s.skip(true);
      items.push(next());
    }
  }

  /** Passes over the signs between statements. */
  endOfStatements(): void {
    do this.s.skip(true);
    while (this.s.takeText(';'));
  }

  closeStatement(): void {
    this.s.skip();
    const char = this.s.peek();
    if (char === '' || ';\n\r})'.includes(char)) return;
    this.s.fail(`"${char}" is not expected here`);
  }
}
