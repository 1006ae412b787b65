/**
 * A text without any of the given characters at its end. Time: linear; a regex that ends in `+$` starts anew at each
 * character of every run.
 */
export function trimEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}
