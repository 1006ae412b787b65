/** Removes characters from the end of a text in linear time, unlike a regex that ends in `+$`. */
export function trimEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}
