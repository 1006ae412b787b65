const MAX_TEXT = 256;
const MAX_STARS = 2;

/**
 * `${text#pattern}` and its like: a text without the shortest or the longest start or end that fits. Undefined where that
 * is not worked out: for long texts, bracket expressions, and more stars than take little time.
 */
export function withoutMatch(
  text: string,
  pattern: string,
  operator: '#' | '##' | '%' | '%%',
): string | undefined {
  const stars = pattern.split('*').length - 1;
  if (text.length > MAX_TEXT || stars > MAX_STARS || /[[\]()]/.test(pattern)) return undefined;
  const isLongest = operator.length === 2;
  const regex = pattern.replace(/\\(.)|\W/gs, (char, quoted: string | undefined) => {
    if (char === '*') return isLongest ? '[^]*' : '[^]*?';
    return char === '?' ? '[^]' : `\\u${(quoted ?? char).charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  if (operator.startsWith('#')) return text.replace(new RegExp(`^${regex}`), '');
  return new RegExp(`^([^]*${isLongest ? '?' : ''})${regex}$`).exec(text)?.[1] ?? text;
}
