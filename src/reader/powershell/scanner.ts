/** The place at which a script cannot be read on, and the reason. */
export class ScriptError extends Error {
  readonly at: number;
  readonly isDeep: boolean;
  constructor(message: string, at: number, isDeep = false) {
    super(message);
    this.at = at;
    this.isDeep = isDeep;
  }
}

/** The characters of a script, and the blanks between them. Every look is linear in the text that it passes over. */
export class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isOver(): boolean {
    return this.at >= this.text.length;
  }

  peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? '';
  }

  starts(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** The match of a sticky pattern here, which is passed over. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const found = this.find(pattern);
    if (found !== undefined) this.at += found[0].length;
    return found;
  }

  find(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text) ?? undefined;
  }

  takeText(text: string): boolean {
    if (!this.starts(text)) return false;
    this.at += text.length;
    return true;
  }

  /** Passes over a text, behind blanks and line ends. */
  expect(text: string): void {
    this.skip(true);
    if (!this.takeText(text)) this.fail(`"${text}" is missing`);
  }

  fail(message: string, isDeep = false): never {
    throw new ScriptError(message, this.at, isDeep);
  }

  /** Passes over blanks, comments and continued lines; with `lines` over ends of lines too. */
  skip(lines = false): void {
    for (;;) {
      const char = this.peek();
      if (
        char === ' ' ||
        char === '\t' ||
        char === '\f' ||
        char === '\v' ||
        char === '\u00a0' ||
        char === '\0' ||
        char === '\ufeff'
      )
        this.at++;
      else if (lines && (char === '\n' || char === '\r')) this.at++;
      else if (char === '`' && /[\r\n]/.test(this.peek(1))) {
        this.at += this.peek(1) === '\r' && this.peek(2) === '\n' ? 3 : 2;
      } else if (char === '#') {
        const end = this.text.indexOf('\n', this.at);
        this.at = end < 0 ? this.text.length : end;
      } else if (char === '<' && this.peek(1) === '#') {
        const end = this.text.indexOf('#>', this.at + 2);
        if (end < 0) this.fail('a comment has no end');
        this.at = end + 2;
      } else return;
    }
  }
}

/** The line and column of a place in a text, for people. */
export function lineAndColumn(text: string, at: number): string {
  const before = text.slice(0, at);
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
}
