export interface LexedWord {
  /** Without quotes. */
  readonly text: string;
  /** The place of each of its characters in the text. */
  readonly places: readonly number[];
}

export interface LexedCommand {
  readonly words: readonly LexedWord[];
  /** The text of its standard input: `<<< word`. */
  readonly input: LexedWord | undefined;
  readonly end: number;
}

const MAX_CHARS = 4_096;
const MAX_WORDS = 256;

/** Splits a simple command within any text into words. It also ends at a quote that is unclosed or precedes a blank. */
export function lexCommand(text: string, start: number): LexedCommand {
  const words: LexedWord[] = [];
  const limit = Math.min(text.length, start + MAX_CHARS);
  let input: LexedWord | undefined;
  let chars = '';
  let places: number[] = [];
  let isWord = false;
  let takes: 'word' | 'input' | 'nothing' = 'word';
  const add = (at: number, char = text.charAt(at)) => {
    chars += char;
    places.push(at);
    isWord = true;
  };
  const finish = () => {
    if (isWord) {
      if (takes === 'word') words.push({ text: chars, places });
      else if (takes === 'input') input = { text: chars, places };
      takes = 'word';
    }
    chars = '';
    places = [];
    isWord = false;
  };
  let at = start;
  for (; at < limit && words.length < MAX_WORDS; at++) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t') finish();
    else if ('\n\r;|)('.includes(char)) break;
    else if (char === '&') {
      if (text.charAt(at + 1) !== '>' && text.charAt(at - 1) !== '>') break;
    } else if (char === '<' || char === '>') {
      // `<name>` is a slot for a name in documentation.
      const slot = char === '<' ? /^<[A-Za-z][\w -]{0,40}>/.exec(text.slice(at, at + 48))?.[0] : undefined;
      if (slot !== undefined) {
        for (const end = at + slot.length; at < end; at++) add(at);
        at -= 1;
        continue;
      }
      if (/^\d+$/.test(chars)) isWord = false;
      finish();
      takes = text.startsWith('<<<', at) ? 'input' : 'nothing';
      while ('<>&-'.includes(text.charAt(at + 1) || ' ')) at += 1;
    } else if (char === '\\') {
      const next = text.charAt(at + 1);
      if (next === '\n') at += 1;
      else if (next === '"') {
        const close = text.indexOf('\\"', at + 2);
        if (close === -1 || close >= limit || isCloser(text, at + 2, isWord)) break;
        isWord = true;
        for (at += 2; at < close; at++) add(at);
        at += 1;
      } else if (next !== '') add(++at);
    } else if (char === "'" || char === '"') {
      if (isCloser(text, at + 1, isWord) && text.charAt(at + 1) !== char) break;
      const close = closing(text, at, char, limit);
      if (close === -1) break;
      isWord = true;
      for (at += 1; at < close; at++) {
        if (char === '"' && text.charAt(at) === '\\' && '"\\$`'.includes(text.charAt(at + 1))) at += 1;
        add(at);
      }
    } else if (char === '`' || (char === '$' && text.charAt(at + 1) === '(')) {
      const end = char === '`' ? closing(text, at, char, limit) : closingParenthesis(text, at + 1, limit);
      if (end === -1 || (char === '`' && isCloser(text, at + 1, isWord))) break;
      for (; at <= end; at++) add(at);
      at -= 1;
    } else if (char === '$' && (text.charAt(at + 1) === "'" || text.charAt(at + 1) === '"') && !isWord)
      continue;
    else add(at);
  }
  finish();
  return { words, input, end: at };
}

/** A quote that ends the text around the command is followed by the same characters as a word. */
function isCloser(text: string, next: number, isWord: boolean): boolean {
  const after = text.charAt(next);
  return isWord ? after === '' || ' \t\n,;)}]'.includes(after) : after === '' || '\n,;)}]'.includes(after);
}

function closing(text: string, at: number, quote: string, limit: number): number {
  for (let end = at + 1; end < limit; end++) {
    const char = text.charAt(end);
    if (char === quote) return end;
    if (char === '\\' && quote !== "'") end += 1;
  }
  return -1;
}

function closingParenthesis(text: string, open: number, limit: number): number {
  let depth = 0;
  for (let end = open; end < limit; end++) {
    const char = text.charAt(end);
    if (char === '(') depth += 1;
    else if (char === ')' && --depth === 0) return end;
  }
  return -1;
}
