/** C0 and C1 controls, and characters that hide or reorder text, which could disguise a value or act on the terminal. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text on one line, with every character that could act on a terminal as an escape. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (unit) => SHORT[unit] ?? `\\u{${unit.charCodeAt(0).toString(16)}}`);
}

/** JSON in which unsafe characters are escapes, so that it is the same data and cannot act on a terminal. Its own line feeds stay. */
export function printableJson(json: string): string {
  return json.replace(UNSAFE, (unit) =>
    unit === '\n' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same, cut in the middle of nowhere with an ellipsis if it is longer than `maxChars`. */
export function printableCut(text: string, maxChars: number): string {
  const whole = printable(text.slice(0, maxChars + 1));
  return whole.length > maxChars ? `${whole.slice(0, maxChars - 1)}…` : whole;
}
