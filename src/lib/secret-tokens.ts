import { isPlaceholder, type SecretFinder, type SecretSpan } from './secret-span.ts';

/**
 * Finds tokens that start with one of some prefixes and fit a sticky pattern from there on. What stands in the pattern's
 * group, at its end, is the secret; without a group, all of it. A token does not start amid a word, so that a run of
 * characters is read once and the whole stays linear. The pattern is made when a prefix has been found: making all of
 * them would be a good part of what a process does that judges one call.
 */
export function tokenFinder(prefixes: readonly string[], makePattern: () => RegExp): SecretFinder {
  let pattern: RegExp | undefined;
  function find(text: string): readonly SecretSpan[] {
    const spans: SecretSpan[] = [];
    pattern ??= makePattern();
    for (const prefix of prefixes) {
      for (let at = text.indexOf(prefix); at !== -1; ) {
        const span = isAmidWord(text, at) ? undefined : spanAt(text, at, pattern);
        if (span !== undefined) spans.push(span);
        at = text.indexOf(prefix, Math.max(span?.end ?? 0, at + prefix.length));
      }
    }
    return spans;
  }

  return { literals: prefixes.map((prefix) => prefix.toLowerCase()), find };
}

/** `https://user:password@host`: the password. */
export const URL_PASSWORDS: SecretFinder = { literals: ['://'], find: findUrlPasswords };

function findUrlPasswords(text: string): readonly SecretSpan[] {
  const userInfo = /:\/\/[^\s/@:"'`<>]{0,128}:([^\s/@"'`<>]{1,256})(?=@)/y;
  const spans: SecretSpan[] = [];
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 1)) {
    const span = spanAt(text, at, userInfo);
    if (span !== undefined && !isPlaceholder(text.slice(span.start, span.end))) spans.push(span);
  }
  return spans;
}

function spanAt(text: string, at: number, sticky: RegExp): SecretSpan | undefined {
  sticky.lastIndex = at;
  const match = sticky.exec(text);
  if (match === null) return undefined;
  const end = at + match[0].length;
  return { start: end - (match[1] ?? match[0]).length, end };
}

/** In JSON text `\n` may stand before a word. */
function isAmidWord(text: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9_-]/.test(text.charAt(at - 1))) return false;
  return !(text.charAt(at - 2) === '\\' && 'nrt'.includes(text.charAt(at - 1)));
}
