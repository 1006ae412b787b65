/** The words of a text, however much white space is between them. */
export function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
