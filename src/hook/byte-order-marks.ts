/** A message without the byte order marks that Cursor on Windows writes before it, one or two: JSON has no place for them. */
export function withoutMarks(text: string): string {
  return text.startsWith('\ufeff') ? text.replace(/^\ufeff+/, '') : text;
}
