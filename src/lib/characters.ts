/** How many characters a text has. Characters are code points: a surrogate pair is one, half of one too. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The offset, in UTF-16 units, where the character with this number starts, counted from 0; at most the text's end. */
export function offsetOfCharacter(text: string, character: number): number {
  let offset = 0;
  let passed = 0;
  for (const { length } of text) {
    if (passed >= character) break;
    passed += 1;
    offset += length;
  }
  return offset;
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}
