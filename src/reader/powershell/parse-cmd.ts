import type { CmdCommand, CmdRedirection, CmdWord, ParsedCmd } from './cmd-syntax.ts';
import { Scanner, ScriptError } from './scanner.ts';

/** The greatest depth of groups. */
const MAX_DEPTH = 100;
/** How many words and commands a script may have. */
const MAX_PARTS = 20_000;
/** `%f in`, `%%f in`. */
const LOOP_VARIABLE = /^%%?[A-Za-z#]\s/;
/** The characters between words. */
const BLANK = /[ \t,;=\r\f\v]/;
/** The same among the words of a program, which gets its line as it is. */
const SPACE = /[ \t\r\f\v]/;
/** Commands of cmd itself. */
const INTERNAL =
  /^@?(?:assoc|break|call|cd|chdir|color|copy|date|del|dir|erase|exit|ftype|goto|md|mkdir|mklink|move|path|pause|popd|prompt|pushd|rd|ren|rename|rmdir|set|setlocal|shift|start|time|type|ver|verify|vol)$/i;

/** Parses a script of cmd. The part before the first unreadable one is kept. */
export function parseCmd(text: string): ParsedCmd {
  return new CmdParser(text).script();
}

class CmdParser extends Scanner {
  /** The start of the command that is read now, of those outside of brackets. */
  private from = 0;
  private depth = 0;
  private parts = 0;

  script(): ParsedCmd {
    const commands: CmdCommand[] = [];
    try {
      for (;;) {
        this.blanks(true);
        if (this.isOver) return { commands, error: undefined };
        this.list('', commands);
        if (this.peek() === ')') this.at++;
      }
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      return { commands, error: { start: this.from, message: error.message } };
    }
  }

  /** Commands up to the end of the text, or to the bracket that ends a group. */
  private list(close: string, found: CmdCommand[] = []): CmdCommand[] {
    if (++this.depth > MAX_DEPTH) this.fail('it is nested too deeply');
    for (;;) {
      this.blanks(true);
      let between = '';
      while (this.peek() === '&' || this.peek() === '|') {
        between += this.text[this.at++];
        this.blanks(true);
      }
      const char = this.text[this.at];
      if (char === undefined || char === ')') {
        if (close !== '' && char === undefined) this.fail(`"${close}" is missing`);
        this.depth--;
        return found;
      }
      if (close === '') this.from = this.at;
      found.push({ ...this.pipeline(), onSuccess: between === '&&' });
    }
  }

  private pipeline(): CmdCommand {
    const stages = [this.command()];
    for (;;) {
      this.blanks(false);
      if (this.peek() !== '|' || this.peek(1) === '|') break;
      this.at++;
      this.blanks(true);
      stages.push(this.command());
    }
    const [only] = stages;
    return stages.length === 1 && only !== undefined ? only : { type: 'pipeline', stages };
  }

  private blanks(lines: boolean, between = BLANK): void {
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) return;
      if (between.test(char) || (lines && char === '\n')) this.at++;
      else if (char === '^' && /[\r\n]/.test(this.peek(1))) this.at += 2;
      else return;
    }
  }

  private command(): CmdCommand {
    if (++this.depth > MAX_DEPTH) this.fail('it is nested too deeply');
    const found = this.commandHere();
    this.depth--;
    return found;
  }

  private commandHere(): CmdCommand {
    this.take(/@+/y);
    if (this.peek() === '(') {
      this.at++;
      const body = this.list(')');
      this.at++;
      const redirections: CmdRedirection[] = [];
      do this.blanks(false);
      while (this.redirection(redirections));
      this.take(/[ \t\r]*/y);
      return { type: 'group', body, redirections };
    }
    if (this.take(/(?:rem(?=\s|$)|:)[^\n]*/iy)) return { type: 'simple', words: [], redirections: [] };
    if (this.take(/if(?=[\s/])/iy)) return this.condition();
    if (this.take(/for(?=[\s/])/iy)) return this.loop();
    return this.simple();
  }

  /** `if [/i] [not] exist x command`, `if x==y command else command`. */
  private condition(): CmdCommand {
    this.blanks(false);
    while (this.take(/(?:\/i|not)(?=\s)[ \t]*/iy));
    if (this.take(/(?:exist|defined|errorlevel|cmdextversion)(?=\s)[ \t]*/iy)) this.word();
    else {
      this.operand();
      this.take(/[ \t]*/y);
      if (!this.take(/==[ \t]*/y) && !this.take(/(?:equ|neq|lss|leq|gtr|geq)(?=\s)[ \t]*/iy))
        this.fail('a comparison is missing behind "if"');
      this.operand();
    }
    this.blanks(false);
    const branches = [this.branch()];
    const back = this.at;
    this.blanks(false);
    if (this.take(/else(?=[\s(])/iy)) {
      this.blanks(false);
      branches.push(this.branch());
    } else this.at = back;
    return { type: 'if', branches };
  }

  private branch(): readonly CmdCommand[] {
    const first = this.command();
    const found = [first];
    // The commands behind `&` in the same line belong to the branch.
    if (first.type === 'group') return found;
    for (;;) {
      this.blanks(false);
      if (!this.take(/&&?|\|\|?/y)) return found;
      this.blanks(false);
      found.push(this.command());
    }
  }

  private operand(): void {
    while (!this.isOver && !/[\s=]/.test(this.peek())) {
      if (this.peek() === '"') this.quoted();
      else this.at++;
    }
  }

  /** `for [/r dir|/d|/l|/f "options"] %f in (…) do command`. */
  private loop(): CmdCommand {
    this.blanks(false);
    let isLines = false;
    let options = '';
    let folder: CmdWord | undefined;
    for (;;) {
      const flag = this.take(/\/([dflr])[ \t]*/iy)?.[1]?.toLowerCase();
      if (flag === undefined) break;
      isLines ||= flag === 'f';
      if ((flag === 'r' || flag === 'f') && !LOOP_VARIABLE.test(this.text.slice(this.at, this.at + 5))) {
        const said = this.word();
        if (said !== undefined && flag === 'r') folder = said;
        else options = said?.text.toLowerCase() ?? '';
        this.blanks(false);
      }
    }
    const variable = this.take(/%%?([A-Za-z#])/y)?.[1];
    this.blanks(false);
    if (variable === undefined || !this.take(/in(?=[\s(])/iy)) this.fail('"in" is missing behind "for"');
    this.blanks(true);
    if (this.peek() !== '(') this.fail('"(" is missing behind "in"');
    const end = this.text.indexOf(')', this.at);
    if (end < 0) this.fail('")" is missing');
    const isBack = options.includes('usebackq');
    const opened = isLines ? /^\(\s*(['"`])/.exec(this.text.slice(this.at, end))?.[1] : undefined;
    const quote = opened === (isBack ? '`' : "'") ? opened : undefined;
    const isText = opened === (isBack ? "'" : '"');
    const close = quote === undefined ? end : this.text.indexOf(`${quote})`, this.at + 2);
    if (close < 0) this.fail('")" is missing');
    const inner = this.text.slice(this.at + 1, close);
    this.at = quote === undefined ? close + 1 : close + 2;
    const nested = quote === undefined ? undefined : parseCmd(inner.trim().slice(1).replaceAll('^', ''));
    if (nested?.error !== undefined) this.fail(nested.error.message);
    const items = quote === undefined ? new CmdParser(inner).words() : [];
    const readsFiles = isLines && quote === undefined && !isText;
    this.blanks(true);
    if (!this.take(/do(?=[\s(@])/iy)) this.fail('"do" is missing');
    this.blanks(true);
    return {
      type: 'for',
      variable,
      items: folder === undefined ? items : items.map((item) => below(folder, item)),
      readsFiles,
      options,
      script: nested?.commands,
      body: this.branch(),
    };
  }

  private words(): readonly CmdWord[] {
    const found: CmdWord[] = [];
    for (;;) {
      this.blanks(true);
      const word = this.word();
      if (word === undefined) return found;
      found.push(word);
    }
  }

  private simple(): CmdCommand {
    const words: CmdWord[] = [];
    const redirections: CmdRedirection[] = [];
    for (;;) {
      const isOfProgram = words.length > 0 && !INTERNAL.test(words[0]?.text ?? '');
      const between = isOfProgram ? SPACE : BLANK;
      this.blanks(false, between);
      if (this.redirection(redirections)) continue;
      if (words.length === 1 && /^@?set$/i.test(words[0]?.text ?? '')) {
        const rest = this.take(/(?:"[^"\n]*"|[^&|\n<>])*/y)?.[0].trim() ?? '';
        if (rest !== '')
          words.push({ text: rest.replaceAll('^', '').replace(/^"(.*)"$/, '$1'), isQuoted: false });
        break;
      }
      const word = this.word(between);
      if (word === undefined) break;
      // `cd..`, `del/q x`, `echo.text`: the name ends in front of them.
      const glued =
        words.length === 0 && !word.isQuoted
          ? /^@?(cd|del|erase|rd|rmdir|dir|echo|md|type|copy|move)([/.\\].*)$/i.exec(word.text)
          : null;
      if (glued === null) words.push(word);
      else words.push({ text: glued[1] ?? '', isQuoted: false }, { text: glued[2] ?? '', isQuoted: false });
    }
    this.take(/[ \t\r]*/y);
    return { type: 'simple', words, redirections };
  }

  private redirection(found: CmdRedirection[]): boolean {
    const written = this.take(/([0-9])?(>>?|<)(?:&[0-9])?/y);
    if (written === undefined) return false;
    if (written[0].includes('&')) return true;
    this.blanks(false);
    const target = this.word();
    if (target === undefined) this.fail('the file of a redirection is missing');
    const kind = written[2] === '<' ? 'read' : written[2] === '>>' ? 'append' : 'write';
    found.push({ kind, isOutput: written[1] === undefined || written[1] === '1', target });
    return true;
  }

  private word(between = BLANK): CmdWord | undefined {
    if (++this.parts > MAX_PARTS) this.fail('it has too many parts');
    let text = '';
    const start = this.at;
    let isQuoted = false;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined || /[\n&|<>)]/.test(char) || between.test(char)) break;
      if (char === '(' && text === '') break;
      // Variables are filled in before words are parted.
      const changed = this.take(/%\w+:[^%\n]*%|!\w+:[^!\n]*!/y)?.[0];
      if (changed !== undefined) {
        text += changed;
        continue;
      }
      if (char === '"') {
        isQuoted ||= this.at === start;
        text += this.quoted();
      } else if (char === '^') {
        text += this.peek(1);
        this.at += 2;
      } else {
        text += char;
        this.at++;
      }
    }
    if (this.at === start && this.peek() === '(') {
      this.at++;
      return { text: '(', isQuoted: false };
    }
    return this.at === start ? undefined : { text, isQuoted };
  }

  /** Up to the next quote, or the end of the line. */
  private quoted(): string {
    return this.take(/"([^"\n]*)"?/y)?.[1] ?? '';
  }
}

/** The name in any folder below another, as `for /r folder` finds it. */
function below(folder: CmdWord, { text, isQuoted }: CmdWord): CmdWord {
  return { text: `${folder.text}\\${text}`, isQuoted: isQuoted || folder.isQuoted };
}
