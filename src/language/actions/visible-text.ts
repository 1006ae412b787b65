/** Invisible characters, and those that change how others are shown. The two joiners stay, because scripts and emoji need them. */
const HIDDEN = /[\p{Cc}\p{Cs}\u2028\u2029\u{e0000}-\u{e007f}]|(?![\u200c\u200d])\p{Cf}/gu;

/** The same text with every hidden character written as an escape, such as `\n` or `\u{202e}`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

/** The same, but line feeds and tabs stay. */
export function visibleLines(text: string): string {
  return text.replace(HIDDEN, (c) => (c === '\n' || c === '\t' ? c : escapeCharacter(c)));
}

/** At most `maxBytes` of UTF-8, cut between characters, with an ellipsis if something is missing. `maxBytes` >= 3. */
export function capText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const room = maxBytes - 3;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
