import { textWord, type Word, type WordPart } from './word.ts';

/** Rules for the characters of a pattern. */
export interface GlobSyntax {
  /** True if a backslash takes its meaning from the next character. */
  readonly escapes: boolean;
  /** True if a bracket expression ends at the end of a name. */
  readonly stopsAtSlash: boolean;
}

/** A text with its wildcards as parts. Time: linear, however many brackets are open. */
export function globPieces(text: string, { escapes, stopsAtSlash }: GlobSyntax): Word {
  const parts: WordPart[] = [];
  let plain = '';
  let close = -1;
  let slash = -1;
  const wild = (pattern: string) => {
    parts.push(...textWord(plain), { type: 'glob', pattern });
    plain = '';
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '*' || char === '?') wild(char);
    else if (char === '\\' && escapes) plain += text[++at] ?? '\\';
    else if (char === '[') {
      if (close <= at) close = indexOrEnd(text, ']', at + 1);
      if (stopsAtSlash && slash <= at) slash = indexOrEnd(text, '/', at + 1);
      const isClosed = close > at + 1 && close < text.length && !(stopsAtSlash && slash < close);
      if (isClosed) {
        wild(text.slice(at, close + 1));
        at = close;
      } else plain += char;
    } else plain += char;
  }
  return [...parts, ...textWord(plain)];
}

function indexOrEnd(text: string, char: string, from: number): number {
  const index = text.indexOf(char, from);
  return index < 0 ? text.length : index;
}
