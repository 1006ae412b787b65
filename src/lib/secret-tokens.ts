import type { SecretFinder, SecretSpan } from './secret-span.ts';

/**
 * Finds tokens that start with one of some prefixes and then fit a sticky pattern. What stands in the pattern's group,
 * at its end, is the secret; without a group, all of it. A token does not start amid a word, so that each run of
 * characters is scanned once and the whole stays linear.
 */
export function tokenFinder(prefixes: readonly string[], pattern: RegExp): SecretFinder {
  const sticky = new RegExp(pattern.source, 'y');
  return (text) => {
    const spans: SecretSpan[] = [];
    for (const prefix of prefixes) {
      for (let at = text.indexOf(prefix); at !== -1; ) {
        const span = isAmidWord(text, at) ? undefined : spanAt(text, at, sticky);
        if (span !== undefined) spans.push(span);
        at = text.indexOf(prefix, Math.max(span?.end ?? 0, at + prefix.length));
      }
    }
    return spans;
  };
}

function spanAt(text: string, at: number, sticky: RegExp): SecretSpan | undefined {
  sticky.lastIndex = at;
  const match = sticky.exec(text);
  if (match === null) return undefined;
  const end = at + match[0].length;
  return { start: end - (match[1] ?? match[0]).length, end };
}

function isAmidWord(text: string, at: number): boolean {
  return at > 0 && /[A-Za-z0-9_]/.test(text.charAt(at - 1)) && !isEscape(text, at);
}

/** In JSON text a word may follow `\n`. */
function isEscape(text: string, at: number): boolean {
  return text.charAt(at - 2) === '\\' && 'nrt'.includes(text.charAt(at - 1));
}
