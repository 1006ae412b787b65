/** Scripts whose characters take two columns of a terminal: CJK, Hangul, kana, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Marks that are on the character before them. */
const COMBINING = /\p{Mark}/u;
const ANSI_STYLE = /\u001b\[[0-9;]*m/g;
const ASCII_ONLY = /^[\u0020-\u007e]*$/;

/** How many columns of a terminal a text takes; colours take none. */
export function displayWidth(text: string): number {
  if (ASCII_ONLY.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(ANSI_STYLE, '')) {
    if (COMBINING.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}
