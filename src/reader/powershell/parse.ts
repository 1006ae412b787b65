import { Scanner, ScriptError } from './scanner.ts';
import {
  escapeAt,
  expandableString,
  hereString,
  isDoubleQuote,
  isSingleQuote,
  literalString,
  type ReadValue,
} from './strings.ts';
import type {
  Block,
  CommandWord,
  Expression,
  FileRedirection,
  Parameter,
  Stage,
  Statement,
} from './syntax.ts';

/** How deep blocks, parentheses and strings may stand in each other. */
const MAX_DEPTH = 100;

/** How many words, values and statements one script may have, and operators and members one value. */
const MAX_PARTS = 20_000;
const MAX_CHAIN = 500;

/** A script as far as it can be read; `error` says where it cannot. */
export interface ParsedScript {
  readonly block: Block;
  readonly error: ScriptError | undefined;
  /** Where the statement starts that cannot be read. */
  readonly errorFrom: number;
}

const OPERATORS: readonly (readonly string[])[] = [
  ['-and', '-or', '-xor', '??'],
  ['-band', '-bor', '-bxor', '-shl', '-shr'],
  'eq ne gt ge lt le like notlike match notmatch replace contains notcontains in notin split join is isnot as'
    .split(' ')
    .map((name) => `-${name}`),
  ['+', '-'],
  ['*', '/', '%'],
  ['-f'],
  ['..'],
];
const LEVELS = new Map(OPERATORS.flatMap((names, level) => names.map((name) => [name, level] as const)));
const WORD_OPERATOR = /[-–—―]([A-Za-z]+)(?![\w-])/y;
const UNARY_WORDS = new Set(['-not', '-bnot', '-split', '-join']);
const NUMBER =
  /(?:0x[0-9a-fA-F]+|(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?)(?:u?[lsy]|d|n)?(?:[kmgtp]b)?(?![\w.]*[A-Za-z_\\:])/iy;
const TYPE = /\[[A-Za-z_][\w.+`]*(?:\[[\w.,\s[\]+`]{0,200}\])?(?:\s*,\s*[\w.]+)*\]/y;
const VARIABLE = /\$(?:\{((?:[^}`]|`.)*)\}|([$?^]|(?:[A-Za-z]+:(?!:))?\w+))/y;
const SCOPES = /^(?:global|local|script|private|using|variable):/;
const BARE = /[^\s;|&(){},'"‘’‚‛“”„`$<>\u00a0]+/y;
const SPACE = /[\s\u00a0]/;

/** Parses a script. Nothing is thrown: what stands before the first statement that cannot be read is kept. */
export function parsePowerShell(text: string): ParsedScript {
  const parser = new Parser(new Scanner(text));
  return parser.script();
}

class Parser {
  private s: Scanner;
  private depth = 0;
  private parts = 0;
  private readonly value: ReadValue = (scanner) => this.within(scanner, () => this.variable(true));

  constructor(scanner: Scanner) {
    this.s = scanner;
  }

  script(): ParsedScript {
    const body: Statement[] = [];
    let parameters: readonly Parameter[] = [];
    let from = 0;
    try {
      parameters = this.header();
      for (;;) {
        this.endOfStatements();
        from = this.s.at;
        if (this.s.isOver) return { block: { parameters, body }, error: undefined, errorFrom: from };
        if (!this.section(body)) body.push(this.statement());
        this.closeStatement();
      }
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      return { block: { parameters, body }, error, errorFrom: from };
    }
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

  private deeper<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) this.s.fail('it is nested too deeply', true);
    const found = read();
    this.depth--;
    return found;
  }

  private countPart(): void {
    if (++this.parts > MAX_PARTS) this.s.fail('it has too many parts', true);
  }

  private endOfStatements(): void {
    do this.s.skip(true);
    while (this.s.takeText(';'));
  }

  /** What has to stand behind a statement. */
  private closeStatement(): void {
    this.s.skip();
    const char = this.s.peek();
    if (char === '' || ';\n\r})'.includes(char)) return;
    this.s.fail(`"${char}" is not expected here`);
  }

  /** Statements up to a closing bracket, which is passed over. */
  private statements(close: string): readonly Statement[] {
    return this.deeper(() => {
      const body: Statement[] = [];
      for (;;) {
        this.endOfStatements();
        if (this.s.takeText(close)) return body;
        if (this.s.isOver) this.s.fail(`"${close}" is missing`);
        if (!this.section(body)) body.push(this.statement());
        this.closeStatement();
        if (')}'.includes(this.s.peek() || ' ') && !this.s.starts(close))
          this.s.fail(`"${close}" is missing`);
      }
    });
  }

  /** `begin { }`, `process { }`, `end { }`: parts of one body. */
  private section(body: Statement[]): boolean {
    const found = this.s.find(/(?:begin|process|end|dynamicparam|clean)(?=\s*\{)/iy);
    if (found === undefined) return false;
    this.s.at += found[0].length;
    body.push({ type: 'sequence', blocks: [this.block()] });
    return true;
  }

  /** A block in braces. */
  private block(): Block {
    this.s.skip(true);
    this.s.expect('{');
    const parameters = this.header();
    return { parameters, body: this.statements('}') };
  }

  /** `[CmdletBinding()] param( … )` at the start of a block. */
  private header(): readonly Parameter[] {
    this.s.skip(true);
    const start = this.s.at;
    if (this.s.find(/(?:\[[A-Za-z.]+\s*\(|param\s*\()/iy) === undefined) return [];
    while (this.s.peek() === '[') this.attribute();
    const isHeader = this.s.take(/param\s*(?=\()/iy) !== undefined;
    if (!isHeader) {
      this.s.at = start;
      return [];
    }
    this.s.expect('(');
    return this.parameters();
  }

  /** `[Parameter(Mandatory = $true)]`: passed over up to its bracket. */
  private attribute(): void {
    let open = 0;
    do {
      const char = this.s.peek();
      if (this.s.isOver) this.s.fail('"]" is missing');
      if (isSingleQuote(char)) {
        literalString(this.s);
        continue;
      }
      if (char === '[') open++;
      if (char === ']') open--;
      this.s.at++;
    } while (open > 0);
    this.s.skip(true);
  }

  private parameters(): readonly Parameter[] {
    const found: Parameter[] = [];
    for (;;) {
      this.s.skip(true);
      if (this.s.takeText(')')) return found;
      while (this.s.peek() === '[') this.attribute();
      const name = this.s.take(/\$(\w+)/y)?.[1];
      if (name === undefined) this.s.fail('the name of a parameter is missing');
      this.s.skip(true);
      let initial: Expression | undefined;
      if (this.s.takeText('=')) {
        this.s.skip(true);
        initial = this.expression();
      }
      found.push({ name: (name ?? '').toLowerCase(), initial });
      this.s.skip(true);
      if (!this.s.takeText(',') && this.s.peek() !== ')') this.s.fail('")" is missing');
    }
  }

  private statement(): Statement {
    const made = this.keywordStatement();
    return made ?? this.chain();
  }

  private keywordStatement(): Statement | undefined {
    this.countPart();
    const label = this.s.take(/:\w+[ \t]+(?=(?:foreach|for|while|do|switch)\b)/iy);
    const word = this.s.find(
      /(?:if|while|for|foreach|switch|do|try|trap|function|filter|return|throw|exit|break|continue|param|using|class|enum|data|until|else|elseif|catch|finally)(?![\w\\/.:-])/iy,
    )?.[0];
    if (word !== undefined) {
      const made = this.keyword(word.toLowerCase());
      if (made !== undefined) return made;
    }
    if (label !== undefined) this.s.fail('a loop is missing behind its label');
    return undefined;
  }

  private keyword(word: string): Statement | undefined {
    const take = () => {
      this.s.at += word.length;
      this.s.skip(true);
    };
    switch (word) {
      case 'if': {
        take();
        const before: Statement[] = [];
        const branches: Block[] = [];
        before.push(...this.condition());
        branches.push(this.block());
        for (;;) {
          const back = this.s.at;
          this.s.skip(true);
          if (this.s.take(/elseif(?=\s*\()/iy)) {
            this.s.skip(true);
            before.push(...this.condition());
            branches.push(this.block());
          } else if (this.s.take(/else(?=\s*\{)/iy)) {
            branches.push(this.block());
            return { type: 'branches', before, branches, isComplete: true };
          } else {
            this.s.at = back;
            return { type: 'branches', before, branches, isComplete: false };
          }
        }
      }
      case 'while': {
        take();
        const before = this.condition();
        return { type: 'loop', before, body: this.block() };
      }
      case 'for': {
        take();
        this.s.expect('(');
        const before: Statement[] = [];
        for (let part = 0; part < 3; part++) {
          this.s.skip(true);
          if (!';)'.includes(this.s.peek())) before.push(this.statement());
          this.s.skip(true);
          if (!this.s.takeText(';')) break;
        }
        this.s.skip(true);
        this.s.expect(')');
        return { type: 'loop', before, body: this.block() };
      }
      case 'foreach': {
        // Behind a pipe it is a command; here only with a parenthesis is it a loop.
        if (this.s.find(/foreach\s*(?:-parallel\s*)?\(\s*\$/iy) === undefined) return undefined;
        take();
        this.s.take(/-parallel\s*/iy);
        this.s.expect('(');
        this.s.skip(true);
        const variable = this.s.take(/\$(\w+)/y)?.[1] ?? '';
        this.s.skip(true);
        if (this.s.take(/in(?!\w)/iy) === undefined) this.s.fail('"in" is missing');
        this.s.skip(true);
        const items = this.statement();
        this.s.skip(true);
        this.s.expect(')');
        return { type: 'foreach', variable: variable.toLowerCase(), items, body: this.block() };
      }
      case 'switch': {
        take();
        return this.switchStatement();
      }
      case 'do': {
        if (this.s.find(/do\s*\{/iy) === undefined) return undefined;
        take();
        const body = this.block();
        this.s.skip(true);
        if (this.s.take(/(?:while|until)(?=\s*\()/iy) === undefined) this.s.fail('"while" is missing');
        this.s.skip(true);
        return { type: 'loop', before: this.condition(), body };
      }
      case 'try': {
        take();
        const blocks = [this.block()];
        for (;;) {
          const back = this.s.at;
          this.s.skip(true);
          if (this.s.take(/catch(?=[\s[{])/iy)) {
            this.s.skip(true);
            while (this.s.peek() === '[') {
              this.attribute();
              this.s.take(/,\s*/y);
            }
          } else if (this.s.take(/finally(?=\s*\{)/iy) === undefined) {
            this.s.at = back;
            return { type: 'sequence', blocks };
          }
          blocks.push(this.block());
        }
      }
      case 'trap': {
        take();
        if (this.s.peek() === '[') this.attribute();
        return { type: 'sequence', blocks: [this.block()] };
      }
      case 'function':
      case 'filter': {
        take();
        const name = this.s.take(/(?:global:|script:|local:)?([^\s({]+)/iy)?.[1] ?? '';
        this.s.skip(true);
        const outer = this.s.takeText('(') ? this.parameters() : [];
        const block = this.block();
        return {
          type: 'function',
          name: name.toLowerCase(),
          block: { parameters: [...outer, ...block.parameters], body: block.body },
        };
      }
      case 'return':
      case 'throw':
      case 'exit': {
        this.s.at += word.length;
        this.s.skip();
        const isAlone = this.s.isOver || ';\n\r})'.includes(this.s.peek());
        return { type: 'jump', leaves: true, value: isAlone ? undefined : this.chain() };
      }
      case 'break':
      case 'continue': {
        this.s.at += word.length;
        this.s.skip();
        this.s.take(/\w+/y);
        return { type: 'jump', leaves: false, value: undefined };
      }
      case 'using': {
        this.s.take(/using\s+(?:namespace|module|assembly)[^\n;]*/iy);
        return { type: 'sequence', blocks: [] };
      }
      case 'enum':
        if (this.s.take(/enum\s+\w+\s*\{[^{}]*\}/iy) === undefined) this.s.fail('an enum cannot be read');
        return { type: 'sequence', blocks: [] };
      case 'class':
        take();
        return this.classStatement();
      case 'param':
        return this.s.fail(`"${word}" is not read`);
      case 'else':
      case 'elseif':
      case 'catch':
      case 'finally':
        return this.s.fail(`"${word}" stands alone`);
      default:
        return undefined;
    }
  }

  private switchStatement(): Statement {
    const before: Statement[] = [];
    for (;;) {
      const flag = this.s.take(/-(?:regex|wildcard|exact|casesensitive|parallel|file)\b\s*/iy);
      if (flag === undefined) break;
      if (/^-file/i.test(flag[0])) {
        const start = this.s.at;
        const word = this.word();
        if (word === undefined) return this.s.fail('a file is missing');
        const name = { value: { type: 'text', text: 'get-content' } as const, start, end: start };
        const stage = {
          start,
          end: this.s.at,
          words: [name, word],
          expression: undefined,
          calls: undefined,
          redirections: [],
        };
        before.push({ type: 'pipeline', stages: [stage], isBackground: false });
        this.s.skip(true);
      }
    }
    const subject = this.s.peek() === '(' ? this.condition() : [];
    this.s.skip(true);
    this.s.expect('{');
    const branches: Block[] = [];
    before.push(...subject);
    for (;;) {
      this.endOfStatements();
      if (this.s.takeText('}')) return { type: 'branches', before, branches, isComplete: false };
      const label = this.word();
      if (label === undefined) this.s.fail('"}" is missing');
      branches.push(this.block());
    }
  }

  /** A class. Nobody tells when its methods are called, so each may be. */
  private classStatement(): Statement {
    if (this.s.take(/\w+\s*(?::\s*[\w.,\s]+)?\{/y) === undefined) this.s.fail('"{" is missing');
    const branches: Block[] = [];
    for (;;) {
      this.endOfStatements();
      if (this.s.takeText('}')) return { type: 'branches', before: [], branches, isComplete: false };
      if (this.s.peek() === '[') this.attribute();
      else if (this.s.take(/(?:static|hidden)\s/iy) !== undefined) continue;
      else if (this.s.take(/\$\w+/y) !== undefined) {
        this.s.skip();
        if (!this.s.takeText('=')) continue;
        this.s.skip(true);
        branches.push({ parameters: [], body: [this.statement()] });
      } else {
        if (this.s.take(/\w+\s*\(/y) === undefined) this.s.fail('a member of a class cannot be read');
        const parameters = this.parameters();
        this.s.skip(true);
        if (this.s.take(/:\s*base\s*\(/iy) !== undefined) this.statements(')');
        branches.push({ parameters, body: this.block().body });
      }
    }
  }

  private condition(): readonly Statement[] {
    this.s.expect('(');
    return this.statements(')');
  }

  private chain(): Statement {
    const items = [this.pipelineOrAssignment()];
    for (;;) {
      this.s.skip();
      if (!this.s.takeText('&&') && !this.s.takeText('||')) break;
      this.s.skip(true);
      items.push(this.keywordStatement() ?? this.pipelineOrAssignment());
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { type: 'chain', items };
  }

  private pipelineOrAssignment(): Statement {
    const stages: Stage[] = [];
    for (;;) {
      const stage = this.stage();
      if (stages.length === 0 && stage.expression !== undefined && stage.redirections.length === 0) {
        this.s.skip();
        const operator = this.s.take(/(?:\?\?|[-+*/%])?=(?!=)/y)?.[0];
        if (operator !== undefined) {
          this.s.skip(true);
          return {
            type: 'assignment',
            target: stage.expression,
            operator,
            value: this.deeper(() => this.statement()),
          };
        }
      }
      stages.push(stage);
      this.s.skip();
      if (this.pipe()) {
        this.s.skip(true);
        continue;
      }
      const isBackground = this.s.peek() === '&' && this.s.peek(1) !== '&' && this.s.takeText('&');
      return { type: 'pipeline', stages, isBackground };
    }
  }

  /** Passes over a pipe, which may stand at the start of the next line. */
  private pipe(): boolean {
    if (this.s.peek() === '|' && this.s.peek(1) !== '|') return this.s.takeText('|');
    if (!/[\r\n]/.test(this.s.peek())) return false;
    const back = this.s.at;
    this.s.skip(true);
    if (this.s.peek() === '|' && this.s.peek(1) !== '|') return this.s.takeText('|');
    this.s.at = back;
    return false;
  }

  private stage(): Stage {
    const start = this.s.at;
    const redirections: FileRedirection[] = [];
    if (this.startsExpression()) {
      const expression = this.expression();
      for (;;) {
        this.s.skip();
        if (!this.redirection(redirections)) break;
      }
      return { start, end: this.s.at, words: [], expression, calls: undefined, redirections };
    }
    let calls: Stage['calls'];
    if (this.s.take(/&(?!&)[ \t]*/y)) calls = '&';
    else if (this.s.find(/\.(?=[\s'"$({])/y)) {
      calls = '.';
      this.s.at++;
      this.s.skip();
    }
    const words: CommandWord[] = [];
    let isRaw = false;
    for (;;) {
      this.s.skip();
      if (this.s.isOver || ';\n\r)}|&'.includes(this.s.peek())) break;
      if (redirections.length > MAX_CHAIN) this.s.fail('it has too many redirections', true);
      if (this.redirection(redirections)) continue;
      if (this.s.take(/--%[ \t]*/y)) {
        for (const raw of (this.s.take(/[^\n|]*/y)?.[0] ?? '').split(/\s+/))
          if (raw !== '')
            words.push({ value: { type: 'text', text: raw, bare: true }, start: this.s.at, end: this.s.at });
        continue;
      }
      const word = this.word(words.length === 0 && calls === undefined, isRaw);
      if (word === undefined) this.s.fail(`"${this.s.peek()}" is not expected here`);
      if (word === undefined) break;
      if (word.value.type === 'text' && word.value.bare === true && word.value.text === '--') isRaw = true;
      words.push(word);
    }
    if (words.length === 0 && redirections.length === 0) this.s.fail('a command is missing');
    return { start, end: this.s.at, words, expression: undefined, calls, redirections };
  }

  private startsExpression(): boolean {
    const char = this.s.peek();
    if (char === '') return false;
    if ('$({'.includes(char) || isSingleQuote(char) || isDoubleQuote(char)) return true;
    if (char === '@') return /[({'"‘’“”$\w]/.test(this.s.peek(1));
    if (char === '[') return this.s.find(TYPE) !== undefined;
    if (char === '!' || char === ',') return true;
    if (this.s.find(NUMBER) !== undefined) return true;
    if (/[-+]/.test(char)) {
      const operator = this.s.find(WORD_OPERATOR)?.[1];
      return operator === undefined
        ? /[-+]{1,2}[\s$(\d]/.test(this.s.text.slice(this.s.at, this.s.at + 3))
        : UNARY_WORDS.has(`-${operator.toLowerCase()}`);
    }
    return false;
  }

  private redirection(found: FileRedirection[]): boolean {
    const operator = this.s.take(/([*1-6])?>>?(?:&[12])?|<(?!#)/y);
    if (operator === undefined) return false;
    if (operator[0] === '<') {
      this.s.at--;
      this.s.fail('"<" is reserved');
    }
    if (operator[0].includes('&')) return true;
    this.s.skip();
    const target = this.word();
    if (target === undefined) this.s.fail('the file of a redirection is missing');
    if (target === undefined) return true;
    const isOutput = operator[1] === undefined || operator[1] === '*' || operator[1] === '1';
    found.push({ append: operator[0].includes('>>'), isOutput, target });
    return true;
  }

  /** A word of a command, with commas a list; undefined if none starts here. */
  private word(isName = false, isRaw = false): CommandWord | undefined {
    const start = this.s.at;
    const named =
      isName || isRaw
        ? undefined
        : this.s.find(/[-–—](?![-–—])([A-Za-z_?][\w?-]*)(?:(:)|(?=[\s\u00a0;|&(){},'"$@]|$))/y);
    if (named !== undefined) {
      this.s.at += named[0].length;
      const parameter = `-${named[1] ?? ''}`;
      const text: Expression = { type: 'text', text: named[0], bare: true };
      if (named[2] !== ':') return { value: text, parameter, start, end: this.s.at };
      this.s.skip();
      const given = this.wordList();
      if (given === undefined) return { value: text, parameter, start, end: this.s.at };
      return { value: text, parameter, given, start, end: this.s.at };
    }
    const value = isName ? this.simpleWord(true) : this.wordList();
    return value === undefined ? undefined : { value, start, end: this.s.at };
  }

  private wordList(): Expression | undefined {
    const first = this.simpleWord();
    if (first === undefined) return undefined;
    const items = [first];
    for (;;) {
      const back = this.s.at;
      this.s.skip();
      if (!this.s.takeText(',')) {
        this.s.at = back;
        break;
      }
      this.s.skip(true);
      const next = this.simpleWord();
      if (next === undefined) this.s.fail('an item is missing behind ","');
      if (next !== undefined) items.push(next);
    }
    return items.length === 1 ? first : { type: 'list', items };
  }

  private simpleWord(isName = false): Expression | undefined {
    this.countPart();
    const char = this.s.peek();
    if (char === '' || SPACE.test(char) || ';|&)},'.includes(char)) return undefined;
    if (char === '(' || char === '{' || char === '@') {
      const splat = this.s.take(/@(\w+)(?=[\s;|)}]|$)/y)?.[1];
      if (splat !== undefined) return { type: 'splat', name: splat.toLowerCase() };
      const isOpen = char !== '@' || /[({'"‘’“”]/.test(this.s.peek(1));
      if (isOpen) return this.members(this.primary());
    }
    if (isSingleQuote(char) || isDoubleQuote(char)) return this.members(this.primary());
    const parts: Expression[] = [];
    if (char === '$') {
      const value = this.variable(false);
      if (value !== undefined) {
        const whole = isName ? value : this.members(value);
        if (this.wordEnds()) return whole;
        parts.push(whole);
      }
    }
    while (!this.wordEnds()) {
      const next = this.s.peek();
      if (next === '`') parts.push({ type: 'text', text: escapeAt(this.s) });
      else if (next === '$') {
        const value = this.variable(true);
        if (value === undefined) this.s.at++;
        parts.push(value ?? { type: 'text', text: '$' });
      } else if (isSingleQuote(next)) parts.push(literalString(this.s));
      else if (isDoubleQuote(next)) parts.push(this.deeper(() => expandableString(this.s, this.value)));
      else if (next === '<' || next === '>') {
        if (parts.length === 0) return undefined;
        break;
      } else {
        const [text = ''] = this.s.take(BARE) ?? [];
        if (text === '') return this.s.fail(`"${next}" is not expected here`);
        parts.push({ type: 'text', text });
      }
    }
    return merged(parts);
  }

  private wordEnds(): boolean {
    const char = this.s.peek();
    if (char === '`') return /[\r\n]/.test(this.s.peek(1)) || this.s.at + 1 >= this.s.text.length;
    return char === '' || SPACE.test(char) || ';|&(){},'.includes(char);
  }

  expression(level = -1): Expression {
    if (level < 0) {
      const value = this.deeper(() => this.expression(0));
      this.s.skip();
      if (this.s.peek() !== '?' || this.s.peek(1) === '?' || this.s.peek(1) === '.') return value;
      this.s.at++;
      this.s.skip(true);
      const then = this.expression();
      this.s.skip(true);
      this.s.expect(':');
      this.s.skip(true);
      return { type: 'choice', condition: value, then, otherwise: this.expression() };
    }
    let left = this.commas();
    for (let count = 0; ; count++) {
      if (count > MAX_CHAIN) this.s.fail('it has too many operators', true);
      const operator = this.operator();
      const own = operator === undefined ? undefined : LEVELS.get(operator.name);
      if (operator === undefined || own === undefined || own < level) return left;
      this.s.at = operator.end;
      this.s.skip(true);
      const right = this.deeper(() => this.expression(own + 1));
      left = { type: 'binary', operator: operator.name, left, right };
    }
  }

  /** The operator that stands here, without letters for its letter case, and where it ends. */
  private operator(): { readonly name: string; readonly end: number } | undefined {
    const { s } = this;
    let at = s.at;
    while (s.text[at] === ' ' || s.text[at] === '\t') at++;
    if (s.text[at] === '`' || s.text[at] === '<' || s.text[at] === '#') {
      s.skip();
      at = s.at;
    }
    WORD_OPERATOR.lastIndex = at;
    const word = WORD_OPERATOR.exec(s.text)?.[1]?.toLowerCase();
    if (word !== undefined) {
      const short = `-${word.slice(1)}`;
      const name = LEVELS.has(`-${word}`)
        ? `-${word}`
        : /^[ci]/.test(word) && LEVELS.has(short)
          ? short
          : undefined;
      return name === undefined ? undefined : { name, end: at + word.length + 1 };
    }
    const [symbol] = /^(?:\.\.|\?\?(?!=)|[-+*/%](?![=+-]))/.exec(s.text.slice(at, at + 3)) ?? [];
    return symbol === undefined ? undefined : { name: symbol, end: at + symbol.length };
  }

  private commas(): Expression {
    if (this.s.peek() === ',') {
      this.s.at++;
      this.s.skip(true);
      return { type: 'list', items: [this.unary()] };
    }
    const first = this.unary();
    const items = [first];
    for (;;) {
      const back = this.s.at;
      this.s.skip();
      if (!this.s.takeText(',')) {
        this.s.at = back;
        break;
      }
      this.s.skip(true);
      items.push(this.unary());
    }
    return items.length === 1 ? first : { type: 'list', items };
  }

  private unary(): Expression {
    this.countPart();
    const word = this.s.find(WORD_OPERATOR)?.[1]?.toLowerCase();
    const name = word === undefined ? undefined : UNARY_WORDS.has(`-${word}`) ? `-${word}` : undefined;
    const symbol = name ?? this.s.find(/\+\+|--|[-+!](?![A-Za-z])|!/y)?.[0];
    if (symbol !== undefined) {
      this.s.at += symbol.length;
      this.s.skip(true);
      return { type: 'unary', operator: symbol, value: this.deeper(() => this.unary()) };
    }
    const type = this.s.peek() === '[' ? this.s.find(TYPE)?.[0] : undefined;
    if (type !== undefined) {
      const name = type.slice(1, -1).replace(/\s/g, '').toLowerCase();
      this.s.at += type.length;
      if (this.s.starts('::')) return this.members({ type: 'type', name });
      const back = this.s.at;
      this.s.skip();
      const next = this.s.peek();
      const isCast =
        next !== '' &&
        ('$({@[!'.includes(next) ||
          isSingleQuote(next) ||
          isDoubleQuote(next) ||
          this.s.find(NUMBER) !== undefined ||
          (/[-+]/.test(next) && /[$\d(]/.test(this.s.peek(1))));
      if (isCast) return { type: 'cast', to: name, value: this.deeper(() => this.unary()) };
      this.s.at = back;
      return this.members({ type: 'type', name });
    }
    return this.members(this.primary());
  }

  private primary(): Expression {
    const { s } = this;
    const char = s.peek();
    if (char === '$') {
      const value = this.variable(false);
      if (value !== undefined) return value;
    }
    if (isSingleQuote(char)) return literalString(s);
    if (isDoubleQuote(char)) return this.deeper(() => expandableString(s, this.value));
    if (s.takeText('(')) return { type: 'statements', body: this.statements(')') };
    if (char === '{') {
      const start = s.at + 1;
      const block = this.block();
      return { type: 'block', block, text: s.text.slice(start, s.at - 1) };
    }
    if (s.takeText('@(')) return { type: 'statements', body: this.statements(')') };
    if (s.takeText('@{')) return this.table();
    if (char === '@') {
      const text = hereString(s, this.value, (inner) => new Scanner(inner));
      if (text !== undefined) return text;
      const splat = s.take(/@(\w+)/y)?.[1];
      if (splat !== undefined) return { type: 'splat', name: splat.toLowerCase() };
    }
    const number = s.take(NUMBER)?.[0];
    if (number !== undefined) return { type: 'text', text: number };
    return s.fail(s.isOver ? 'a value is missing' : `"${char}" is not expected here`);
  }

  /** `@{ name = value; … }`. */
  private table(): Expression {
    return this.deeper(() => {
      const entries: (readonly [Expression, Statement])[] = [];
      for (;;) {
        this.endOfStatements();
        if (this.s.takeText('}')) return { type: 'table', entries };
        const bare = this.s.take(/[\w-]+(?=\s*=)/y)?.[0];
        const key: Expression = bare === undefined ? this.unary() : { type: 'text', text: bare };
        this.s.skip(true);
        this.s.expect('=');
        this.s.skip(true);
        entries.push([key, this.statement()]);
        this.closeStatement();
      }
    });
  }

  /** `$name`, `${name}`, `$( )`; undefined for a dollar sign that stands for itself. */
  private variable(inText: boolean): Expression | undefined {
    const { s } = this;
    if (s.takeText('$(')) return { type: 'statements', body: this.statements(')') };
    // In a text a colon may end the name: "$x: 1".
    const found = s.find(
      inText
        ? /\$(?:\{((?:[^}`]|`.)*)\}|([$?^]|(?:env|global|script|local|private|using|variable|function):\w+|\w+))/iy
        : VARIABLE,
    );
    if (found === undefined) return undefined;
    s.at += found[0].length;
    const name = (found[1] ?? found[2] ?? '').replace(/`(.)/g, '$1').toLowerCase();
    return { type: 'variable', name: name.replace(SCOPES, '') };
  }

  /** `.name`, `.Call( )`, `::name`, `[ ]` and `++` behind a value. */
  private members(of: Expression): Expression {
    let value = of;
    for (let count = 0; ; count++) {
      if (count > MAX_CHAIN) this.s.fail('it has too many members', true);
      const { s } = this;
      if (s.peek() === '[' && !(of.type === 'text' && of.bare === true)) {
        s.at++;
        s.skip(true);
        const at = this.expression();
        s.skip(true);
        s.expect(']');
        value = { type: 'index', of: value, at };
        continue;
      }
      const dot = s.find(/(?:\?\.|\.(?![.\\/\s])|::)[ \t]*(?=[A-Za-z_$'"({])/y)?.[0];
      if (dot === undefined) {
        s.take(/(?:\+\+|--)(?![\w-])/y);
        return value;
      }
      s.at += dot.length;
      const name = this.memberName();
      // `$x.part\y` and `$x.y/z` are words in which nothing is a member.
      const args = s.peek() === '(' ? this.arguments() : undefined;
      value = { type: 'member', of: value, name, args };
      if (args !== undefined && s.peek() === '{') s.fail('"{" is not expected here');
      if (args !== undefined) {
        const back = s.at;
        // A call may go on in the next line.
        s.skip(true);
        if (s.find(/\.[A-Za-z]+\(/y) === undefined) s.at = back;
      }
    }
  }

  private memberName(): Expression {
    const name = this.s.take(/[A-Za-z_]\w*/y)?.[0];
    return name === undefined ? this.primary() : { type: 'text', text: name.toLowerCase() };
  }

  private arguments(): readonly Expression[] {
    return this.deeper(() => {
      this.s.at++;
      const found: Expression[] = [];
      for (;;) {
        this.s.skip(true);
        if (this.s.takeText(')')) return found;
        const value = this.expression();
        // Between the parentheses of a call, commas part the arguments.
        found.push(...(value.type === 'list' ? value.items : [value]));
        this.s.skip(true);
        if (!this.s.takeText(',') && this.s.peek() !== ')') this.s.fail('")" is missing');
      }
    });
  }
}

/** Parts of one word; texts are joined. */
function merged(parts: readonly Expression[]): Expression | undefined {
  if (parts.length === 0) return undefined;
  if (parts.every((part) => part.type === 'text')) {
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { type: 'text', text, bare: true };
  }
  return { type: 'joined', parts, bare: true };
}
