/** How many characters a text has. Characters are code points: a surrogate pair is one, half of one too. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += width(text, i)) count += 1;
  return count;
}

/** The offset, in UTF-16 units, where the character with this number starts, counted from 0; at most the text's end. */
export function offsetOfCharacter(text: string, character: number): number {
  let offset = 0;
  for (let i = 0; i < character && offset < text.length; i++) offset += width(text, offset);
  return offset;
}

function width(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/** True if all characters are ASCII. */
export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}
