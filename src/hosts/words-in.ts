/** The words of a text, however many spaces and line ends are between them. Without a pattern: hosts read their tools by it in each hook. */
export function wordsIn(text: string): readonly string[] {
  return text
    .replaceAll('\n', ' ')
    .split(' ')
    .filter((word) => word !== '');
}
