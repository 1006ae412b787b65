const MAX_TEXT = 256;
const MAX_PATTERN = 32;

/** Can `${X#pattern}` and the like be worked out for these? Bracket expressions and long texts are not. */
export function isWorkable(text: string, pattern: string): boolean {
  return text.length <= MAX_TEXT && pattern.length <= MAX_PATTERN && !/[[\]()]/.test(pattern);
}

/** `${text#pattern}` (shortest) or `${text##pattern}` (longest). */
export function removePrefix(text: string, pattern: string, longest: boolean): string {
  for (let step = 0; step <= text.length; step++) {
    const end = longest ? text.length - step : step;
    if (fits(text.slice(0, end), pattern)) return text.slice(end);
  }
  return text;
}

/** `${text%pattern}` (shortest) or `${text%%pattern}` (longest). */
export function removeSuffix(text: string, pattern: string, longest: boolean): string {
  for (let step = 0; step <= text.length; step++) {
    const start = longest ? step : text.length - step;
    if (fits(text.slice(start), pattern)) return text.slice(0, start);
  }
  return text;
}

/** `*` is any text, `?` any character, a backslash quotes. Time: product of the lengths. */
export function fits(text: string, pattern: string): boolean {
  let at = 0;
  let p = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const char = pattern[p];
    if (char === '*') {
      star = p++;
      resume = at;
    } else if (char === '?' || (char === '\\' ? pattern[p + 1] : char) === text[at]) {
      p += char === '\\' ? 2 : 1;
      at++;
    } else if (star >= 0) {
      p = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
